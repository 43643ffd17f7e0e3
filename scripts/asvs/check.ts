import type { TestResult } from '../results/test-results.ts';
import { carriersById } from '../spec/coverage.ts';
import { ID_FORMS } from '../spec/ids-in-title.ts';
import { KINDS, type Kind, type Requirement } from './requirements.ts';

/** How many requirements of each chapter of ASVS 5.0 (levels 1 and 2) apply to us: 201 in all. */
export const APPLICABLE: Readonly<Record<string, number>> = {
  V1: 17,
  V2: 11,
  V3: 19,
  V4: 4,
  V5: 7,
  V6: 33,
  V7: 18,
  V8: 7,
  V9: 6,
  V10: 7,
  V11: 13,
  V12: 8,
  V13: 13,
  V14: 9,
  V15: 13,
  V16: 16,
};

interface CheckContext {
  results: readonly TestResult[];
  /** The headings of a page as anchors; none for a page that is not there. */
  headingsOf: (page: string) => ReadonlySet<string> | undefined;
  applicable: Readonly<Record<string, number>>;
}

export interface RequirementsReport {
  counts: Record<Kind, number>;
  /** What does not resolve, one sentence each. */
  faults: string[];
}

/** Holds the list against the tests that ran and the pages that are there. */
export function checkRequirements(
  list: readonly Requirement[],
  context: CheckContext,
): RequirementsReport {
  const carriers = carriersById(context.results, ID_FORMS.asvs);
  const counts: RequirementsReport['counts'] = { test: 0, document: 0, deployment: 0, gap: 0 };
  const faults = [...invalidRows(list, context.applicable)];
  for (const row of list) {
    const tests = carriers.get(row.req) ?? [];
    const wrong =
      row.kind === 'test' ? invalidTests(row, tests) : invalidPages(row, tests, context);
    faults.push(...wrong.map((fault) => `${row.req} ${fault}`));
    if (wrong.length === 0) counts[row.kind] += 1;
  }
  const known = new Set(list.map(({ req }) => req));
  for (const [id, tests] of carriers)
    if (!known.has(id))
      faults.push(`${id} is carried by "${tests[0]?.title}" and is not in the list`);
  return { counts, faults };
}

function invalidRows(
  list: readonly Requirement[],
  applicable: CheckContext['applicable'],
): string[] {
  const faults = list
    .filter(({ req }, at) => list.findIndex((other) => other.req === req) !== at)
    .map(({ req }) => `${req} stands there twice`);
  for (const [chapter, count] of Object.entries(applicable)) {
    const there = list.filter(({ req }) => req.startsWith(`${chapter}.`)).length;
    if (there !== count) faults.push(`${chapter} has ${there} rows, and ${count} apply`);
  }
  for (const { req, kind, note } of list) {
    if (!ID_FORMS.asvs.test(req)) faults.push(`"${req}" is no requirement`);
    if (!KINDS.includes(kind)) faults.push(`${req} is of the unknown kind "${kind}"`);
    if (note === '') faults.push(`${req} says nothing`);
  }
  return faults;
}

function invalidTests(row: Requirement, tests: readonly TestResult[]): string[] {
  const failed = tests.filter(({ outcome }) => outcome === 'failed');
  const faults = failed.map(({ title }) => `failed: ${title}`);
  if (row.shownBy.length === 0) faults.push('names no test file');
  for (const file of row.shownBy) {
    const passed = tests.some((test) => test.file === file && test.outcome === 'passed');
    if (!passed) faults.push(`has no passing test in ${file}`);
  }
  return faults;
}

function invalidPages(
  row: Requirement,
  tests: readonly TestResult[],
  context: CheckContext,
): string[] {
  const faults: string[] = [];
  if (tests.length > 0) faults.push(`is a ${row.kind}, and yet "${tests[0]?.title}" carries it`);
  if (row.kind !== 'gap' && row.shownBy.length === 0) faults.push('names no page');
  for (const place of row.shownBy) {
    const [page = '', heading = ''] = place.split('#');
    const headings = context.headingsOf(page);
    if (!headings) faults.push(`names ${page}, which is not there`);
    else if (!headings.has(heading)) faults.push(`names ${place}, a heading that is not there`);
  }
  return faults;
}
