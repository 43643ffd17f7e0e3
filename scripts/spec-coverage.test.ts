import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTestResults } from './results/test-results.ts';
import { ID_PATTERNS, idsInTitle } from './spec/ids-in-title.ts';
import { parseRequirements } from './spec/requirements.ts';

const REQUIREMENTS_CSV = `id,section,kind,statement,check,departure
AUTH-07,2. Signing in,behaviour,"A wrong name, or a wrong password, shows ""Login failed""",e2e,
AUTH-08,2. Signing in,text,The button says Log in,web,
TOAST-01,9. Toasts,text,A toast appears,web,
`;

describe('idsInTitle', () => {
  test.each([
    ['logs in {AUTH-07}', []],
    ['logs in [AUTH-07]', ['AUTH-07']],
    ['[AUTH-07] and [TOAST-01] together', ['AUTH-07', 'TOAST-01']],
    ['logs in [AUTH-07, AUTH-08]', ['AUTH-07', 'AUTH-08']],
    ['toasts [TOAST-01..04]', ['TOAST-01', 'TOAST-02', 'TOAST-03', 'TOAST-04']],
    ['toasts [TOAST-09..TOAST-11, AUTH-07]', ['TOAST-09', 'TOAST-10', 'TOAST-11', 'AUTH-07']],
    ['an array [1, 2] and [UTF-8]', []],
    ['other lists: [AUTH-07, V6.3.1, T06] and [V16.10.2]', ['AUTH-07']],
    // The examples must not appear in the titles of these tests, where they would count as coverage.
  ])('finds the ids in example %#', (title, ids) => expect(idsInTitle(title)).toEqual(ids));

  test('ignores ids from other lists', () => {
    const title = 'rejects the login [AUTH-07, T06]';
    expect(idsInTitle(title)).toEqual(['AUTH-07']);
    expect(idsInTitle(title, ID_PATTERNS.abuse)).toEqual(['T06']);
  });
});

test('parseRequirements handles commas and quotes in statements', () => {
  expect(parseRequirements(REQUIREMENTS_CSV)[0]).toEqual({
    id: 'AUTH-07',
    area: 'AUTH',
    statement: 'A wrong name, or a wrong password, shows "Login failed"',
  });
  expect(parseRequirements(REQUIREMENTS_CSV)).toHaveLength(3);
});

describe('npm run spec', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lessonbook-spec-'));
    writeFileSync(join(folder, 'requirements.csv'), REQUIREMENTS_CSV);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function writeVitestResults(tests: Record<string, string>): void {
    const assertionResults = Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status,
    }));
    const status = Object.values(tests).includes('failed') ? 'failed' : 'passed';
    const report = { testResults: [{ name: 'some.test.ts', status, assertionResults }] };
    writeFileSync(join(folder, 'vitest.json'), JSON.stringify(report));
  }

  function writePlaywrightResults(group: string, tests: Record<string, string>): void {
    const specs = Object.entries(tests).map(([title, status]) => ({ title, tests: [{ status }] }));
    const suites = [
      { title: 'file.spec.ts', file: 'file.spec.ts', specs: [], suites: [{ title: group, specs }] },
    ];
    writeFileSync(join(folder, 'e2e.json'), JSON.stringify({ suites, errors: [] }));
  }

  function runSpec(...flags: string[]) {
    const script = fileURLToPath(new URL('./spec-coverage.ts', import.meta.url));
    const args = [
      '--requirements',
      join(folder, 'requirements.csv'),
      '--results',
      folder,
      ...flags,
    ];
    const run = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    return { code: run.status, out: run.stdout, err: run.stderr };
  }

  test('counts the ids of passed tests from Vitest and Playwright', () => {
    writeVitestResults({
      'login rejects a wrong password [AUTH-07]': 'passed',
      'and again [AUTH-07]': 'passed',
    });
    writePlaywrightResults('toasts [TOAST-01]', { appear: 'expected' });
    const { code, out } = runSpec('--json');
    expect(JSON.parse(out)).toEqual({
      AUTH: { total: 2, passing: 1 },
      TOAST: { total: 1, passing: 1 },
    });
    expect(code).toBe(0);
  });

  test('a failed test makes its id fail and makes the command exit with 1', () => {
    writeVitestResults({ 'one [AUTH-07]': 'passed' });
    writePlaywrightResults('logging in', { 'two [AUTH-07]': 'unexpected' });
    const { code, out, err } = runSpec('--json');
    expect(JSON.parse(out)).toMatchObject({ AUTH: { passing: 0 } });
    expect(err).toContain('failed   AUTH-07  logging in two [AUTH-07]');
    expect(code).toBe(1);
  });

  test('a skipped test neither covers its id nor makes it fail', () => {
    writeVitestResults({ 'one [AUTH-08]': 'skipped' });
    const { code, out } = runSpec('--missing');
    expect(out).toContain('missing  AUTH-08  The button says Log in');
    expect(code).toBe(0);
  });

  test('an id that is not in the list of requirements is an error', () => {
    writeVitestResults({ 'one [AUTH-99]': 'passed' });
    const { code, err } = runSpec();
    expect(err).toContain('unknown  AUTH-99  one [AUTH-99]');
    expect(code).toBe(1);
  });

  test('accepts ids from other lists', () => {
    writeVitestResults({ 'one [AUTH-07, V6.3.1, T06]': 'passed' });
    expect(runSpec()).toMatchObject({ code: 0, err: '' });
  });

  test('reports every statement as missing when there are no results', () => {
    const { code, out } = runSpec('--missing');
    expect(out).toMatch(/all +0 of +3/);
    expect(out.match(/^missing/gm)).toHaveLength(3);
    expect(code).toBe(0);
  });

  test('a test that passed on retry counts as passed and is marked', () => {
    writePlaywrightResults('logging in', { 'one [AUTH-07]': 'flaky', 'two [AUTH-08]': 'expected' });
    const [first, second] = readTestResults(folder);
    expect(first).toMatchObject({ outcome: 'passed', passedOnRetry: true });
    expect(second).not.toHaveProperty('passedOnRetry');
  });

  test('a test file that fails to load counts as a failure', () => {
    const report = {
      testResults: [{ name: '/repo/broken.test.ts', status: 'failed', assertionResults: [] }],
    };
    writeFileSync(join(folder, 'vitest.json'), JSON.stringify(report));
    expect(readTestResults(folder)).toEqual([
      {
        title: '/repo/broken.test.ts',
        outcome: 'failed',
        file: expect.stringContaining('broken.test.ts'),
      },
    ]);
  });
});
