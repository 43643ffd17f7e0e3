import type { TestResult } from '../results/test-results.ts';
import { resultsById } from '../spec/coverage.ts';
import { ID_PATTERNS } from '../spec/ids-in-title.ts';
import { type AsvsRequirement, COVERAGE_KINDS, type CoverageKind } from './parse-requirements.ts';

/** Number of applicable requirements in each chapter of ASVS 5.0 (levels 1 and 2): 201 in total. */
export const APPLICABLE_COUNTS: Readonly<Record<string, number>> = {
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
  /** The anchors of a page's headings; undefined if the page does not exist. */
  anchorsOf: (page: string) => ReadonlySet<string> | undefined;
  applicableCounts: Readonly<Record<string, number>>;
}

export interface RequirementsReport {
  counts: Record<CoverageKind, number>;
  faults: string[];
}

/** Checks the list of requirements against the test results and the pages. */
export function checkRequirements(
  list: readonly AsvsRequirement[],
  context: CheckContext,
): RequirementsReport {
  const testsById = resultsById(context.results, ID_PATTERNS.asvs);
  const counts: RequirementsReport['counts'] = { test: 0, document: 0, deployment: 0, gap: 0 };
  const faults = [...findInvalidRows(list, context.applicableCounts)];
  for (const row of list) {
    const tests = testsById.get(row.req) ?? [];
    const rowFaults =
      row.kind === 'test' ? findTestFaults(row, tests) : findPageFaults(row, tests, context);
    faults.push(...rowFaults.map((fault) => `${row.req} ${fault}`));
    if (rowFaults.length === 0) counts[row.kind] += 1;
  }
  const known = new Set(list.map(({ req }) => req));
  for (const [id, tests] of testsById)
    if (!known.has(id)) faults.push(`${id} in the title "${tests[0]?.title}" is not in the list`);
  return { counts, faults };
}

function findInvalidRows(
  list: readonly AsvsRequirement[],
  applicable: CheckContext['applicableCounts'],
): string[] {
  const faults = list
    .filter(({ req }, index) => list.findIndex((row) => row.req === req) !== index)
    .map(({ req }) => `${req} is listed twice`);
  for (const [chapter, count] of Object.entries(applicable)) {
    const rows = list.filter(({ req }) => req.startsWith(`${chapter}.`)).length;
    if (rows !== count) faults.push(`${chapter} has ${rows} rows, but ${count} requirements apply`);
  }
  for (const { req, kind, note } of list) {
    if (!ID_PATTERNS.asvs.test(req)) faults.push(`"${req}" is not a requirement id`);
    if (!COVERAGE_KINDS.includes(kind)) faults.push(`${req} has the unknown kind "${kind}"`);
    if (note === '') faults.push(`${req} has no note`);
  }
  return faults;
}

function findTestFaults(row: AsvsRequirement, tests: readonly TestResult[]): string[] {
  const failed = tests.filter(({ outcome }) => outcome === 'failed');
  const faults = failed.map(({ title }) => `failed: ${title}`);
  if (row.coveredBy.length === 0) faults.push('lists no test file');
  for (const file of row.coveredBy) {
    const passed = tests.some((test) => test.file === file && test.outcome === 'passed');
    if (!passed) faults.push(`has no passing test in ${file}`);
  }
  return faults;
}

function findPageFaults(
  row: AsvsRequirement,
  tests: readonly TestResult[],
  context: CheckContext,
): string[] {
  const faults: string[] = [];
  if (tests.length > 0)
    faults.push(`has the kind ${row.kind}, but "${tests[0]?.title}" has its id`);
  if (row.kind !== 'gap' && row.coveredBy.length === 0) faults.push('lists no page');
  for (const link of row.coveredBy) {
    const [page = '', heading = ''] = link.split('#');
    const headings = context.anchorsOf(page);
    if (!headings) faults.push(`lists ${page}, which does not exist`);
    else if (!headings.has(heading)) faults.push(`lists ${link}, a heading that does not exist`);
  }
  return faults;
}
