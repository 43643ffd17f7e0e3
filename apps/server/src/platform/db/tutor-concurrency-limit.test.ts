import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DatabaseUrls } from '../../provision-database.ts';
import { createTestDatabase } from '../../test/test-app.ts';
import { Database, queryFromSql, type Tx } from './database.ts';
import { TutorLimit } from './tutor-concurrency-limit.ts';
import { uuidV7 } from './uuid.ts';

const now = new Date('2026-11-16T12:00:00Z');
const [ada, ben] = [uuidV7(now), uuidV7(now)];
const POOL = 6;
/** Any key that no other test uses. */
const ADVISORY_KEY = 20_02;

let urls: DatabaseUrls;
let db: Database;
let admin: pg.Client;

beforeAll(async () => {
  urls = await createTestDatabase();
  db = new Database({ connectionString: urls.appUrl }, { max: POOL, onError: () => undefined });
  for (const tutorId of [ada, ben]) await db.newTutorTransaction(tutorId, insertTutor(tutorId));
  admin = new pg.Client(urls.maintenanceUrl);
  await admin.connect();
});
afterEach(async () => {
  await admin.query('rollback');
  await admin.query('select pg_advisory_unlock_all()');
});
afterAll(async () => {
  await admin.end();
  await db.close();
});

const insertTutor = (tutorId: string) => (tx: Tx) =>
  tx
    .insertInto('tutors')
    .values({
      tutor_id: tutorId,
      public_id: 'p',
      name: 'Tutor',
      time_zone: 'UTC',
      trial_ends_at: now,
      created_at: now,
    })
    .execute();
const readName = (tutorId: string) =>
  db.tutorRead(tutorId, (tx) => [tx.selectFrom('tutors').select('name')]);
const countConnectionsWaitingForLock = async () =>
  (
    await admin.query(
      `select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`,
    )
  ).rows.length;
/** Waits until `admin` releases the lock. */
const waitForAdvisoryLock = (tx: Tx) =>
  queryFromSql(tx, sql`select pg_advisory_xact_lock_shared(${ADVISORY_KEY})`);

describe('while many requests from one tutor are waiting', () => {
  test('F02 writers wait for the tutor lock in order, on a single connection, while other tutors are served', async () => {
    await admin.query('begin');
    await admin.query('select from tutors where tutor_id = $1 for update', [ada]);
    const order: number[] = [];
    const saves = Array.from({ length: 20 }, (_, index) =>
      db.tutorTransaction(ada, async (tx) => {
        await tx.selectFrom('tutors').select('name').execute();
        order.push(index);
      }),
    );
    await expect.poll(countConnectionsWaitingForLock).toBe(1);
    await readName(ben);
    await db.tutorTransaction(ben, async () => undefined);
    expect(await countConnectionsWaitingForLock()).toBe(1);
    await admin.query('rollback');
    await Promise.all(saves);
    expect(order).toEqual(saves.map((_, index) => index));
  });

  test('F02 slow reads use only a few connections, so other tutors are served', async () => {
    await admin.query('select pg_advisory_lock($1)', [ADVISORY_KEY]);
    const reads = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? db.tutorRead(ada, (tx) => [waitForAdvisoryLock(tx)])
        : db.tutorSnapshot(ada, (tx) => waitForAdvisoryLock(tx).execute()),
    );
    const concurrency = Math.floor(POOL * 0.3);
    await expect.poll(countConnectionsWaitingForLock).toBe(concurrency);
    await readName(ben);
    await db.tutorTransaction(ben, async () => undefined);
    expect(await countConnectionsWaitingForLock()).toBe(concurrency);
    await admin.query('select pg_advisory_unlock($1)', [ADVISORY_KEY]);
    await Promise.all(reads);
  });

  test('F02 reads of a whole account run one at a time, and other reads of the tutor run beside them', async () => {
    const wide = new Database(
      { connectionString: urls.appUrl },
      { max: 10, onError: () => undefined },
    );
    await admin.query('select pg_advisory_lock($1)', [ADVISORY_KEY]);
    const reads = [1, 2, 3].map(() =>
      wide.wholeAccountSnapshot(ada, (tx) => waitForAdvisoryLock(tx).execute()),
    );
    await expect.poll(countConnectionsWaitingForLock).toBe(1);
    await wide.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(await countConnectionsWaitingForLock()).toBe(1);
    await admin.query('select pg_advisory_unlock($1)', [ADVISORY_KEY]);
    await Promise.all(reads);
    await wide.close();
  });

  test('F02 transactions without the lock use only a few connections, so other tutors are served', async () => {
    await admin.query('select pg_advisory_lock($1)', [ADVISORY_KEY]);
    const transactions = Array.from({ length: 20 }, () =>
      db.tutorTransactionUnlocked(ada, (tx) => waitForAdvisoryLock(tx).execute()),
    );
    await expect.poll(countConnectionsWaitingForLock).toBe(Math.floor(POOL * 0.3));
    await readName(ben);
    await db.tutorTransactionUnlocked(ben, async () => undefined);
    await admin.query('select pg_advisory_unlock($1)', [ADVISORY_KEY]);
    await Promise.all(transactions);
  });
});

