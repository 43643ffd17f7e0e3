import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/test-app.ts';
import { uuidV7 } from '../db/uuid.ts';
import { BACKLOG_SQL } from './queue-metrics.ts';

let client: pg.Client;
const tutorId = uuidV7(new Date());

beforeAll(async () => {
  const urls = await createTestDatabase();
  client = new pg.Client(urls.ownerUrl);
  await client.connect();
  await client.query(
    `insert into jobs.job (name, data, start_after, created_on)
     select 'send-message', jsonb_build_object('tutorId', gen_random_uuid(), 'messageId', n),
       now() - interval '1 minute', now() - interval '1 minute'
     from generate_series(1, 30000) n`,
  );
  await client.query(
    `insert into jobs.job (name, data) values ('calendar-sync', jsonb_build_object('tutorId', $1::text))`,
    [tutorId],
  );
  await client.query('analyze jobs.job_common');
});
afterAll(() => client.end());

const explain = async (sql: string, values: unknown[]): Promise<string> => {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain analyze ${sql}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

test('F55 measuring a long queue reads a bounded part of an index', async () => {
  const values = [['send-message', 'calendar-sync', 'card-event']];
  const { rows } = await client.query<{ job: string; waiting: number; oldestSeconds: number }>(
    BACKLOG_SQL,
    values,
  );
  const backlog = new Map(rows.map((row) => [row.job, row]));
  expect(backlog.get('send-message')).toMatchObject({ waiting: 10_000 });
  expect(backlog.get('send-message')?.oldestSeconds).toBeGreaterThanOrEqual(60);
  expect(backlog.get('calendar-sync')).toMatchObject({ waiting: 1 });
  const plan = await explain(BACKLOG_SQL, values);
  expect(plan).toContain('job_common_i11');
  expect(plan).not.toContain('Seq Scan');
});

test("F55 a tutor's jobs are found by an index", async () => {
  const plan = await explain(`delete from jobs.job where data->>'tutorId' = $1`, [tutorId]);
  expect(plan).toContain('job_tutor_idx');
  expect(plan).not.toContain('Seq Scan');
});
