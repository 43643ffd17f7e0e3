import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Outcome = 'passed' | 'failed' | 'skipped';

export interface TestResult {
  /** With the titles of the groups around it in front. */
  title: string;
  outcome: Outcome;
}

/** What the last runs of Vitest and Playwright wrote; a run that has not happened counts nothing. */
export function readTestResults(folder: string): TestResult[] {
  const vitest = readJson(join(folder, 'vitest.json')) as VitestReport | undefined;
  const playwright = readJson(join(folder, 'e2e.json')) as PlaywrightReport | undefined;
  return [...(vitest?.testResults ?? []).flatMap(fromVitest), ...fromPlaywright(playwright)];
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

interface VitestReport {
  testResults: VitestFile[];
}

interface VitestFile {
  name: string;
  status: string;
  assertionResults: Array<{ fullName: string; status: string }>;
}

function fromVitest(file: VitestFile): TestResult[] {
  const tests = file.assertionResults.map((test) => ({
    title: test.fullName,
    outcome: vitestOutcome(test.status),
  }));
  // A file that could not even be loaded has no tests to tell of it.
  const brokenFile = file.status === 'failed' && tests.every((test) => test.outcome !== 'failed');
  return brokenFile ? [...tests, { title: file.name, outcome: 'failed' }] : tests;
}

function vitestOutcome(status: string): Outcome {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  /** Trouble outside any test: a broken file, a server that did not start. */
  errors: Array<{ message?: string }>;
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: Array<{ title: string; tests: Array<{ status: string }> }>;
}

function fromPlaywright(report: PlaywrightReport | undefined): TestResult[] {
  if (!report) return [];
  const errors = report.errors.map((error) => ({
    title: error.message ?? 'error outside the tests',
    outcome: 'failed' as const,
  }));
  // The outermost suites are files, whose names are no part of a title.
  const tests = report.suites.flatMap((file) => fromSuite({ ...file, title: '' }, ''));
  return [...tests, ...errors];
}

function fromSuite(suite: PlaywrightSuite, around: string): TestResult[] {
  const title = `${around} ${suite.title}`.trim();
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({
      title: `${title} ${spec.title}`.trim(),
      outcome: playwrightOutcome(test.status),
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => fromSuite(inner, title))];
}

function playwrightOutcome(status: string): Outcome {
  if (status === 'expected' || status === 'flaky') return 'passed';
  return status === 'skipped' ? 'skipped' : 'failed';
}
