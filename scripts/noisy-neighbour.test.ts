import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@lessonbook/test-env/processes';
import { afterAll, expect, test } from 'vitest';
import { findFaults, type Limits } from './noisy-neighbour/find-faults.ts';
import type { Sample } from './noisy-neighbour/measured-tutor.ts';
import type { CaseResult } from './noisy-neighbour/run-case.ts';

const folder = mkdtempSync(join(tmpdir(), 'lessonbook-neighbour-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program with the probe, and returns the reported stalls in milliseconds. */
async function reportedStalls(source: string): Promise<number[]> {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, `const end = setTimeout(() => {}, 60_000);\n${source}`);
  const probe = new URL('noisy-neighbour/stall-probe.ts', import.meta.url).href;
  const program = startProcess('program', file, {}, { nodeOptions: ['--import', probe] });
  await program.exited;
  return [...program.output().matchAll(/^stall \d+ (\d+)/gm)].map(([, ms]) => Number(ms));
}

test('a turn of the event loop that uses processor time is reported', async () => {
  const stalls = await reportedStalls(`
    setTimeout(() => {
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user < 300_000);
      setTimeout(() => clearTimeout(end), 100);
    }, 100);`);
  expect(Math.max(...stalls)).toBeGreaterThanOrEqual(250);
});

test('a turn of the event loop that only waits is not reported', async () => {
  const stalls = await reportedStalls(`
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
      setTimeout(() => clearTimeout(end), 100);
    }, 100);`);
  expect(Math.max(0, ...stalls)).toBeLessThan(250);
});

const QUIET = { dashboard: 20, lesson: 30, mail: 100 };
const SHORT: Limits = { share: 1, delayMs: 500, stallMs: 250, minSamples: 0 };
const LONG: Limits = { share: 0.99, delayMs: 250, stallMs: 250, minSamples: 200 };

const sample = (ms: number, status = 200): Sample => ({ kind: 'dashboard', api: 0, ms, status });
const result = (changes: Partial<CaseResult>): CaseResult => ({
  name: 'case',
  samples: [],
  stalls: [],
  hung: [],
  statuses: {},
  statements: [],
  seconds: 1,
  ...changes,
});
const faultKindsOf = (changes: Partial<CaseResult>, limits: Limits) =>
  findFaults(result(changes), QUIET, limits).map(({ kind }) => kind);

test('the short form checks the slowest call, and the long form checks the 99th percentile', () => {
  const quick = Array.from({ length: 199 }, () => sample(25));
  expect(faultKindsOf({ samples: [...quick, sample(519)] }, SHORT)).toEqual([]);
  expect(faultKindsOf({ samples: [...quick, sample(521)] }, SHORT)).toEqual(['slow']);
  expect(faultKindsOf({ samples: [...quick, sample(900)] }, LONG)).toEqual([]);
  const slow = Array.from({ length: 3 }, () => sample(271));
  expect(faultKindsOf({ samples: [...quick, ...slow] }, LONG)).toEqual(['slow']);
  expect(faultKindsOf({ samples: quick }, LONG)).toEqual(['too few samples']);
});

test("tutor B's errors and an API's stalls are faults, but the worker's stalls are not", () => {
  expect(faultKindsOf({ samples: [sample(20, 503)] }, SHORT)).toEqual(['server error']);
  expect(faultKindsOf({ samples: [sample(20, 0)] }, SHORT)).toEqual(['server error']);
  const stall = { process: 'api-1', ms: 251, functions: '' };
  expect(faultKindsOf({ stalls: [stall] }, SHORT)).toEqual(['stall']);
  expect(faultKindsOf({ hung: [stall] }, SHORT)).toEqual(['stall']);
  expect(faultKindsOf({ hung: [{ ...stall, process: 'worker-1' }] }, SHORT)).toEqual([]);
});
