import { waitUntil } from '@lessonbook/test-env/wait-until';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../test/test-app.ts';
import { Realtime } from './change-notifications.ts';
import { Database } from './db/database.ts';
import { createLogger } from './observability/log.ts';

const SPREAD_MS = 2_000;
const SUBSCRIBERS = 50;

let db: Database;
let realtime: Realtime;

beforeAll(async () => {
  const { appUrl } = await createTestDatabase();
  const clientConfig = { connectionString: appUrl };
  db = new Database(clientConfig, { max: 2, onError: () => undefined });
  realtime = new Realtime(clientConfig, db, createLogger('silent', 'api'), SPREAD_MS);
});
afterAll(async () => {
  await realtime.stop();
  await db.close();
});

test('F53 after a lost LISTEN connection, notifications to subscribers are spread out', async () => {
  const notifiedAt = new Map<number, number>();
  const unsubscribe = Array.from({ length: SUBSCRIBERS }, (_, index) =>
    realtime.subscribe(`tutor-${index}`, () => notifiedAt.set(index, performance.now())),
  );
  await waitUntil(
    () => notifiedAt.size === SUBSCRIBERS,
    () => 'LISTEN was not started',
  );
  notifiedAt.clear();
  realtime.publish('tutor-3', null);
  await waitUntil(
    () => notifiedAt.has(3),
    () => 'the notification did not arrive',
  );
  expect([...notifiedAt.keys()]).toEqual([3]);

  notifiedAt.clear();
  const unsubscribed = 49;
  // The app's own role may end its connections.
  await db.globalTransaction((tx) =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'listen%' and datname = current_database()`.execute(tx),
  );
  await waitUntil(
    () => notifiedAt.size > 0,
    () => 'LISTEN was not restored',
  );
  unsubscribe[unsubscribed]?.();
  await waitUntil(
    () => notifiedAt.size === SUBSCRIBERS - 1,
    () => `only ${notifiedAt.size} subscribers were notified`,
  );
  const times = [...notifiedAt.values()].toSorted((a, b) => a - b);
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(spanMs).toBeGreaterThan(SPREAD_MS / 2);
  expect(notifiedAt.has(unsubscribed)).toBe(false);
});
