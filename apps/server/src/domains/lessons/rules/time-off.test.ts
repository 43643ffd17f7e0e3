import { expect, test } from 'vitest';
import { coversSession } from './time-off.ts';

const week = { fromDate: '2026-12-21', toDate: '2026-12-25', startTime: null, endTime: null };
const mornings = { ...week, startTime: '09:00', endTime: '12:00' };
const at = (date: string, startTime = '16:00', endTime = '17:00') => ({ date, startTime, endTime });

test.each(['2026-12-21', '2026-12-23', '2026-12-25'])('time off covers %s', (date) => {
  expect(coversSession(week, at(date))).toBe(true);
});

test.each(['2026-12-20', '2026-12-26', '2027-12-23'])('time off does not cover %s', (date) => {
  expect(coversSession(week, at(date))).toBe(false);
});

test.each([
  ['09:00', '10:00', true],
  ['08:30', '09:01', true],
  ['11:59', '13:00', true],
  ['08:00', '13:00', true],
  ['08:00', '09:00', false],
  ['12:00', '13:00', false],
])('time off in the mornings covers a lesson from %s to %s: %s', (start, end, covered) => {
  expect(coversSession(mornings, at('2026-12-22', start, end))).toBe(covered);
});
