import { waitUntil } from '@lessonbook/test-env/wait-until';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseUrls } from '../../provision-database.ts';
import { createTestDatabase } from '../../test/test-app.ts';
import { toAppError } from '../http/error-handler.ts';
import { Database, queryFromSql, type Tx } from './database.ts';
import { nextIdsForKind } from './tutor-scoped-ids.ts';
import { uuidV7 } from './uuid.ts';

let urls: DatabaseUrls;
let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const [ada, ben] = [uuidV7(now), uuidV7(now)];

const insert = (tx: Tx, tutorId: string, name: string) =>
  tx
    .insertInto('tutors')
    .values({
      tutor_id: tutorId,
      public_id: 'p',
      name,
      time_zone: 'UTC',
      trial_ends_at: now,
      created_at: now,
    })
    .execute();

beforeAll(async () => {
  urls = await createTestDatabase();
  db = new Database({ connectionString: urls.appUrl }, { max: 8, onError: () => undefined });
  await db.newTutorTransaction(ada, (tx) => insert(tx, ada, 'Ada'));
  await db.newTutorTransaction(ben, (tx) => insert(tx, ben, 'Ben'));
});
afterAll(() => db.close());

describe('a tenant transaction', () => {
  test("[V8.4.1] sees only the tutor's rows, even without a condition in the query", async () => {
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
    const inTransaction = await db.tutorTransaction(ben, (tx) =>
      tx.selectFrom('tutors').select('name').execute(),
    );
    expect(inTransaction).toEqual([{ name: 'Ben' }]);
  });

  test("cannot update or insert another tutor's rows", async () => {
    await db.tutorTransaction(ben, (tx) =>
      tx.updateTable('tutors').set({ name: 'Stolen' }).where('tutor_id', '=', ada).execute(),
    );
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
    await expect(
      db.tutorTransaction(ben, (tx) => insert(tx, uuidV7(now), 'Planted')),
    ).rejects.toThrow(/row-level security/);
  });

  test('[V16.5.3] tenant tables throw outside a tenant transaction, even on a connection previously used for a tutor', async () => {
    await expect(db.global.selectFrom('tutors').select('name').execute()).rejects.toThrow();
    await expect(
      db.globalTransaction((tx) => tx.selectFrom('tutors').select('name').execute()),
    ).rejects.toThrow();
  });

  test('a failed statement fails the transaction even if the caller ignores the error', async () => {
    const transaction = db.tutorTransaction(ada, async (tx) => {
      await tx.updateTable('tutors').set({ name: 'Half' }).execute();
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(transaction).rejects.toThrow(/rolled back/);
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test('a failed read throws its error and leaves the connection usable', async () => {
    const broken = db.tutorRead(ada, () => [sql`select 1 / 0`.$castTo<unknown>() as never]);
    await expect(broken).rejects.toThrow(/division by zero|compile/);
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toHaveLength(1);
  });

  test('[V2.3.3] an error in the callback rolls back all changes and is rethrown', async () => {
    const failing = db.tutorTransaction(ada, async (tx) => {
      await tx.updateTable('tutors').set({ name: 'Half' }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test('F15 several reads see one snapshot, even if another transaction commits between them', async () => {
    const revision = (tx: Tx) => tx.selectFrom('tutors').select('revision');
    const pause = (tx: Tx) => queryFromSql(tx, sql`select pg_advisory_xact_lock_shared(15)`);
    const holder = new pg.Client(urls.appUrl);
    await holder.connect();
    await holder.query('select pg_advisory_lock(15)');
    const reading = db.tutorRead(ada, (tx) => [revision(tx), pause(tx), revision(tx)]);
    await waitUntil(
      async () => {
        const { rows } = await holder.query(
          `select 1 from pg_locks where locktype = 'advisory' and not granted`,
        );
        return rows.length > 0;
      },
      () => 'the read is not waiting between its statements',
    );
    await db.tutorTransaction(ada, async () => undefined);
    await holder.query('select pg_advisory_unlock(15)');
    await holder.end();
    const [before, , after] = await reading;
    expect(after).toEqual(before);
    const [current] = await db.tutorRead(ada, (tx) => [revision(tx)]);
    expect(current[0]?.revision).toBe((before[0]?.revision ?? 0) + 1);
  });

  test('a write for a tutor who no longer exists is rejected as unauthenticated', async () => {
    const outcome = db.tutorTransaction(uuidV7(now), async () => 1);
    await expect(outcome).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('runs transactions for the same tutor sequentially and for different tutors concurrently', async () => {
    const order: string[] = [];
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const first = db.tutorTransaction(ada, async (tx) => {
      await tx.selectFrom('tutors').select('name').execute();
      order.push('ada begins');
      start();
      await hold;
      order.push('ada ends');
    });
    await started;
    await db.tutorTransaction(ben, async () => void order.push('ben'));
    const second = db.tutorTransaction(ada, async (tx) => {
      await tx.selectFrom('tutors').select('name').execute();
      order.push('ada again');
    });
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['ada begins', 'ben', 'ada ends', 'ada again']);
  });

  test('retries after a deadlock', async () => {
    const updateBoth = (first: string, second: string) =>
      db.globalTransaction(async (tx) => {
        await tx
          .insertInto('rate_limits')
          .values({ key: first, empty_at: now })
          .onConflict((c) => c.column('key').doUpdateSet({ empty_at: now }))
          .execute();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await tx
          .insertInto('rate_limits')
          .values({ key: second, empty_at: now })
          .onConflict((c) => c.column('key').doUpdateSet({ empty_at: now }))
          .execute();
      });
    await expect(Promise.all([updateBoth('a', 'b'), updateBoth('b', 'a')])).resolves.toBeDefined();
  });

  test('a lost connection does not crash the process and is reported as unavailable', async () => {
    const terminate = async (tx: Tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await db.globalTransaction((other) =>
        sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other),
      );
      const remaining = sql<{
        pid: number;
      }>`select pid from pg_stat_activity where pid = ${rows[0]?.pid}`;
      await waitUntil(
        async () =>
          (await db.globalTransaction((other) => remaining.execute(other))).rows.length === 0,
        () => 'the connection is still open',
      );
      // The client must notice that the connection was closed while no query is running on it.
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const failing = db.tutorTransaction(ada, async (tx) => {
      await terminate(tx);
      await tx.selectFrom('tutors').select('name').execute();
    });
    const failure: unknown = await failing.catch((error: unknown) => error);
    expect(toAppError(failure)).toMatchObject({ code: 'unavailable' });
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test.each([
    [
      'a transaction',
      (database: Database) =>
        database.tutorTransaction(ada, (tx) => sql`select pg_backend_pid() as pid`.execute(tx)),
    ],
    [
      'a global statement',
      (database: Database) =>
        database.global.insertInto('rate_limits').values({ key: 'k', empty_at: now }).execute(),
    ],
  ])('F52 after a read-only server rejected %s, its connection is discarded', async (_, write) => {
    const single = new Database(
      { connectionString: urls.appUrl },
      { max: 1, onError: () => undefined },
    );
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(single.global)).rows[0]
        ?.pid;
    const before = await pid();
    expect(await pid()).toBe(before);
    // A demoted server rejects writes with 25006, as this setting of the session does.
    await sql`set default_transaction_read_only = on`.execute(single.global);
    const failure: unknown = await write(single).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '25006' });
    expect(toAppError(failure)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(await pid()).not.toBe(before);
    await write(single);
    await single.close();
  });

  test('throws the original error rather than that of the failed rollback', async () => {
    const failing = db.tutorTransaction(ada, async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: '57P01' });
  });

  test('the maintenance role bypasses row-level security', async () => {
    const maintenance = new pg.Client(urls.maintenanceUrl);
    await maintenance.connect();
    const { rows } = await maintenance.query('select name from tutors order by name');
    await maintenance.end();
    expect(rows).toEqual([{ name: 'Ada' }, { name: 'Ben' }]);
  });
});

describe('nextIdsForKind', () => {
  test('returns ids that start at 1 for each tutor and kind and have no gaps, even when requested concurrently', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, () =>
        db.tutorTransaction(ada, (tx) => nextIdsForKind(tx, ada, 'student', 2)),
      ),
    );
    expect(ids.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await db.tutorTransaction(ada, (tx) => nextIdsForKind(tx, ada, 'subject'))).toEqual([1]);
    expect(await db.tutorTransaction(ben, (tx) => nextIdsForKind(tx, ben, 'student'))).toEqual([1]);
  });
});
