import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const TIMEOUT_MS = 120_000;

/** Ignores connection errors: these connections break when PostgreSQL is killed, and the pool opens new ones. */
export function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Retries the query for up to two minutes after any error except a data exception (22) or invalid SQL (42). */
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
      const result = await query(client);
      broken = false;
      return result;
    } catch (error) {
      const isPermanent = error instanceof pg.DatabaseError && /^(22|42)/.test(error.code ?? '');
      if (isPermanent || performance.now() > end) throw error;
      await pause(100);
    } finally {
      client?.release(broken);
    }
  }
}
