import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { DatabaseUrls } from '../../provision-database.ts';
import { createTestDatabase } from '../../test/test-app.ts';
import { Database } from '../db/database.ts';
import { uuidV7 } from '../db/uuid.ts';
import { createLogger } from '../observability/log.ts';
import { Queue } from './queue.ts';
import { BACKLOG_SQL } from './queue-metrics.ts';

let urls: DatabaseUrls;
let client: pg.Client;
const tutorId = uuidV7(new Date());

beforeAll(async () => {
  urls = await createTestDatabase();
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

test('F55 measuring a long queue reads only a limited part of an index', async () => {
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

describe('F54 workers are notified outside the transaction', () => {
  const log = createLogger('silent', 'worker');
  const job = { name: 'card-event', payload: z.object({ n: z.number() }) };
  let db: Database;
  let sender: Queue;
  let worker: Queue;
  const processed: number[] = [];
  const notifications: string[] = [];

  beforeAll(async () => {
    db = new Database({ connectionString: urls.appUrl }, { max: 8, onError: () => undefined });
    sender = new Queue({ connectionString: urls.appUrl }, log, 'sender');
    // The poll interval is so long that only a notification can start a job within the test.
    worker = new Queue({ connectionString: urls.appUrl }, log, 'worker', { pollSeconds: 3_600 });
    await Promise.all([sender.start(), worker.start()]);
    await worker.work({}, [
      {
        ...job,
        retryFor: { minutes: 1 },
        concurrency: 50,
        noAbandonedHandlerReason: 'This job exists only in the test.',
        run: async (_context: unknown, payload: unknown) => {
          processed.push((payload as { n: number }).n);
        },
      },
    ]);
    client.on('notification', ({ payload }) => notifications.push(payload ?? ''));
    await client.query('listen job_enqueued');
  });
  afterAll(async () => {
    await Promise.all([sender.stop(), worker.stop()]);
    await db.close();
  });

  const enqueue = (n: number) => db.globalTransaction((tx) => sender.enqueue(tx, job, { n }));

  test('a job starts without waiting for the next poll', async () => {
    await enqueue(1);
    await expect.poll(() => processed).toEqual([1]);
    await expect.poll(() => notifications).toHaveLength(1);
  });

  test('a transaction that is rolled back causes no notification', async () => {
    notifications.length = 0;
    const rolledBack = db.globalTransaction(async (tx) => {
      await sender.enqueue(tx, job, { n: 2 });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await enqueue(3);
    await waitUntil(
      async () => processed.includes(3),
      () => 'the job has not started',
    );
    expect(processed).not.toContain(2);
    await expect.poll(() => notifications).toHaveLength(1);
  });

  test('a job carries the trace context of the code that enqueued it, and listLivePayloads omits the context', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const fillTraceContext = (request: unknown) =>
      Object.assign(request as object, { traceparent });
    const otherTutorId = uuidV7(new Date());
    const later = { name: job.name, payload: z.object({ tutorId: z.uuid() }) };
    subscribe('lessonbook:trace-context', fillTraceContext);
    await db.globalTransaction((tx) =>
      sender.enqueue(tx, later, { tutorId: otherTutorId }, { afterSeconds: 3_600 }),
    );
    unsubscribe('lessonbook:trace-context', fillTraceContext);
    const { rows } = await client.query(`select data from jobs.job where data->>'tutorId' = $1`, [
      otherTutorId,
    ]);
    expect(rows).toEqual([{ data: { tutorId: otherTutorId, traceparent } }]);
    expect(
      await db.globalTransaction((tx) => sender.listLivePayloads(tx, job.name, otherTutorId)),
    ).toEqual([{ tutorId: otherTutorId }]);
  });

  test('many transactions cause few notifications, which are sent outside the transactions', async () => {
    notifications.length = 0;
    const start = performance.now();
    const jobNumbers = Array.from({ length: 200 }, (_, index) => 100 + index);
    await Promise.all(jobNumbers.map(enqueue));
    await waitUntil(
      async () => jobNumbers.every((n) => processed.includes(n)),
      () => `${processed.length} jobs have started`,
    );
    const seconds = (performance.now() - start) / 1_000;
    expect(notifications.length).toBeGreaterThan(0);
    expect(notifications.length).toBeLessThanOrEqual(1 + seconds * 20);
    expect(new Set(notifications)).toEqual(new Set([job.name]));
    const { rows } = await client.query('select name from jobs.queue where notify');
    expect(rows).toEqual([]);
  });
});
