import { expect, test } from 'vitest';
import { afterQuietHours, isQuiet, isUrgent, reminderOutsideQuietHours } from './quiet-hours.ts';

const LONDON = 'Europe/London';
const at = (text: string): Date => new Date(text);

test('F84 the quiet hours are 21:00 to 7:00 in the recipient’s time zone', () => {
  const hours = ['2026-11-16T20:59:00Z', '2026-11-16T21:00:00Z', '2026-11-17T06:59:00Z'];
  expect(hours.map((time) => isQuiet(LONDON, at(time)))).toEqual([false, true, true]);
  expect(isQuiet(LONDON, at('2026-11-17T07:00:00Z'))).toBe(false);
  // 4pm in London is 8pm in Dubai, and 6pm is 10pm.
  expect(isQuiet('Asia/Dubai', at('2026-11-16T16:00:00Z'))).toBe(false);
  expect(isQuiet('Asia/Dubai', at('2026-11-16T18:00:00Z'))).toBe(true);
  expect(afterQuietHours('Asia/Dubai', at('2026-11-16T18:00:00Z'))).toEqual(
    at('2026-11-17T03:00:00Z'),
  );
});

test('F84 the quiet hours end at 7:00 local time on the morning after a clock change', () => {
  expect(afterQuietHours(LONDON, at('2026-03-28T23:00:00Z'))).toEqual(at('2026-03-29T06:00:00Z'));
  expect(afterQuietHours(LONDON, at('2026-10-24T23:00:00Z'))).toEqual(at('2026-10-25T07:00:00Z'));
});

test('F84 a reminder that falls within the quiet hours waits until the morning, or is sent the evening before an early lesson', () => {
  const plan = (time: string, lesson: string) =>
    reminderOutsideQuietHours(LONDON, at(time), at(lesson)).toISOString();
  expect(plan('2026-11-17T04:30:00Z', '2026-11-17T16:30:00Z')).toBe('2026-11-17T07:00:00.000Z');
  expect(plan('2026-11-17T06:30:00Z', '2026-11-17T07:30:00Z')).toBe('2026-11-16T20:00:00.000Z');
  expect(plan('2026-11-16T21:30:00Z', '2026-11-16T22:30:00Z')).toBe('2026-11-16T20:00:00.000Z');
  expect(plan('2026-11-16T16:00:00Z', '2026-11-17T16:00:00Z')).toBe('2026-11-16T16:00:00.000Z');
});

test('F84 a change to a lesson before noon the next day is urgent', () => {
  const now = at('2026-11-16T22:00:00Z');
  const urgent = (lesson: string, zone = LONDON) => isUrgent(zone, at(lesson), now);
  expect(urgent('2026-11-17T11:59:00Z')).toBe(true);
  expect(urgent('2026-11-17T12:00:00Z')).toBe(false);
  expect(urgent('2026-11-16T21:00:00Z')).toBe(false);
  // In Dubai it is already 17 November, so lessons before noon on the 18th are urgent.
  expect(urgent('2026-11-18T07:00:00Z', 'Asia/Dubai')).toBe(true);
});
