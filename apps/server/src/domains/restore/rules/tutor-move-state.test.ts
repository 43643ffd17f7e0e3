import { expect, test } from 'vitest';
import {
  canFinish,
  findTargetMismatch,
  findTargetProblem,
  type MoveState,
  nextMoveStep,
} from './tutor-move-state.ts';

const record = (state: MoveState | null, moveId = 'a') =>
  state && { state, moveId, otherOrigin: 'https://other.example', targetId: 'b' };

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

test("the target's record of another move is ignored", () => {
  expect(nextMoveStep(record('locked'), record('copied', 'b'))).toBe('copy');
  expect(nextMoveStep(record('moved'), record('active', 'b'))).toHaveProperty('problem');
});

test('a tutor who is still arriving cannot be moved on', () => {
  expect(nextMoveStep(record('copied'), null)).toHaveProperty('problem');
});

test('only rows of a tutor who has left the target may be replaced', () => {
  expect(findTargetProblem(null, false)).toBeNull();
  expect(findTargetProblem(record('moved'), true)).toBeNull();
  for (const state of [null, 'active', 'copied', 'locked', 'draining'] as const)
    expect(findTargetProblem(record(state), true)).toBe('The tutor already exists on the target.');
});

test('a move can be continued only with the target it began with', () => {
  for (const state of ['draining', 'locked', 'moved', 'finished'] as const) {
    expect(findTargetMismatch(record(state), 'b')).toBeNull();
    expect(findTargetMismatch(record(state), 'c')).toMatch(/another installation.*other\.example/);
  }
  expect(findTargetMismatch(record('active'), 'c')).toBeNull();
  expect(findTargetMismatch(null, 'c')).toBeNull();
});

test('the rows left on the source can be deleted while the target serves the tutor after this move or a later one', () => {
  expect(canFinish(record('moved', 'b'), record('active', 'b'))).toBe(true);
  expect(canFinish(record('moved', 'b'), record('active', 'c'))).toBe(true);
  expect(canFinish(record('moved', 'b'), record('active', 'a'))).toBe(false);
  expect(canFinish(record('moved', 'b'), record('copied', 'b'))).toBe(false);
  expect(canFinish(record('moved', 'b'), record('moved', 'c'))).toBe(false);
  expect(canFinish(record('moved', 'b'), null)).toBe(false);
  expect(canFinish(record('active', 'b'), record('active', 'c'))).toBe(false);
});