describe('TutorLimit', () => {
  const createBlockedWork = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { work: () => promise, release: resolve };
  };

  test('F02 requests beyond the waiting limit are rejected with 429 and Retry-After, for that tutor only', async () => {
    const limit = new TutorLimit({ concurrency: 1, maxWaiting: 2, maxWaitMs: 60_000 });
    const first = createBlockedWork();
    const running = [1, 2, 3].map(() => limit.run(ada, first.work));
    await expect(limit.run(ada, first.work)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 2,
    });
    expect(await limit.run(ben, async () => 'done')).toBe('done');
    first.release();
    await Promise.all(running);
    expect(await limit.run(ada, async () => 'done')).toBe('done');
  });

  test('F02 a request that waits too long is rejected, and later requests still run', async () => {
    const limit = new TutorLimit({ concurrency: 1, maxWaiting: 2, maxWaitMs: 20 });
    const first = createBlockedWork();
    const running = limit.run(ada, first.work);
    await expect(limit.run(ada, first.work)).rejects.toMatchObject({ code: 'too_many_requests' });
    first.release();
    await running;
    expect(await limit.run(ada, async () => 'done')).toBe('done');
  });

  test('F02 a failure frees the slot', async () => {
    const limit = new TutorLimit({ concurrency: 1, maxWaiting: 2, maxWaitMs: 60_000 });
    await expect(limit.run(ada, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limit.run(ada, async () => 'done')).toBe('done');
  });
});

describe('F02 slots that rest', () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterAll(() => void vi.useRealTimers());

  const createLimit = (rests: boolean) =>
    new TutorLimit({ concurrency: 1, maxWaiting: 2, maxWaitMs: 60_000, rests });
  const wait = (ms: number) => () => new Promise<void>((resolve) => void setTimeout(resolve, ms));

  /** How long a second request waits after the first one, which takes this long, has ended. */
  async function waitAfter(ms: number, rests: boolean): Promise<number> {
    const limit = createLimit(rests);
    let ended = 0;
    let started = 0;
    const first = limit.run(ada, wait(ms)).then(() => (ended = performance.now()));
    const second = limit.run(ada, async () => (started = performance.now()));
    await vi.advanceTimersByTimeAsync(ms + 10_000);
    await Promise.all([first, second]);
    return started - ended;
  }

  test.each([
    ['not at all after a short request', 40, 0],
    ['as long as a long request took', 400, 400],
    ['at most a second', 5_000, 1_000],
  ])('rest %s', async (_when, ms, rest) => {
    expect(await waitAfter(ms, true)).toBe(rest);
    expect(await waitAfter(ms, false)).toBe(0);
  });

  test('do not delay the request itself', async () => {
    const limit = createLimit(true);
    let isDone = false;
    void limit.run(ada, wait(400)).then(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(400);
    expect(isDone).toBe(true);
  });
});

test('F02 a transaction inside another one for the same tutor throws instead of deadlocking', async () => {
  const nested = 'A transaction was opened inside another one for the same tutor';
  await expect(
    db.tutorTransaction(ada, () => db.tutorTransaction(ada, async () => undefined)),
  ).rejects.toThrow(nested);
  await expect(db.tutorTransaction(ada, () => readName(ada))).rejects.toThrow(nested);
  await expect(db.tutorSnapshot(ada, () => readName(ada))).rejects.toThrow(nested);
  await db.tutorTransaction(ada, () => readName(ben));
  // An export saves its progress while it holds a snapshot.
  await db.tutorSnapshot(ada, () => db.tutorTransactionUnlocked(ada, async () => undefined));
});
