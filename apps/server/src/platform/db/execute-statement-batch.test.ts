import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/test-app.ts';
import { Database, pgClientOf, queryFromSql, type Tx } from './database.ts';
import { executeBatch } from './execute-statement-batch.ts';
import { uuidV7 } from './uuid.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const ada = uuidV7(now);

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database({ connectionString: urls.appUrl }, { max: 2, onError: () => undefined });
  await db.newTutorTransaction(ada, (tx) =>
    tx
      .insertInto('tutors')
      .values({
        tutor_id: ada,
        public_id: 'p',
        name: 'Ada',
        time_zone: 'UTC',
        trial_ends_at: now,
        created_at: now,
      })
      .execute(),
  );
});
afterAll(() => db.close());

const names = (tx: Tx) => tx.selectFrom('tutors').select('name');
const rename = (tx: Tx, name: string) => tx.updateTable('tutors').set({ name });
const readNames = async () => (await db.tutorRead(ada, (tx) => [names(tx)]))[0];

/** Counts the writes to the connection's socket while `work` runs. */
async function countWrites(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  const { stream } = (pgClientOf(tx) as pg.PoolClient).connection as unknown as {
    stream: { _writev?: unknown; _write: unknown };
  };
  let writes = 0;
  const original = { _write: stream._write, _writev: stream._writev };
  const countCalls = (write: unknown) =>
    function (this: unknown, ...args: unknown[]) {
      writes += 1;
      return (write as (...passed: unknown[]) => unknown).apply(this, args);
    };
  stream._write = countCalls(original._write);
  if (original._writev) stream._writev = countCalls(original._writev);
  try {
    await work();
  } finally {
    Object.assign(stream, original);
  }
  return writes;
}

describe('executeBatch', () => {
  test('runs the statements in list order, and each sees the changes made by earlier ones', async () => {
    const seen = await db.tutorTransaction(ada, (tx) =>
      executeBatch(tx, [
        names(tx),
        rename(tx, 'Grace'),
        queryFromSql(tx, sql<{ name: string }>`select name from tutors`),
        rename(tx, 'Ada'),
        names(tx),
      ]),
    );
    expect(seen).toEqual([[{ name: 'Ada' }], [], [{ name: 'Grace' }], [], [{ name: 'Ada' }]]);
  });

  test('sends all statements in one write to the socket', async () => {
    const writes = await db.tutorTransaction(ada, async (tx) => {
      await names(tx).execute();
      return countWrites(tx, () =>
        executeBatch(tx, [names(tx), rename(tx, 'Grace'), names(tx), rename(tx, 'Ada')]),
      );
    });
    expect(writes).toBe(1);
  });

  test('returns no rows for a null entry', async () => {
    const [none, rows] = await db.tutorTransaction(ada, (tx) =>
      executeBatch(tx, [null, names(tx)]),
    );
    expect([none, rows]).toEqual([[], [{ name: 'Ada' }]]);
  });

  test('throws the error that caused the other failures, and changes nothing', async () => {
    const failing = db.tutorTransaction(ada, (tx) =>
      executeBatch(tx, [
        rename(tx, 'Half'),
        queryFromSql(tx, sql`select 1 / 0`),
        names(tx),
        rename(tx, 'Whole'),
      ]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await readNames()).toEqual([{ name: 'Ada' }]);
  });

  test('sends nothing if a statement cannot be built', async () => {
    const broken = {
      compile: () => {
        throw new Error('cannot be built');
      },
    };
    await db.tutorTransaction(ada, async (tx) => {
      const batch = executeBatch(tx, [rename(tx, 'Half'), broken as never]);
      await expect(batch).rejects.toThrow('cannot be built');
      expect(await names(tx).execute()).toEqual([{ name: 'Ada' }]);
    });
  });
});

describe('statements started at the same time', () => {
  const concurrentCases: [string, (tx: Tx) => Promise<unknown>[]][] = [
    ['two statements', (tx) => [names(tx).execute(), rename(tx, 'Half').execute()]],
    [
      'a statement and a batch',
      (tx) => [rename(tx, 'Half').execute(), executeBatch(tx, [names(tx)])],
    ],
    [
      'two batches',
      (tx) => [executeBatch(tx, [rename(tx, 'Half')]), executeBatch(tx, [names(tx)])],
    ],
  ];
  test.each(concurrentCases)(
    '%s are rejected, because their order would be undefined',
    async (_, start) => {
      const failing = db.tutorTransaction(ada, async (tx) => {
        const outcomes = await Promise.allSettled(start(tx));
        const refused = outcomes.find((outcome) => outcome.status === 'rejected');
        throw refused?.reason ?? new Error('both were accepted');
      });
      await expect(failing).rejects.toThrow('use executeBatch');
      expect(await readNames()).toEqual([{ name: 'Ada' }]);
    },
  );

  test('statements of different transactions run at the same time', async () => {
    const read = () => db.tutorSnapshot(ada, (tx) => names(tx).execute());
    expect(await Promise.all([read(), read()])).toHaveLength(2);
  });
});
