import { describe, expect, test } from 'vitest';
import { toInstants } from './local-to-utc.ts';

const instants = (zone: string, date: string, startTime: string, endTime: string) => {
  const { startsAt, endsAt } = toInstants(zone, { date, startTime, endTime });
  return [startsAt.toISOString().slice(0, 16), endsAt.toISOString().slice(0, 16)];
};

describe('when a lesson on the wall really is', () => {
  test.each([
    ['Europe/London', '2026-11-17', '2026-11-17T16:00', '2026-11-17T17:00'],
    ['Europe/London', '2027-07-06', '2027-07-06T15:00', '2027-07-06T16:00'],
    ['Asia/Kolkata', '2026-11-17', '2026-11-17T10:30', '2026-11-17T11:30'],
    ['America/Los_Angeles', '2026-11-17', '2026-11-18T00:00', '2026-11-18T01:00'],
    ['Pacific/Auckland', '2026-11-17', '2026-11-17T03:00', '2026-11-17T04:00'],
    ['UTC', '2026-11-17', '2026-11-17T16:00', '2026-11-17T17:00'],
  ])('16:00 in %s on %s', (zone, date, starts, ends) => {
    expect(instants(zone, date, '16:00', '17:00')).toEqual([starts, ends]);
  });

  test('a start that the night of the clock change leaves out moves forward by the gap', () => {
    expect(instants('Europe/London', '2027-03-28', '01:30', '02:30')).toEqual([
      '2027-03-28T01:30',
      '2027-03-28T02:30',
    ]);
  });

  test('a start that comes twice takes the first, and the lesson grows by nothing', () => {
    expect(instants('Europe/London', '2027-10-31', '01:30', '02:30')).toEqual([
      '2027-10-31T00:30',
      '2027-10-31T01:30',
    ]);
  });

  test('a lesson across the change lasts as long as on the wall', () => {
    expect(instants('Europe/London', '2027-03-28', '00:30', '02:30')).toEqual([
      '2027-03-28T00:30',
      '2027-03-28T02:30',
    ]);
  });
});
