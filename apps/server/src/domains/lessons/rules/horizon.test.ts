import { expect, test } from 'vitest';
import { horizonOf, lastDay } from './horizon.ts';

test.each([
  ['2026-11-16', '2027-11-16'],
  ['2027-02-28', '2028-02-28'],
  ['2028-02-29', '2029-02-28'],
])('seen on %s, sessions are written down up to %s', (today, horizon) => {
  expect(horizonOf(today)).toBe(horizon);
});

test('a lesson is written down to its end, or to the horizon if it goes on beyond', () => {
  expect(lastDay(null, '2027-11-16')).toBe('2027-11-16');
  expect(lastDay('2027-11-15', '2027-11-16')).toBe('2027-11-15');
  expect(lastDay('2027-11-16', '2027-11-16')).toBe('2027-11-16');
  expect(lastDay('2027-11-17', '2027-11-16')).toBe('2027-11-16');
});
