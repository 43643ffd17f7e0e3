import { expect, test } from 'vitest';
import { cpuSlowdown } from './lighthouse/cpu-slowdown.ts';
import {
  bestRun,
  CI_MIN_PERFORMANCE,
  MIN_PERFORMANCE,
  missedThresholds,
  type PageMetrics,
} from './lighthouse/thresholds.ts';
import { type TraceEvent, toProcessorTime } from './lighthouse/to-processor-time.ts';

const good: PageMetrics = {
  performance: 95,
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  firstContentfulPaint: 1400,
  largestContentfulPaint: 1500,
  totalBlockingTime: 100,
  layoutShift: 0,
};

const findMissed = (path: string, metrics: PageMetrics) =>
  missedThresholds(path, metrics, MIN_PERFORMANCE);

test('passes at the thresholds and fails just below them', () => {
  expect(findMissed('/', good)).toEqual([]);
  expect(findMissed('/', { ...good, layoutShift: 0.0009 })).toEqual([]);
  expect(findMissed('/', { ...good, performance: 94 })).toEqual(['performance 94, minimum 95']);
  expect(findMissed('/login', { ...good, accessibility: 99, bestPractices: 96 })).toHaveLength(2);
  expect(findMissed('/dashboard', { ...good, layoutShift: 0.002 })).toHaveLength(1);
});

test('--ci relaxes only the performance score', () => {
  const slow = { ...good, performance: 90 };
  expect(missedThresholds('/', slow, CI_MIN_PERFORMANCE)).toEqual([]);
  expect(missedThresholds('/', { ...slow, performance: 89 }, CI_MIN_PERFORMANCE)).toHaveLength(1);
  expect(
    missedThresholds('/', { ...slow, accessibility: 99, layoutShift: 0.002 }, CI_MIN_PERFORMANCE),
  ).toHaveLength(2);
});

test('only the landing page has an SEO threshold', () => {
  expect(findMissed('/', { ...good, seo: 92 })).toHaveLength(1);
  expect(findMissed('/login', { ...good, seo: 60 })).toEqual([]);
});

test('bestRun prefers the fewest missed thresholds, then the best performance', () => {
  const slow = { ...good, performance: 90 };
  const slower = { ...good, performance: 80 };
  const shifting: PageMetrics = { ...good, performance: 94, layoutShift: 0.1 };
  expect(bestRun('/', [slower, shifting, slow], MIN_PERFORMANCE)).toBe(slow);
  expect(bestRun('/', [slower, good], MIN_PERFORMANCE)).toBe(good);
});

test('cpuSlowdown is lower on a slow machine and never above the target', () => {
  expect(cpuSlowdown(1800, 4)).toBe(4);
  expect(cpuSlowdown(1000, 4)).toBe(4);
  expect(cpuSlowdown(500, 4)).toBe(2);
  expect(cpuSlowdown(100, 4)).toBe(1);
});

const traceEvent = (fields: Partial<TraceEvent>): TraceEvent => ({
  name: 'FunctionCall',
  ph: 'X',
  pid: 1,
  tid: 1,
  ts: 0,
  ...fields,
});

test('a task and its events are shortened to the processor time of the task', () => {
  const trace = [
    traceEvent({ name: 'RunTask', ts: 1000, dur: 400, tdur: 100 }),
    traceEvent({ ts: 1200, dur: 80 }),
    traceEvent({ name: 'mark', ph: 'I', ts: 1400 }),
    traceEvent({ name: 'RunTask', ts: 2000, dur: 50, tdur: 50 }),
  ];
  expect(toProcessorTime(trace).map(({ ts, dur }) => [ts, dur])).toEqual([
    [1000, 100],
    [1050, 20],
    [1100, undefined],
    [2000, 50],
  ]);
});

test('other threads, events outside tasks and tasks without a recorded processor time are not changed', () => {
  const trace = [
    traceEvent({ name: 'RunTask', ts: 1000, dur: 400, tdur: 100 }),
    traceEvent({ tid: 2, ts: 1200, dur: 80 }),
    traceEvent({ ts: 1500, dur: 10 }),
    traceEvent({ name: 'RunTask', ts: 2000, dur: 50 }),
  ];
  expect(toProcessorTime(trace).slice(1)).toEqual([trace[2], trace[3], trace[1]]);
});
