import { expect } from '@playwright/test';
import pg from 'pg';

/** Enqueues the send-reminders job, which the worker otherwise runs every minute, and waits until it completes. */
export async function runSendRemindersJob(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const insertJob =
      "insert into jobs.job (name, data) values ('send-reminders', '{}') returning id";
    const id: string = (await client.query<{ id: string }>(insertJob)).rows[0]?.id ?? '';
    const state = async () =>
      (await client.query<{ state: string }>('select state from jobs.job where id = $1', [id]))
        .rows[0]?.state;
    await expect.poll(state, { timeout: 60_000, intervals: [100, 200] }).toBe('completed');
  } finally {
    await client.end();
  }
}
