import { describe, expect, test } from 'vitest';
import { addDaysToInstant, dateInZone, isTimeZone } from './time.ts';
import { trialDaysLeft } from './trial.ts';

describe('dateInZone', () => {
  test.each([
    ['Europe/London', '2026-11-16T23:59:59Z', '2026-11-16'],
    ['Europe/London', '2026-06-16T23:00:00Z', '2026-06-17'],
    ['Pacific/Kiritimati', '2026-11-16T10:00:00Z', '2026-11-17'],
    ['Pacific/Pago_Pago', '2026-11-16T10:59:00Z', '2026-11-15'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
  ])('the date in %s at %s is %s', (zone, instant, date) => {
    expect(dateInZone(zone, new Date(instant))).toBe(date);
  });
});

describe('isTimeZone', () => {
  test('accepts IANA names', () => {
    expect(isTimeZone('Europe/London')).toBe(true);
    expect(isTimeZone('Asia/Kolkata')).toBe(true);
  });

  test.each(['', 'Mars/Olympus', '+01:00', 'Europe/London; drop table'])('rejects %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

describe('trialDaysLeft', () => {
  const signedUp = new Date('2026-11-16T12:00:00Z');
  const ends = addDaysToInstant(signedUp, 14);

  test('counts down to zero and stays there', () => {
    expect(trialDaysLeft(ends, signedUp)).toBe(14);
    expect(trialDaysLeft(ends, addDaysToInstant(signedUp, 13.5))).toBe(1);
    expect(trialDaysLeft(ends, ends)).toBe(0);
    expect(trialDaysLeft(ends, addDaysToInstant(ends, 100))).toBe(0);
  });
});
