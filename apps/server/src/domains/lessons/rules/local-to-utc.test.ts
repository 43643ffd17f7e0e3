import { describe, expect, test } from 'vitest';
import { toInstants } from './local-to-utc.ts';

const instants = (zone: string, date: string, startTime: string, endTime: string) => {
  const { startsAt, endsAt } = toInstants(zone, { date, startTime, endTime });
  return [startsAt.toISOString().slice(0, 16), endsAt.toISOString().slice(0, 16)];
};

describe('toInstants', () => {
  test.each([
    ['Europe/London', '2026-11-17', '2026-11-17T16:00', '2026-11-17T17:00'],
    ['Europe/London', '2027-07-06', '2027-07-06T15:00', '2027-07-06T16:00'],
    ['Asia/Kolkata', '2026-11-17', '2026-11-17T10:30', '2026-11-17T11:30'],
    ['America/Los_Angeles', '2026-11-17', '2026-11-18T00:00', '2026-11-18T01:00'],
    ['Pacific/Auckland', '2026-11-17', '2026-11-17T03:00', '2026-11-17T04:00'],
    ['UTC', '2026-11-17', '2026-11-17T16:00', '2026-11-17T17:00'],
  ])('converts 16:00 in %s on %s', (zone, date, starts, ends) => {
    expect(instants(zone, date, '16:00', '17:00')).toEqual([starts, ends]);
  });

  test('a start time skipped by a clock change moves forward by the gap', () => {
    expect(instants('Europe/London', '2027-03-28', '01:30', '02:30')).toEqual([
      '2027-03-28T01:30',
      '2027-03-28T02:30',
    ]);
  });

  test('an ambiguous start time uses the first instant and keeps the duration', () => {
    expect(instants('Europe/London', '2027-10-31', '01:30', '02:30')).toEqual([
      '2027-10-31T00:30',
      '2027-10-31T01:30',
    ]);
  });

  test('a lesson across a clock change keeps its local duration', () => {
    expect(instants('Europe/London', '2027-03-28', '00:30', '02:30')).toEqual([
      '2027-03-28T00:30',
      '2027-03-28T02:30',
    ]);
  });
});
