import type pg from 'pg';
import { Gauge, Histogram } from 'prom-client';
import { traceOperation } from '../observability/tracing.ts';

const acquireSeconds = new Histogram({
  name: 'lessonbook_db_wait_seconds',
  help: 'Time to acquire a database connection; long waits mean that the pool is too small or the database slow',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
});
const connections = new Gauge({
  name: 'lessonbook_db_connections',
  help: "The process's database connections, by state",
  labelNames: ['state'],
});
const waitingClients = new Gauge({
  name: 'lessonbook_db_waiting',
  help: 'Requests waiting for a database connection',
});

/** Measures the time spent waiting for a connection, even if acquiring it fails. */
export async function acquireConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  const end = acquireSeconds.startTimer();
  try {
    return await traceOperation({ kind: 'connection' }, () => pool.connect());
  } finally {
    end();
  }
}

export function updatePoolMetrics(pool: pg.Pool): void {
  connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
  connections.set({ state: 'idle' }, pool.idleCount);
  waitingClients.set(pool.waitingCount);
}
