import { expect, test } from 'vitest';
import { inactivityState } from './tutor-inactivity.ts';

const lastActive = new Date('2026-10-01T09:00:00Z');

test.each([
  ['2026-10-19T08:59:59Z', 'active'],
  ['2026-10-19T09:00:00Z', 'warned'],
  ['2026-10-22T08:59:59Z', 'warned'],
  ['2026-10-22T09:00:00Z', 'paused'],
  ['2027-04-01T09:00:00Z', 'paused'],
] as const)('a tutor last active on 1 October is, at %s, %s', (now, expected) => {
  expect(inactivityState(lastActive, new Date(now))).toBe(expected);
});
