import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const TIMEOUT_MS = 120_000;

/** Our own connections die with the server now and then; the next one is a new one. */
export function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Asks again where the server died under the question. */
export async function withRetries<T>(
  pool: pg.Pool,
  query: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    let client: pg.PoolClient | undefined;
    let broken = true;
    try {
      client = await pool.connect();
      const found = await query(client);
      broken = false;
      return found;
    } catch (problem) {
      // A question that is wrong stays wrong.
      const wrong = problem instanceof pg.DatabaseError && /^(22|42)/.test(problem.code ?? '');
      if (wrong || performance.now() > end) throw problem;
      await pause(100);
    } finally {
      client?.release(broken);
    }
  }
}
