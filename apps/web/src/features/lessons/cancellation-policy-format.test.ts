import type { CancellationTier } from '@lessonbook/contract/cancellation-policy-settings';
import { expect, test } from 'vitest';
import {
  effectiveTiers,
  formatAfter,
  formatCostNow,
  formatFreeUntil,
  formatPolicy,
  formatPolicyShort,
  formatStart,
  formatUntil,
  isRedundant,
} from './cancellation-policy-format.ts';

/** A Sunday; the lesson of the examples is on Tuesday 17 November at 16:30. */
const today = '2026-11-15';
const hours = (noticeHours: number, feePercent: number): CancellationTier => ({
  noticeHours,
  dayBeforeTime: null,
  feePercent,
});
const after = (dayBeforeTime: string, feePercent: number): CancellationTier => ({
  noticeHours: null,
  dayBeforeTime,
  feePercent,
});

test.each([
  [[], 'Free'],
  [[hours(24, 0)], 'Free'],
  [[hours(24, 50)], '24 hours, 50%'],
  [[hours(1, 100)], '1 hour, 100%'],
  [[hours(24, 50), hours(12, 100)], '24 hours, 50%; 12 hours, 100%'],
  [[after('18:00', 100)], '6pm the day before, 100%'],
])('formats the short form of a policy: %j', (tiers, text) => {
  expect(formatPolicyShort({ tiers, freeLateCancellations: 0, illnessNote: null })).toBe(text);
});

test.each([
  [[hours(24, 0)], 'always free'],
  [
    [hours(24, 50), hours(12, 100)],
    '50% less than 24 hours before, 100% less than 12 hours before',
  ],
  [[after('18:00', 100)], '100% after 6pm the day before'],
])('formats a policy in words: %j', (tiers, text) => {
  expect(formatPolicy({ tiers, freeLateCancellations: 0, illnessNote: null })).toBe(text);
});

test('steps that cost no more than an earlier one are left out', () => {
  const [day, half, evening] = [hours(24, 50), hours(12, 100), after('18:00', 80)];
  expect(effectiveTiers([half, evening, day])).toEqual([day, evening, half]);
  expect(effectiveTiers([day, hours(12, 50), hours(48, 0)])).toEqual([day]);
  expect(effectiveTiers([hours(24, 100), day])).toEqual([hours(24, 100)]);
  expect(effectiveTiers([day, hours(24, 100)])).toEqual([hours(24, 100)]);
});

test('a step has no effect if an earlier one of the same kind costs as much', () => {
  expect(isRedundant(hours(12, 50), [hours(24, 50)])).toBe(true);
  expect(isRedundant(hours(12, 51), [hours(24, 50)])).toBe(false);
  expect(isRedundant(hours(24, 50), [hours(12, 100)])).toBe(false);
  expect(isRedundant(after('19:00', 50), [after('18:00', 60)])).toBe(true);
  // Which of these comes first depends on the time of the lesson.
  expect(isRedundant(hours(12, 50), [after('18:00', 100)])).toBe(false);
});

test('formats the limits of a step in words', () => {
  expect(formatUntil(hours(24, 50))).toBe('until 24 hours before');
  expect(formatAfter(hours(24, 50))).toBe('less than 24 hours before');
  expect(formatUntil(after('18:30', 50))).toBe('until 6:30pm the day before');
  expect(formatAfter(after('18:30', 50))).toBe('after 6:30pm the day before');
  expect(formatUntil(hours(0, 50))).toBe('until the lesson starts');
  expect(formatAfter(hours(0, 50))).toBe('after the lesson starts');
});

test.each([
  [hours(24, 50), 'Mon 4:30pm'],
  [hours(12, 50), 'Tue 4:30am'],
  [hours(17, 50), 'Mon 11:30pm'],
  [hours(0, 50), 'Tue 4:30pm'],
  [hours(167, 50), 'Tue 10 Nov, 5:30pm'],
  [hours(168, 50), 'Tue 10 Nov, 4:30pm'],
  [after('18:00', 50), 'Mon 6pm'],
])('formats how long the example lesson is free to cancel: %j', (tier, time) => {
  expect(formatFreeUntil(tier, today)).toBe(`Free to cancel until ${time}`);
});

test('formats the cost of cancelling the example lesson', () => {
  expect(formatCostNow(hours(24, 50), 0)).toBe('Cancelling now costs £19');
  expect(formatCostNow(hours(24, 50), 1)).toBe(
    'Cancelling now costs £19, or use your free late cancellation (1 left this term)',
  );
  expect(formatCostNow(hours(24, 25), 2)).toBe(
    'Cancelling now costs £9.50, or use one of your free late cancellations (2 left this term)',
  );
});

test('formats a start date in another year with the year', () => {
  expect(formatStart('2026-12-18', today)).toBe('18 December');
  expect(formatStart('2027-01-04', today)).toBe('4 January 2027');
});
