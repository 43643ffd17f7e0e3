import { expect, test } from 'vitest';
import { isWithinSendingHours, nextMorning } from './sending-hours.ts';

test.each([
  ['Europe/London', '2026-11-16T09:59:00Z', false, '2026-11-16T10:00:00.000Z'],
  ['Europe/London', '2026-11-16T10:00:00Z', true, '2026-11-17T10:00:00.000Z'],
  ['Europe/London', '2026-11-16T20:00:00Z', false, '2026-11-17T10:00:00.000Z'],
  // The clocks go back overnight, so 10:00 local time is an hour later in UTC than the day before.
  ['Europe/London', '2026-10-24T12:00:00Z', true, '2026-10-25T10:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-16T09:59:00Z', true, '2026-11-17T01:00:00.000Z'],
])('in %s at %s: daytime %s, next morning %s', (zone, now, day, morning) => {
  expect(isWithinSendingHours(zone, new Date(now))).toBe(day);
  expect(nextMorning(zone, new Date(now)).toISOString()).toBe(morning);
});
