import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/test-app.ts';
import { AppError } from './app-error.ts';
import { uuidV7 } from './crypto/tokens.ts';
import { Database } from './db/database.ts';
import { nextIds } from './db/id-sequence.ts';
import { createIdempotencyKey, type IdempotencyKey, withIdempotency } from './idempotency.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const [ada, ben] = [uuidV7(now), uuidV7(now)];

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database(urls.appUrl, { max: 8, onError: () => undefined });
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

/** Something that must not happen twice: it takes the tutor's next number of that kind. */
const count = (tutorId: string, request: IdempotencyKey | null, kind: string): Promise<number> =>
  db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(
      tx,
      tutorId,
      request,
      now,
      async () => (await nextIds(tx, tutorId, kind))[0] as number,
    ),
  );
const keyed = (key: string, body: unknown = { a: 1 }, endpoint = 'POST /api/things') =>
  createIdempotencyKey(key, endpoint, body);

describe('a request with a key', () => {
  test('is done once, however often it comes, and answered as the first time', async () => {
    const answers = [];
    for (let copy = 0; copy < 3; copy++) answers.push(await count(ada, keyed('key-once'), 'once'));
    expect(answers).toEqual([1, 1, 1]);
    expect(await count(ada, keyed('key-other'), 'once')).toBe(2);
  });

  test('is done once when its copies come at the same moment', async () => {
    const copies = Array.from({ length: 8 }, () => count(ada, keyed('key-at-once'), 'at-once'));
    expect(new Set(await Promise.all(copies))).toEqual(new Set([1]));
    expect(await count(ada, null, 'at-once')).toBe(2);
  });

  test.each([
    ['another body', keyed('key-reused', { a: 2 })],
    ['another endpoint', keyed('key-reused', { a: 1 }, 'PUT /api/things')],
  ])('is refused for %s', async (_, second) => {
    await count(ada, keyed('key-reused'), 'reused');
    await expect(count(ada, second, 'reused')).rejects.toMatchObject({
      code: 'conflict',
      message: 'This key was used for another request.',
    });
  });

  test('that was refused has not spent its key', async () => {
    const refused = db.tutorTransaction(ada, (tx) =>
      withIdempotency(tx, ada, keyed('key-refused'), now, async () => {
        await nextIds(tx, ada, 'refused');
        throw new AppError('overlap', 'This overlaps.');
      }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'overlap' });
    expect(await count(ada, keyed('key-refused'), 'refused')).toBe(1);
  });

  test('whose transaction fails after the work has not spent it either', async () => {
    const failed = db.tutorTransaction(ada, async (tx) => {
      await withIdempotency(tx, ada, keyed('key-failed'), now, () => nextIds(tx, ada, 'failed'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await count(ada, keyed('key-failed'), 'failed')).toBe(1);
  });

  test('belongs to one tutor: the same key of another is another request', async () => {
    expect(await count(ada, keyed('key-shared'), 'shared')).toBe(1);
    expect(await count(ada, null, 'shared')).toBe(2);
    expect(await count(ben, keyed('key-shared', { b: 2 }), 'shared')).toBe(1);
  });

  test('gives back the whole answer, as it was', async () => {
    const answer = { id: 7, name: 'Zoë "Z"', list: [1, null, { deep: true }] };
    const ask = () =>
      db.tutorTransaction(ada, (tx) =>
        withIdempotency(tx, ada, keyed('key-whole'), now, async () => answer),
      );
    expect(await ask()).toEqual(answer);
    expect(await ask()).toEqual(answer);
  });
});

test('a request without a key is done each time', async () => {
  expect([await count(ada, null, 'keyless'), await count(ada, null, 'keyless')]).toEqual([1, 2]);
});
