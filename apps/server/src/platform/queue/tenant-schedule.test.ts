import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/test-app.ts';
import { uuidV7 } from '../crypto/tokens.ts';
import { Database } from '../db/database.ts';
import { claimDue, completeWork, scheduleWork } from './tenant-schedule.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const later = new Date('2026-11-16T12:10:00Z');
const tutors = Array.from({ length: 40 }, () => uuidV7(now));

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database(urls.appUrl, { max: 8, onError: () => undefined });
  for (const tutorId of tutors) {
    await db.newTutorTransaction(tutorId, async (tx) => {
      await tx
        .insertInto('tutors')
        .values({
          tutor_id: tutorId,
          public_id: 'p',
          name: 'Ada',
          time_zone: 'UTC',
          trial_ends_at: now,
          created_at: now,
        })
        .execute();
      await scheduleWork(tx, tutorId, 'rehearsal', now);
    });
  }
});
afterAll(() => db.close());

const claim = (at: Date, atMost = 100) =>
  db.globalTransaction((tx) => claimDue(tx, 'rehearsal', at, atMost));

test('four workers at once share the due tutors and no tutor is given to two', async () => {
  const shares = await Promise.all([
    claim(now, 10),
    claim(now, 10),
    claim(now, 10),
    claim(now, 10),
  ]);
  const all = shares.flat();
  expect(new Set(all).size).toBe(all.length);
  const rest = await claim(now);
  expect([...all, ...rest].toSorted()).toEqual(tutors.toSorted());
});

test('what was claimed and never settled comes up again after the claim has run out', async () => {
  expect(await claim(now)).toEqual([]);
  expect(await claim(later)).toHaveLength(40);
});

test('settling sets the next time or takes the tutor off; the earlier of two wishes counts', async () => {
  const [first = '', second = ''] = tutors;
  await db.globalTransaction(async (tx) => {
    await completeWork(tx, first, 'rehearsal', null);
    await completeWork(tx, second, 'rehearsal', new Date('2026-12-01T00:00:00Z'));
    await scheduleWork(tx, second, 'rehearsal', new Date('2026-11-20T00:00:00Z'));
    await scheduleWork(tx, second, 'rehearsal', new Date('2026-11-25T00:00:00Z'));
  });
  expect(await claim(new Date('2026-11-19T00:00:00Z'))).toHaveLength(38);
  expect(await claim(new Date('2026-11-20T00:00:01Z'))).toContain(second);
});
