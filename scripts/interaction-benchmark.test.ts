import { expect, test } from 'vitest';
import {
  bestRun,
  groupInteractions,
  p98,
  slowestMs,
  TARGET_MS,
  type TimedEvent,
} from './interaction-benchmark/compute-interaction-metrics.ts';

const event = (interactionId: number, name: string, duration: number): TimedEvent => ({
  interactionId,
  name,
  duration,
  on: 'Save',
});

test('the duration of an interaction is that of its longest event, and events outside interactions are ignored', () => {
  const events = [
    event(1, 'pointerdown', 24),
    event(1, 'click', 96),
    event(0, 'pointermove', 900),
    event(2, 'keydown', 40),
    event(2, 'keyup', 16),
  ];
  expect(groupInteractions(events)).toEqual([
    { name: 'click', on: 'Save', ms: 96 },
    { name: 'keydown', on: 'Save', ms: 40 },
  ]);
  expect(slowestMs(groupInteractions(events))).toBe(96);
  expect(slowestMs([])).toBe(0);
});

test('p98 ignores the two slowest of a hundred interactions', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    name: 'click',
    on: '',
    ms: index + 1,
  }));
  expect(p98(hundred)).toBe(98);
  expect(p98(hundred.slice(0, 10))).toBe(10);
  expect(p98([])).toBe(0);
});

test('bestRun repeats a slow flow up to the limit and returns the best run', async () => {
  const runWith = async (...durations: number[]) => {
    const remaining = [...durations];
    const { best, runs } = await bestRun(3, TARGET_MS, async () => [
      { name: 'click', on: '', ms: remaining.shift() ?? 0 },
    ]);
    return [slowestMs(best), runs];
  };
  expect(await runWith(120, 40)).toEqual([120, 1]);
  expect(await runWith(300, 180, 40)).toEqual([180, 2]);
  expect(await runWith(300, 260, 280, 40)).toEqual([260, 3]);
});
