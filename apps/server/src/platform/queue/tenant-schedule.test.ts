import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/test-app.ts';
import { Database } from '../db/database.ts';
import { uuidV7 } from '../db/uuid.ts';
import { claimDueTutors, completeWork, scheduleWork } from './tenant-schedule.ts';

let db: Database;
const now = new Date('2026-11-16T12:00:00Z');
const later = new Date('2026-11-16T12:10:00Z');
const tutors = Array.from({ length: 40 }, () => uuidV7(now));

beforeAll(async () => {
  const urls = await createTestDatabase();
  db = new Database({ connectionString: urls.appUrl }, { max: 8, onError: () => undefined });
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
      await scheduleWork(tx, tutorId, 'test', now);
    });
  }
});
afterAll(() => db.close());

const claim = (at: Date, limit = 100) =>
  db.globalTransaction((tx) => claimDueTutors(tx, 'test', at, limit));

test('four concurrent workers claim different tutors', async () => {
  const claims = await Promise.all([
    claim(now, 10),
    claim(now, 10),
    claim(now, 10),
    claim(now, 10),
  ]);
  const claimed = claims.flat();
  expect(new Set(claimed).size).toBe(claimed.length);
  const rest = await claim(now);
  expect([...claimed, ...rest].toSorted()).toEqual(tutors.toSorted());
});

test('work that was claimed but not completed is due again after the claim expires', async () => {
  expect(await claim(now)).toEqual([]);
  expect(await claim(later)).toHaveLength(40);
});

test('completeWork sets the next due time or removes the tutor, and scheduleWork keeps the earlier time', async () => {
  const [first = '', second = ''] = tutors;
  await db.globalTransaction(async (tx) => {
    await completeWork(tx, first, 'test', null);
    await completeWork(tx, second, 'test', new Date('2026-12-01T00:00:00Z'));
    await scheduleWork(tx, second, 'test', new Date('2026-11-20T00:00:00Z'));
    await scheduleWork(tx, second, 'test', new Date('2026-11-25T00:00:00Z'));
  });
  expect(await claim(new Date('2026-11-19T00:00:00Z'))).toHaveLength(38);
  expect(await claim(new Date('2026-11-20T00:00:01Z'))).toContain(second);
});
