import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSlowestFiles, readTestResults } from './results/test-results.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lessonbook-results-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), JSON.stringify(content));

const vitestFile = (name: string, seconds: number) => ({
  name: fileURLToPath(new URL(`../${name}`, import.meta.url)),
  status: 'passed',
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  assertionResults: [{ fullName: 'holds', status: 'passed' }],
});

const browserTest = (...durations: number[]) => ({
  title: 'works',
  tests: [{ status: 'expected', results: durations.map((duration) => ({ duration })) }],
});

test('findSlowestFiles sorts all test files and counts every attempt at a browser test', () => {
  write('vitest.json', {
    testResults: [vitestFile('scripts/fast.test.ts', 0.5), vitestFile('apps/slow.test.ts', 40)],
  });
  const inner = { title: 'on a phone', file: 'a.spec.ts', specs: [browserTest(2_000)] };
  write('e2e.json', {
    errors: [],
    suites: [
      { title: 'a', file: 'a.spec.ts', specs: [browserTest(9_000, 1_000)], suites: [inner] },
    ],
  });
  expect(findSlowestFiles(folder, 2)).toEqual([
    { file: 'apps/slow.test.ts', seconds: 40 },
    { file: 'e2e/a.spec.ts', seconds: 12 },
  ]);
  expect(findSlowestFiles(folder, 10)).toHaveLength(3);
  expect(readTestResults(folder).map(({ outcome }) => outcome)).toEqual(Array(4).fill('passed'));
});

test('returns nothing when there are no result files', () => {
  expect(findSlowestFiles(folder, 10)).toEqual([]);
  expect(readTestResults(folder)).toEqual([]);
});
