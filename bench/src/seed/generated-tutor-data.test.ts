import { occurrences } from '@lessonbook/contract/recurrence';
import { expect, test } from 'vitest';
import {
  CONTACT_COUNT,
  chargesFor,
  countIncomplete,
  FEE,
  formatInstant,
  GENERATED_UNTIL,
  LESSONS,
  paymentIdFor,
  SESSIONS,
  SESSIONS_PER_TUTOR,
  statusOf,
  TODAY,
  tutorId,
} from './generated-tutor-data.ts';
import { hashNumbers, publicId, randomStream } from './random.ts';

test('each tutor has a thousand sessions with ids in chronological order', () => {
  expect(SESSIONS).toHaveLength(SESSIONS_PER_TUTOR);
  expect(SESSIONS.map((session) => session.id)).toEqual(SESSIONS.map((_, index) => index + 1));
  const dates = SESSIONS.map((session) => session.date);
  expect(dates).toEqual(dates.toSorted());
  expect(dates[0]?.slice(0, 4)).toBe('2021');
  expect(dates.at(-1)).toBe('2027-11-12');
});

test('an ongoing lesson has the sessions that the server would generate', () => {
  for (const lesson of LESSONS.filter((each) => each.isOngoing)) {
    const own = SESSIONS.filter((session) => session.lesson === lesson).map(({ date }) => date);
    expect(own).toEqual(occurrences('weekly', own[0] ?? '', GENERATED_UNTIL).slice(0, own.length));
    expect(own.filter((date) => date >= TODAY)).toHaveLength(52);
  }
});

test('two ongoing lessons are groups of three and six students', () => {
  const groups = LESSONS.filter(({ studentIds }) => studentIds.length > 1);
  expect(groups.map(({ studentIds }) => new Set(studentIds).size)).toEqual([3, 6]);
  expect(groups.every(({ isOngoing }) => isOngoing)).toBe(true);
});

test('the charges of a session add up to the fees of its students, and one student has two payers', () => {
  const charges = SESSIONS.flatMap((session) => {
    const own = chargesFor(0, session);
    const sum = own.reduce((total, { amount }) => total + amount, 0);
    expect([0, FEE * session.lesson.studentIds.length]).toContain(sum);
    return own;
  });
  const shares = new Set(charges.filter((each) => each.studentId === 1).map((each) => each.amount));
  expect(shares).toEqual(new Set([2100, 1400]));
  const others = charges.filter((each) => each.studentId > 1);
  expect(others.every(({ amount }) => amount === FEE)).toBe(true);
});

test('each family has one payment a month', () => {
  expect(paymentIdFor(1, SESSIONS[0]?.date ?? '')).toBe(1);
  expect(paymentIdFor(2, '2026-11-02')).toBe(paymentIdFor(2, '2026-11-30'));
  expect(paymentIdFor(1, '2026-12-01')).toBe(paymentIdFor(1, '2026-11-30') + CONTACT_COUNT);
});

test('no two sessions of a tutor start at the same time', () => {
  const starts = SESSIONS.map((session) => `${session.date} ${session.lesson.hour}`);
  expect(new Set(starts).size).toBe(starts.length);
});

test('most past sessions are completed, a few are still scheduled, and one charge in twenty is unpaid', () => {
  const past = SESSIONS.filter((session) => session.isPast);
  let completed = 0;
  let charges = 0;
  let unpaid = 0;
  for (let tutor = 0; tutor < 200; tutor += 1) {
    const incomplete = past.filter((session) => statusOf(tutor, session) === 'scheduled');
    expect(incomplete).toHaveLength(countIncomplete(tutor));
    const completedSessions = past.filter((session) => statusOf(tutor, session) === 'completed');
    completed += completedSessions.length;
    const planned = completedSessions.flatMap((session) => chargesFor(tutor, session));
    charges += planned.length;
    unpaid += planned.filter(({ isPaid }) => !isPaid).length;
  }
  expect(completed / (past.length * 200)).toBeCloseTo(0.925, 2);
  expect(unpaid / charges).toBeCloseTo(0.05, 2);
});

test('random values are deterministic', () => {
  expect(hashNumbers(1, 2, 3)).toBe(hashNumbers(1, 2, 3));
  expect([hashNumbers(1, 2, 3), hashNumbers(3, 2, 1), hashNumbers(0)]).toEqual([
    2901138804, 1950153599, 493009611,
  ]);
  expect(publicId(1, 2, 3)).toMatch(/^[\w-]{32}$/);
  expect(publicId(1, 2, 3)).not.toBe(publicId(1, 3, 2));
  const [a, b] = [randomStream(7), randomStream(7)];
  expect([a(), a()]).toEqual([b(), b()]);
});

test('formatInstant uses the London UTC offset in summer and in winter', () => {
  expect(formatInstant('2026-03-28', '16:00')).toBe('2026-03-28 16:00:00+00');
  expect(formatInstant('2026-03-29', '16:00')).toBe('2026-03-29 16:00:00+01');
  expect(formatInstant('2026-10-24', '16:00')).toBe('2026-10-24 16:00:00+01');
  expect(formatInstant('2026-10-25', '16:00')).toBe('2026-10-25 16:00:00+00');
});

test('tutor ids are UUIDv7 and sort by tutor number', () => {
  const ids = Array.from({ length: 100 }, (_, tutor) => tutorId(tutor));
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids)
    expect(id).toMatch(/^017d[\da-f]{4}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});
