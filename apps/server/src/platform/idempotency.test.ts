import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/test-app.ts';
import { AppError } from './app-error.ts';
import { Database } from './db/database.ts';
import { nextIdsForKind } from './db/tutor-scoped-ids.ts';
import { uuidV7 } from './db/uuid.ts';
import { createIdempotencyKey, type IdempotencyKey, withIdempotency } from './idempotency.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const [ada, ben] = [uuidV7(now), uuidV7(now)];

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database({ connectionString: urls.appUrl }, { max: 8, onError: () => undefined });
  for (const tutorId of [ada, ben])
    await db.newTutorTransaction(tutorId, (tx) =>
      tx
        .insertInto('tutors')
        .values({
          tutor_id: tutorId,
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

/** Takes the tutor's next id of this kind, as an example of work that must not run twice. */
const takeNextId = (
  tutorId: string,
  request: IdempotencyKey | null,
  kind: string,
): Promise<number> =>
  db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(
      tx,
      tutorId,
      request,
      now,
      async () => (await nextIdsForKind(tx, tutorId, kind))[0] as number,
    ),
  );
const newKey = (key: string, body: unknown = { a: 1 }, endpoint = 'POST /api/things') =>
  createIdempotencyKey(key, endpoint, body);

describe('a request with a key', () => {
  test('runs once, and repeats return the first reply', async () => {
    const replies = [];
    for (let attempt = 0; attempt < 3; attempt++)
      replies.push(await takeNextId(ada, newKey('key-once'), 'once'));
    expect(replies).toEqual([1, 1, 1]);
    expect(await takeNextId(ada, newKey('key-other'), 'once')).toBe(2);
  });

  test('runs once if duplicates arrive concurrently', async () => {
    const copies = Array.from({ length: 8 }, () =>
      takeNextId(ada, newKey('key-at-once'), 'at-once'),
    );
    expect(new Set(await Promise.all(copies))).toEqual(new Set([1]));
    expect(await takeNextId(ada, null, 'at-once')).toBe(2);
  });

  test.each([
    ['a different body', newKey('key-reused', { a: 2 })],
    ['a different endpoint', newKey('key-reused', { a: 1 }, 'PUT /api/things')],
  ])('is rejected if its key was used for %s', async (_, second) => {
    await takeNextId(ada, newKey('key-reused'), 'reused');
    await expect(takeNextId(ada, second, 'reused')).rejects.toMatchObject({
      code: 'conflict',
      message: 'This key was used for another request.',
    });
  });

  test('does not use up its key if it fails with an AppError', async () => {
    const rejected = db.tutorTransaction(ada, (tx) =>
      withIdempotency(tx, ada, newKey('key-refused'), now, async () => {
        await nextIdsForKind(tx, ada, 'refused');
        throw new AppError('overlap', 'This overlaps.');
      }),
    );
    await expect(rejected).rejects.toMatchObject({ code: 'overlap' });
    expect(await takeNextId(ada, newKey('key-refused'), 'refused')).toBe(1);
  });

  test('does not use up its key if the transaction fails after the work', async () => {
    const failed = db.tutorTransaction(ada, async (tx) => {
      await withIdempotency(tx, ada, newKey('key-failed'), now, () =>
        nextIdsForKind(tx, ada, 'failed'),
      );
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await takeNextId(ada, newKey('key-failed'), 'failed')).toBe(1);
  });

  test("is independent of another tutor's request with the same key", async () => {
    expect(await takeNextId(ada, newKey('key-shared'), 'shared')).toBe(1);
    expect(await takeNextId(ada, null, 'shared')).toBe(2);
    expect(await takeNextId(ben, newKey('key-shared', { b: 2 }), 'shared')).toBe(1);
  });

  test('returns the stored reply unchanged', async () => {
    const reply = { id: 7, name: 'Zoë "Z"', list: [1, null, { deep: true }] };
    const send = () =>
      db.tutorTransaction(ada, (tx) =>
        withIdempotency(tx, ada, newKey('key-whole'), now, async () => reply),
      );
    expect(await send()).toEqual(reply);
    expect(await send()).toEqual(reply);
  });
});

test('a request without a key runs every time', async () => {
  expect([await takeNextId(ada, null, 'keyless'), await takeNextId(ada, null, 'keyless')]).toEqual([
    1, 2,
  ]);
});
