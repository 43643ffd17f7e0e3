import { expect, test } from 'vitest';
import { toLocalSlot } from './to-local-slot.ts';

const at = (text: string) => new Date(text);

test("returns the date and times in the tutor's time zone", () => {
  const slot = toLocalSlot(
    'America/New_York',
    at('2026-11-17T21:00:00Z'),
    at('2026-11-17T22:30:59Z'),
  );
  expect(slot).toEqual({ date: '2026-11-17', startTime: '16:00', endTime: '17:30' });
});

test.each([
  ['an all-day event', null, null],
  ['an event past midnight', at('2026-11-17T23:30:00Z'), at('2026-11-18T00:30:00Z')],
  ['an event under a minute', at('2026-11-17T10:00:00Z'), at('2026-11-17T10:00:30Z')],
])('returns null for %s', (_name, start, end) => {
  expect(toLocalSlot('Europe/London', start, end)).toBeNull();
});
