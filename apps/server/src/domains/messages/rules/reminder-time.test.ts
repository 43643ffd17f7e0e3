import { expect, test } from 'vitest';
import { reminderTime } from './reminder-time.ts';

const lesson = (date: string, startTime: string, startsAt: string) => ({
  date,
  startTime,
  startsAt: new Date(startsAt),
});

test.each([
  [
    'Europe/London',
    '2026-11-17',
    '16:00',
    '2026-11-17T16:00:00Z',
    1440,
    '2026-11-16T16:00:00.000Z',
  ],
  // The clocks go back on 25 October, so 16:00 on the day before is in summer time.
  [
    'Europe/London',
    '2026-10-25',
    '16:00',
    '2026-10-25T16:00:00Z',
    1440,
    '2026-10-24T15:00:00.000Z',
  ],
  [
    'Europe/London',
    '2026-10-26',
    '09:00',
    '2026-10-26T09:00:00Z',
    2880,
    '2026-10-24T08:00:00.000Z',
  ],
  [
    'America/New_York',
    '2026-03-08',
    '10:00',
    '2026-03-08T14:00:00Z',
    1440,
    '2026-03-07T15:00:00.000Z',
  ],
  ['Europe/London', '2026-10-25', '03:00', '2026-10-25T03:00:00Z', 180, '2026-10-25T00:00:00.000Z'],
])('%s %s %s (%s), %i minutes before is %s', (zone, date, time, startsAt, lead, expected) => {
  expect(reminderTime(zone, lesson(date, time, startsAt), lead).toISOString()).toBe(expected);
});
