import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const PATIENCE_MS = 120_000;

/** Our own connections die with the server now and then; the next one is a new one. */
export function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Asks again where the server died under the question. */
export async function looking<T>(
  pool: pg.Pool,
  look: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    let client: pg.PoolClient | undefined;
    let broken = true;
    try {
      client = await pool.connect();
      const found = await look(client);
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
