import { expect, test } from 'vitest';
import { isLastSeenStale, portalLoginExpiry, toCode } from './sign-in.ts';

test('a code has six digits, even if the number is small', () => {
  expect(toCode(Buffer.from([0, 0, 0, 0, 0, 7, 255]))).toBe('000007');
  // 2^48 - 1 is 281474976710655.
  expect(toCode(Buffer.alloc(6, 255))).toBe('710655');
});

test('a login lasts 30 days, and half a day on a shared device', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  expect(portalLoginExpiry(false, now).toISOString()).toBe('2026-12-16T12:00:00.000Z');
  expect(portalLoginExpiry(true, now).toISOString()).toBe('2026-11-17T00:00:00.000Z');
});

test('the last visit is updated at most every ten minutes', () => {
  const lastSeen = new Date('2026-11-16T12:00:00Z');
  expect(isLastSeenStale(lastSeen, new Date('2026-11-16T12:10:00Z'))).toBe(false);
  expect(isLastSeenStale(lastSeen, new Date('2026-11-16T12:10:01Z'))).toBe(true);
});
