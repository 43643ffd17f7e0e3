import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Commands that write their results as `TestResult[]`. */
const HARNESSES = ['chaos', 'lighthouse', 'inp', 'neighbour'] as const;

export type Outcome = 'passed' | 'failed' | 'skipped';

export interface TestResult {
  /** Includes the titles of the enclosing groups. */
  title: string;
  outcome: Outcome;
  /** Relative to the repository; '' for an error outside any file. */
  file: string;
  /** Whether the test failed at first and then passed on retry. */
  passedOnRetry?: boolean;
}

export interface FileTime {
  /** Relative to the repository. */
  file: string;
  seconds: number;
}

/** Results of the latest runs of Vitest, Playwright and the harnesses; a missing file counts as no tests. */
export function readTestResults(folder: string): TestResult[] {
  // The security fuzzer writes its results in Vitest's format.
  const reports = ['vitest.json', 'fuzz.json'].map(
    (name) => readJson(join(folder, name)) as VitestReport | undefined,
  );
  const playwright = readJson(join(folder, 'e2e.json')) as PlaywrightReport | undefined;
  const files = reports.flatMap((report) => report?.testResults ?? []);
  const harnessResults = HARNESSES.flatMap(
    (name) => (readJson(join(folder, `${name}.json`)) as TestResult[] | undefined) ?? [],
  );
  return [...files.flatMap(fromVitest), ...fromPlaywright(playwright), ...harnessResults];
}

/** The slowest test files by wall time; for browser tests, which run in parallel, by the sum of their times. */
export function findSlowestFiles(folder: string, count: number): FileTime[] {
  const vitest = readJson(join(folder, 'vitest.json')) as VitestReport | undefined;
  const playwright = readJson(join(folder, 'e2e.json')) as PlaywrightReport | undefined;
  const times = [
    ...(vitest?.testResults ?? []).map((file) => ({
      file: relative(ROOT, file.name),
      seconds: ((file.endTime ?? 0) - (file.startTime ?? 0)) / 1000,
    })),
    ...(playwright?.suites ?? []).map((file) => ({
      file: `e2e/${file.file}`,
      seconds: totalDuration(file) / 1000,
    })),
  ];
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
}

function totalDuration(suite: PlaywrightSuite): number {
  const results = suite.specs.flatMap(({ tests }) => tests.flatMap((test) => test.results ?? []));
  const inner = (suite.suites ?? []).map(totalDuration);
  return [...results.map(({ duration }) => duration), ...inner].reduce((sum, ms) => sum + ms, 0);
}

/** Saves the results of a benchmark for the summary. */
export function saveResults(
  name: (typeof HARNESSES)[number],
  results: readonly TestResult[],
): void {
  const folder = join(ROOT, '.cache/results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(results));
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
  /** In milliseconds since 1970; missing from the results of the harnesses. */
  startTime?: number;
  endTime?: number;
  assertionResults: Array<{ fullName: string; status: string }>;
}

function fromVitest(file: VitestFile): TestResult[] {
  const path = relative(ROOT, file.name);
  const tests = file.assertionResults.map((test) => ({
    title: test.fullName,
    outcome: vitestOutcome(test.status),
    file: path,
  }));
  // A file that failed to load has no failed tests.
  const failedToLoad = file.status === 'failed' && tests.every((test) => test.outcome !== 'failed');
  return failedToLoad ? [...tests, { title: file.name, outcome: 'failed', file: path }] : tests;
}

function vitestOutcome(status: string): Outcome {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  /** Errors outside any test, such as a broken file or a server that did not start. */
  errors: Array<{ message?: string }>;
}

interface PlaywrightSuite {
  title: string;
  /** Relative to the e2e folder. */
  file: string;
  suites?: PlaywrightSuite[];
  specs: Array<{ title: string; tests: PlaywrightTest[] }>;
}

interface PlaywrightTest {
  status: string;
  /** One for each attempt; durations are in milliseconds. */
  results?: Array<{ duration: number }>;
}

function fromPlaywright(report: PlaywrightReport | undefined): TestResult[] {
  if (!report) return [];
  const errors = report.errors.map((error) => ({
    title: error.message ?? 'error outside any test',
    outcome: 'failed' as const,
    file: '',
  }));
  // The outermost suites are files; their names are not part of the titles.
  const tests = report.suites.flatMap((file) => fromSuite({ ...file, title: '' }, '', file.file));
  return [...tests, ...errors];
}

function fromSuite(suite: PlaywrightSuite, prefix: string, file: string): TestResult[] {
  const title = `${prefix} ${suite.title}`.trim();
  const suiteResults = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({
      title: `${title} ${spec.title}`.trim(),
      outcome: playwrightOutcome(test.status),
      file: `e2e/${file}`,
      ...(test.status === 'flaky' && { passedOnRetry: true }),
    })),
  );
  return [
    ...suiteResults,
    ...(suite.suites ?? []).flatMap((inner) => fromSuite(inner, title, file)),
  ];
}

function playwrightOutcome(status: string): Outcome {
  if (status === 'expected' || status === 'flaky') return 'passed';
  return status === 'skipped' ? 'skipped' : 'failed';
}
