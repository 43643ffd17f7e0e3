import { waitUntil } from '@lessonbook/test-env/wait-until';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseUrls } from '../../provision-database.ts';
import { createTestDatabase } from '../../test/test-app.ts';
import { uuidV7 } from '../crypto/tokens.ts';
import { toAppError } from '../http/error-handler.ts';
import { Database, type Tx } from './database.ts';
import { nextIds } from './id-sequence.ts';
import { pipelineAll } from './pipeline.ts';

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
  db = new Database(urls.appUrl, { max: 8, onError: () => undefined });
  await db.newTutorTransaction(ada, (tx) => insert(tx, ada, 'Ada'));
  await db.newTutorTransaction(ben, (tx) => insert(tx, ben, 'Ben'));
});
afterAll(() => db.close());

describe('a tenant transaction', () => {
  test("[V8.4.1] sees the tutor's own rows only, without any condition in the query", async () => {
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
    const written = await db.tutorTransaction(ben, (tx) =>
      tx.selectFrom('tutors').select('name').execute(),
    );
    expect(written).toEqual([{ name: 'Ben' }]);
  });

  test("changes none of another tutor's rows and adds none", async () => {
    await db.tutorTransaction(ben, (tx) =>
      tx.updateTable('tutors').set({ name: 'Stolen' }).where('tutor_id', '=', ada).execute(),
    );
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
    await expect(
      db.tutorTransaction(ben, (tx) => insert(tx, uuidV7(now), 'Planted')),
    ).rejects.toThrow(/row-level security/);
  });

  test('[V16.5.3] outside of one, tenant tables fail closed, also on a connection that served a tutor before', async () => {
    await expect(db.global.selectFrom('tutors').select('name').execute()).rejects.toThrow();
    await expect(
      db.globalTransaction((tx) => tx.selectFrom('tutors').select('name').execute()),
    ).rejects.toThrow();
  });

  test('a failed statement fails the transaction even when the caller swallows its error', async () => {
    const swallowed = db.tutorTransaction(ada, async (tx) => {
      await tx.updateTable('tutors').set({ name: 'Half' }).execute();
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow(/rolled back/);
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test('a failed read says what failed and leaves the connection usable', async () => {
    const broken = db.tutorRead(ada, () => [sql`select 1 / 0`.$castTo<unknown>() as never]);
    await expect(broken).rejects.toThrow(/division by zero|compile/);
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toHaveLength(1);
  });

  test('[V2.3.3] an error in the work rolls everything back and is the error that is thrown', async () => {
    const failing = db.tutorTransaction(ada, async (tx) => {
      await tx.updateTable('tutors').set({ name: 'Half' }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test('sends in one round trip what is sent together, in order; each sees what those before it did', async () => {
    const seen = await db.tutorTransaction(ada, async (tx) => {
      const name = () => tx.selectFrom('tutors').select('name').execute();
      const rename = (to: string) => tx.updateTable('tutors').set({ name: to }).execute();
      const [before, , between, , after] = await pipelineAll([
        name(),
        rename('Grace'),
        sql<{ name: string }>`select name from tutors`.execute(tx),
        rename('Ada'),
        name(),
      ]);
      return [before, between.rows, after];
    });
    expect(seen).toEqual([[{ name: 'Ada' }], [{ name: 'Grace' }], [{ name: 'Ada' }]]);
  });

  test('what is sent together fails with the cause, wherever in the list it stands', async () => {
    const deep = async (tx: Tx) => (await sql`select 1 / 0`.execute(tx)).rows.at(0);
    const failing = db.tutorTransaction(ada, (tx) =>
      pipelineAll([
        deep(tx),
        tx.selectFrom('tutors').select('name').execute(),
        tx.updateTable('tutors').set({ name: 'Half' }).execute(),
      ]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test('of a tutor who does not exist is refused', async () => {
    await expect(db.tutorTransaction(uuidV7(now), async () => 1)).rejects.toThrow('No such tutor');
  });

  test("two changes of one tutor's book run one after the other; those of two tutors side by side", async () => {
    const order: string[] = [];
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = db.tutorTransaction(ada, async (tx) => {
      await tx.selectFrom('tutors').select('name').execute();
      order.push('ada begins');
      begin();
      await hold;
      order.push('ada ends');
    });
    await begun;
    await db.tutorTransaction(ben, async () => void order.push('ben'));
    const second = db.tutorTransaction(ada, async (tx) => {
      await tx.selectFrom('tutors').select('name').execute();
      order.push('ada again');
    });
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['ada begins', 'ben', 'ada ends', 'ada again']);
  });

  test('a deadlock is tried again and never seen by the caller', async () => {
    const cross = (first: string, second: string) =>
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
    await expect(Promise.all([cross('a', 'b'), cross('b', 'a')])).resolves.toBeDefined();
  });

  test('a connection that dies under it ends nobody, and the caller hears that the database was away', async () => {
    const end = async (tx: Tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await db.globalTransaction((other) =>
        sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other),
      );
      const left = sql<{
        pid: number;
      }>`select pid from pg_stat_activity where pid = ${rows[0]?.pid}`;
      await waitUntil(
        async () => (await db.globalTransaction((other) => left.execute(other))).rows.length === 0,
        () => 'the connection is still there',
      );
      // No query runs on the connection when its end is noticed.
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const dead = db.tutorTransaction(ada, async (tx) => {
      await end(tx);
      await tx.selectFrom('tutors').select('name').execute();
    });
    const problem: unknown = await dead.catch((error: unknown) => error);
    expect(toAppError(problem)).toMatchObject({ code: 'unavailable' });
    const [rows] = await db.tutorRead(ada, (tx) => [tx.selectFrom('tutors').select('name')]);
    expect(rows).toEqual([{ name: 'Ada' }]);
  });

  test('what a transaction died of is not hidden by the rollback that cannot be sent', async () => {
    const ended = db.tutorTransaction(ada, async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await expect(ended).rejects.toMatchObject({ code: '57P01' });
  });

  test('the maintenance role reads past the policies', async () => {
    const maintenance = new pg.Client(urls.maintenanceUrl);
    await maintenance.connect();
    const { rows } = await maintenance.query('select name from tutors order by name');
    await maintenance.end();
    expect(rows).toEqual([{ name: 'Ada' }, { name: 'Ben' }]);
  });
});

describe('counted ids', () => {
  test('start at 1 for each tutor and kind, without gaps, also when taken at once', async () => {
    const taken = await Promise.all(
      Array.from({ length: 5 }, () =>
        db.tutorTransaction(ada, (tx) => nextIds(tx, ada, 'student', 2)),
      ),
    );
    expect(taken.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await db.tutorTransaction(ada, (tx) => nextIds(tx, ada, 'subject'))).toEqual([1]);
    expect(await db.tutorTransaction(ben, (tx) => nextIds(tx, ben, 'student'))).toEqual([1]);
  });
});
