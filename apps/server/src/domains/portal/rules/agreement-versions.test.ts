import { expect, test } from 'vitest';
import { withStates } from './agreement-versions.ts';

const TODAY = '2026-11-18';
const statesOf = (...starts: string[]) =>
  withStates(
    starts.map((startsOn, index) => ({ version: index + 1, startsOn })),
    TODAY,
  ).map(({ state }) => state);

test('the latest version that has started is the current one', () => {
  expect(statesOf()).toEqual([]);
  expect(statesOf('2026-11-18')).toEqual(['current']);
  expect(statesOf('2026-09-01', '2026-11-01')).toEqual(['past', 'current']);
  expect(statesOf('2026-11-01', '2026-11-01')).toEqual(['past', 'current']);
});

test('a version that has not started yet is coming, unless a newer version replaces it', () => {
  expect(statesOf('2026-11-19')).toEqual(['coming']);
  expect(statesOf('2026-09-01', '2027-01-05')).toEqual(['current', 'coming']);
  expect(statesOf('2026-09-01', '2026-12-01', '2027-01-05')).toEqual([
    'current',
    'coming',
    'coming',
  ]);
  expect(statesOf('2026-09-01', '2027-01-05', '2027-01-05')).toEqual(['current', 'past', 'coming']);
});
