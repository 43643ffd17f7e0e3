import { describe, expect, test } from 'vitest';
import { add24HourDays, dateInZone, isTimeZone } from './time.ts';
import { toInstantInBrowser } from './to-instant-without-temporal.ts';
import { trialDaysLeft } from './trial-days-left.ts';

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

describe('toInstantInBrowser', () => {
  test.each([
    ['Europe/London', '2026-11-27', '17:00', '2026-11-27T17:00:00.000Z'],
    ['Europe/London', '2026-06-27', '17:00', '2026-06-27T16:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-27', '00:15', '2026-11-26T18:45:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-27', '23:59', '2026-11-27T09:59:00.000Z'],
    ['America/New_York', '2026-11-27', '17:00:00', '2026-11-27T22:00:00.000Z'],
    // The days of the clock changes, before, during and after them.
    ['Europe/London', '2026-03-29', '00:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/London', '2026-03-29', '01:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/London', '2026-03-29', '02:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/London', '2026-10-25', '00:30', '2026-10-24T23:30:00.000Z'],
    ['Europe/London', '2026-10-25', '01:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/London', '2026-10-25', '02:00', '2026-10-25T02:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00.000Z'],
  ])('in %s, %s %s is %s', (zone, date, time, instant) => {
    expect(toInstantInBrowser(zone, date, time).toISOString()).toBe(instant);
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
  const ends = add24HourDays(signedUp, 14);

  test('counts down to zero and does not become negative', () => {
    expect(trialDaysLeft(ends, signedUp)).toBe(14);
    expect(trialDaysLeft(ends, add24HourDays(signedUp, 13.5))).toBe(1);
    expect(trialDaysLeft(ends, ends)).toBe(0);
    expect(trialDaysLeft(ends, add24HourDays(ends, 100))).toBe(0);
  });
});
