import { expect, test } from 'vitest';
import { type MoveState, nextMoveStep, targetProblem } from './move-state.ts';

const record = (state: MoveState | null, moveId = 'a') =>
  state && { state, moveId, otherOrigin: 'https://other.example' };

test.each([
  [null, null, 'start'],
  ['active', null, 'start'],
  ['active', 'moved', 'start'],
  ['draining', null, 'drain'],
  ['locked', null, 'copy'],
  ['locked', 'copied', 'commit'],
  ['moved', 'copied', 'activate'],
  ['moved', 'active', 'done'],
  ['finished', 'active', 'done'],
] as const)('source %s, target %s: the next step is %s', (source, target, step) => {
  expect(nextMoveStep(record(source), record(target))).toBe(step);
});

test('a record of another move in the target is ignored', () => {
  expect(nextMoveStep(record('locked'), record('copied', 'b'))).toBe('copy');
  expect(nextMoveStep(record('moved'), record('active', 'b'))).toHaveProperty('problem');
  expect(nextMoveStep(record('copied'), null)).toHaveProperty('problem');
});

test('only rows of a tutor who has left the target may be replaced', () => {
  expect(targetProblem(null, false)).toBeNull();
  expect(targetProblem(record('moved'), true)).toBeNull();
  for (const state of [null, 'active', 'copied', 'locked', 'draining'] as const)
    expect(targetProblem(record(state), true)).toBe('The tutor exists in the target.');
});
