import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import type { DatabaseUrls } from '../provision-database.ts';
import type { TestApp } from './test-app.ts';

/** Waits until no matching job is due or running. `pattern` is an SQL LIKE pattern. Jobs scheduled for later do not count. */
export async function waitUntilQueueIdle(admin: pg.Pool | pg.Client, pattern = '%'): Promise<void> {
  let pendingNames = '';
  await waitUntil(
    async () => {
      const { rows } = await admin.query<{ names: string | null }>(
        `select string_agg(distinct name, ', ') as names from jobs.job
         where name like $1 and name not like '\\_\\_pgboss%' and state < 'completed' and start_after <= now()`,
        [pattern],
      );
      pendingNames = rows[0]?.names ?? '';
      return pendingNames === '';
    },
    () => `jobs are still due or running: ${pendingNames}`,
  );
}

/** Sets the retry delay of failed jobs, and returns once `count` jobs have failed. */
async function delayRetries(urls: DatabaseUrls, name: string, delay: string, count: number) {
  const client = new pg.Client(urls.appUrl);
  await client.connect();
  const changed = new Set<string>();
  const change = `update jobs.job set start_after = now() + $2::interval
                  where name = $1 and state = 'retry' and not id = any($3) returning id`;
  await waitUntil(
    async () => {
      const { rows } = await client.query<{ id: string }>(change, [name, delay, [...changed]]);
      for (const { id } of rows) changed.add(id);
      return changed.size >= count;
    },
    () => `${changed.size} of ${count} ${name} jobs have failed`,
  );
  await client.end();
}

/** Stops the worker from retrying failed jobs, so that the test can run them. */
export const postponeRetries = ({ urls }: Pick<TestApp, 'urls'>, name: string, count = 1) =>
  delayRetries(urls, name, '1 day', count);

/** Makes the worker retry failed jobs immediately. */
export const retryFailedJobsNow = ({ urls }: Pick<TestApp, 'urls'>, name: string, count = 1) =>
  delayRetries(urls, name, '0', count);

/** Waits until a tutor's job has failed once, and makes its next attempt the last one. */
export async function exhaustRetries(
  { urls }: Pick<TestApp, 'urls'>,
  name: string,
  tutorId: string,
): Promise<void> {
  const client = new pg.Client(urls.appUrl);
  await client.connect();
  const exhaust = `update jobs.job set retry_limit = retry_count + 1, start_after = now()
                   where name = $1 and data->>'tutorId' = $2 and state = 'retry'`;
  await waitUntil(
    async () => (await client.query(exhaust, [name, tutorId])).rowCount === 1,
    () => `no ${name} job has failed`,
  );
  await client.end();
}
