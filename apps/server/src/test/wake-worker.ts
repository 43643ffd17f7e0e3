import pg from 'pg';
import { JOB_CHANNEL } from '../platform/queue/worker-notifier.ts';

const INTERVAL_MS = 50;

/**
 * Wakes the worker when a job is due, such as a retry, so that tests do not wait for its next poll. Returns a function
 * that stops it.
 */
export function wakeWorkerForDueJobs(databaseUrl: string): () => Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => undefined);
  const wake = async () => {
    await pool
      .query(
        `select pg_notify($1, string_agg(distinct name, ' ')) from jobs.job
         where state < 'active' and start_after <= now() having count(*) > 0`,
        [JOB_CHANNEL],
      )
      // A test may make the database unavailable.
      .catch(() => undefined);
  };
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      running = wake().then(schedule);
    }, INTERVAL_MS);
  };
  schedule();
  return async () => {
    clearTimeout(timer);
    await running;
    clearTimeout(timer);
    await pool.end();
  };
}
