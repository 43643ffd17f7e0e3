import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { APPLICABLE, checkRequirements } from './asvs/check.ts';
import { headingAnchors } from './asvs/headings.ts';
import { parseRequirements } from './asvs/requirements.ts';
import type { TestResult } from './results/test-results.ts';

/** The brackets are put on here, so that no title of ours carries an example. */
const carrying = (id: string, outcome: TestResult['outcome'] = 'passed', file = 'a.test.ts') => ({
  title: `shows it [${id}]`,
  outcome,
  file,
});

function check(rows: string[], results: TestResult[] = []) {
  const list = parseRequirements(`req,level,kind,shown_by,note\n${rows.join('\n')}\n`);
  return checkRequirements(list, {
    results,
    headingsOf: (page) => (page === 'docs/page.md' ? new Set(['keys']) : undefined),
    applicable: { V1: rows.length },
  });
}

describe('what is shown by tests', () => {
  const row = 'V1.1.1,1,test,a.test.ts,said';

  test('counts when a test of the named file carries the id and all that carry it passed', () => {
    const { counts, faults } = check([row], [carrying('V1.1.1')]);
    expect([counts.test, faults]).toEqual([1, []]);
  });

  test.each<[string, TestResult[], string]>([
    ['no test carries it', [], 'V1.1.1 has no passing test in a.test.ts'],
    ['it was skipped', [carrying('V1.1.1', 'skipped')], 'V1.1.1 has no passing test in a.test.ts'],
    [
      'it is another file’s',
      [carrying('V1.1.1', 'passed', 'b.test.ts')],
      'V1.1.1 has no passing test in a.test.ts',
    ],
    [
      'one of two failed',
      [carrying('V1.1.1'), carrying('V1.1.1', 'failed', 'b.test.ts')],
      'V1.1.1 failed: shows it [V1.1.1]',
    ],
    [
      'a test carries one that is not in the list',
      [carrying('V1.1.1'), carrying('V1.9.9')],
      'V1.9.9 is carried by "shows it [V1.9.9]" and is not in the list',
    ],
  ])('is wrong when %s', (_, results, fault) => {
    expect(check([row], results).faults).toEqual([fault]);
  });
});

describe('what is written down', () => {
  test.each([
    ['document', 'docs/page.md#keys', []],
    ['deployment', 'docs/page.md#keys', []],
    ['gap', '', []],
    ['document', '', ['V1.1.1 names no page']],
    ['document', 'docs/none.md#keys', ['V1.1.1 names docs/none.md, which is not there']],
    [
      'deployment',
      'docs/page.md#locks',
      ['V1.1.1 names docs/page.md#locks, a heading that is not there'],
    ],
    ['document', 'docs/page.md', ['V1.1.1 names docs/page.md, a heading that is not there']],
  ])('%s at "%s"', (kind, place, faults) => {
    expect(check([`V1.1.1,1,${kind},${place},said`]).faults).toEqual(faults);
  });

  test('is wrong when a test shows it after all', () => {
    expect(check(['V1.1.1,1,gap,,said'], [carrying('V1.1.1')]).faults).toHaveLength(1);
  });

  test('headings become anchors as GitHub makes them, and code is no heading', () => {
    const page =
      '# Keys, and *who* holds them\n\n```sh\n# no heading\n```\n## `SECRET_KEY` [0034](x.md)\n';
    expect([...headingAnchors(page)]).toEqual(['keys-and-who-holds-them', 'secret_key-0034']);
  });
});

describe('the list', () => {
  test('is wrong with a row missing, doubled, unknown or silent', () => {
    const list = parseRequirements(
      'req,level,kind,shown_by,note\nV1.1.1,1,gap,,\nV1.1.1,1,hope,,x\n',
    );
    const { faults } = checkRequirements(list, {
      results: [],
      headingsOf: () => undefined,
      applicable: { V1: 3 },
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        'V1.1.1 stands there twice',
        'V1 has 2 rows, and 3 apply',
        'V1.1.1 says nothing',
        'V1.1.1 is of the unknown kind "hope"',
      ]),
    );
  });

  test('has 201 requirements', () => {
    expect(Object.values(APPLICABLE).reduce((sum, count) => sum + count)).toBe(201);
  });

  test('the command fails, and says why, where nothing ran', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lessonbook-asvs-'));
    writeFileSync(
      join(folder, 'list.csv'),
      'req,level,kind,shown_by,note\nV1.1.1,1,test,a.test.ts,x\n',
    );
    const script = fileURLToPath(new URL('./asvs.ts', import.meta.url));
    const places = ['--list', join(folder, 'list.csv'), '--results', folder];
    const run = spawnSync(process.execPath, [script, ...places], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('wrong  V1.1.1 has no passing test in a.test.ts');
  });
});
