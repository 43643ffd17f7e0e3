import { expect, test } from 'vitest';
import { backoffDelay, throttleDelay } from './throttle-and-backoff.ts';
import { toLocalSlot } from './to-local-slot.ts';

const at = (text: string) => new Date(text);

test('where the wall of the tutor has it', () => {
  const place = toLocalSlot(
    'America/New_York',
    at('2026-11-17T21:00:00Z'),
    at('2026-11-17T22:30:59Z'),
  );
  expect(place).toEqual({ date: '2026-11-17', startTime: '16:00', endTime: '17:30' });
});

test.each([
  ['a whole day', null, null],
  ['past midnight', at('2026-11-17T23:30:00Z'), at('2026-11-18T00:30:00Z')],
  ['no time at all', at('2026-11-17T10:00:00Z'), at('2026-11-17T10:00:30Z')],
])('%s is nothing a lesson can be', (_name, start, end) => {
  expect(toLocalSlot('Europe/London', start, end)).toBeNull();
});

test('a few requests need no rest, many are spread over the minute', () => {
  expect(throttleDelay(20, 0)).toBe(0);
  expect(throttleDelay(60, 500)).toBe(7_000);
  expect(throttleDelay(60, 60_000)).toBe(0);
});

test('waits grow, but not beyond a quarter of an hour', () => {
  expect([0, 1, 2].map((failures) => backoffDelay(failures, false))).toEqual([
    5_000, 10_000, 20_000,
  ]);
  expect(backoffDelay(0, true)).toBe(20_000);
  expect(backoffDelay(99, true)).toBe(900_000);
});
