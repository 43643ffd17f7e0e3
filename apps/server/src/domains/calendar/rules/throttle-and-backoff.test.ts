import { expect, test } from 'vitest';
import { backoffDelay, throttleDelay } from './throttle-and-backoff.ts';

test('does not throttle a few requests, but spreads many over the minute', () => {
  expect(throttleDelay(20, 0)).toBe(0);
  expect(throttleDelay(60, 500)).toBe(7_000);
  expect(throttleDelay(60, 60_000)).toBe(0);
});

test('doubles the backoff up to 15 minutes', () => {
  expect([0, 1, 2].map((failures) => backoffDelay(failures, false))).toEqual([
    5_000, 10_000, 20_000,
  ]);
  expect(backoffDelay(0, true)).toBe(20_000);
  expect(backoffDelay(99, true)).toBe(900_000);
});
