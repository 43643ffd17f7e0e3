import type pg from 'pg';
import { Gauge, Histogram } from 'prom-client';

const acquireSeconds = new Histogram({
  name: 'lessonbook_db_wait_seconds',
  help: 'Time until a connection to the database was free; long waits mean that the pool is too small or the database slow',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
});
const connections = new Gauge({
  name: 'lessonbook_db_connections',
  help: "The process's own connections to the database, by what they do",
  labelNames: ['state'],
});
const waitingClients = new Gauge({
  name: 'lessonbook_db_waiting',
  help: 'Who waits for a connection at this moment',
});

/** A connection of the pool, with the wait for it measured; also one that did not come. */
export async function acquireConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  const end = acquireSeconds.startTimer();
  try {
    return await pool.connect();
  } finally {
    end();
  }
}

export function updatePoolMetrics(pool: pg.Pool): void {
  connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
  connections.set({ state: 'idle' }, pool.idleCount);
  waitingClients.set(pool.waitingCount);
}
