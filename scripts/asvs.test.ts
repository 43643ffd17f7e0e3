import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { APPLICABLE_COUNTS, checkRequirements } from './asvs/check.ts';
import { findHeadingAnchors } from './asvs/markdown-anchors.ts';
import { parseAsvsRequirements } from './asvs/parse-requirements.ts';
import type { TestResult } from './results/test-results.ts';

/** Adds the brackets here so that no test title in this file contains an example id. */
const resultWithId = (
  id: string,
  outcome: TestResult['outcome'] = 'passed',
  file = 'a.test.ts',
) => ({
  title: `covers it [${id}]`,
  outcome,
  file,
});

function check(rows: string[], results: TestResult[] = []) {
  const list = parseAsvsRequirements(`req,level,kind,shown_by,note\n${rows.join('\n')}\n`);
  return checkRequirements(list, {
    results,
    anchorsOf: (page) => (page === 'docs/page.md' ? new Set(['keys']) : undefined),
    applicableCounts: { V1: rows.length },
  });
}

describe('requirements covered by tests', () => {
  const row = 'V1.1.1,1,test,a.test.ts,a note';

  test('a requirement is covered when a test in the named file has its id and all tests with that id passed', () => {
    const { counts, faults } = check([row], [resultWithId('V1.1.1')]);
    expect([counts.test, faults]).toEqual([1, []]);
  });

  test.each<[string, TestResult[], string]>([
    ['no test has the id', [], 'V1.1.1 has no passing test in a.test.ts'],
    [
      'the test was skipped',
      [resultWithId('V1.1.1', 'skipped')],
      'V1.1.1 has no passing test in a.test.ts',
    ],
    [
      'the test is in another file',
      [resultWithId('V1.1.1', 'passed', 'b.test.ts')],
      'V1.1.1 has no passing test in a.test.ts',
    ],
    [
      'one of two tests failed',
      [resultWithId('V1.1.1'), resultWithId('V1.1.1', 'failed', 'b.test.ts')],
      'V1.1.1 failed: covers it [V1.1.1]',
    ],
    [
      'a test has an id that is not in the list',
      [resultWithId('V1.1.1'), resultWithId('V1.9.9')],
      'V1.9.9 in the title "covers it [V1.9.9]" is not in the list',
    ],
  ])('reports a fault when %s', (_, results, fault) => {
    expect(check([row], results).faults).toEqual([fault]);
  });
});

describe('requirements covered by pages', () => {
  test.each([
    ['document', 'docs/page.md#keys', []],
    ['deployment', 'docs/page.md#keys', []],
    ['gap', '', []],
    ['document', '', ['V1.1.1 lists no page']],
    ['document', 'docs/none.md#keys', ['V1.1.1 lists docs/none.md, which does not exist']],
    [
      'deployment',
      'docs/page.md#locks',
      ['V1.1.1 lists docs/page.md#locks, a heading that does not exist'],
    ],
    ['document', 'docs/page.md', ['V1.1.1 lists docs/page.md, a heading that does not exist']],
  ])('checks a requirement of kind %s with the page "%s"', (kind, page, faults) => {
    expect(check([`V1.1.1,1,${kind},${page},a note`]).faults).toEqual(faults);
  });

  test('reports a requirement that is listed as a gap but has a test', () => {
    expect(check(['V1.1.1,1,gap,,a note'], [resultWithId('V1.1.1')]).faults).toHaveLength(1);
  });

  test('derives anchors from headings as GitHub does, ignoring code blocks', () => {
    const page =
      '# Keys, and *who* holds them\n\n```sh\n# no heading\n```\n## `SECRET_KEY` [0034](x.md)\n';
    expect([...findHeadingAnchors(page)]).toEqual(['keys-and-who-holds-them', 'secret_key-0034']);
  });
});

describe('the list of requirements', () => {
  test('reports rows that are missing or duplicated, have an unknown kind or have no note', () => {
    const list = parseAsvsRequirements(
      'req,level,kind,shown_by,note\nV1.1.1,1,gap,,\nV1.1.1,1,hope,,x\n',
    );
    const { faults } = checkRequirements(list, {
      results: [],
      anchorsOf: () => undefined,
      applicableCounts: { V1: 3 },
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        'V1.1.1 is listed twice',
        'V1 has 2 rows, but 3 requirements apply',
        'V1.1.1 has no note',
        'V1.1.1 has the unknown kind "hope"',
      ]),
    );
  });

  test('has 201 requirements', () => {
    expect(Object.values(APPLICABLE_COUNTS).reduce((sum, count) => sum + count)).toBe(201);
  });

  test('the command fails with a message when no tests have run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lessonbook-asvs-'));
    writeFileSync(
      join(folder, 'list.csv'),
      'req,level,kind,shown_by,note\nV1.1.1,1,test,a.test.ts,x\n',
    );
    const script = fileURLToPath(new URL('./asvs.ts', import.meta.url));
    const args = ['--list', join(folder, 'list.csv'), '--results', folder];
    const run = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('fault  V1.1.1 has no passing test in a.test.ts');
  });
});
