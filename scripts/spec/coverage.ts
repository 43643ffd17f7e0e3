import type { TestResult } from '../results/test-results.ts';
import { idsInTitle } from './ids-in-title.ts';
import type { LedgerEntry } from './ledger.ts';

export interface AreaCount {
  total: number;
  passing: number;
}

export interface Coverage {
  areas: Record<string, AreaCount>;
  /** In the ledger, but no test carries it, or one of them was skipped or failed. */
  missing: LedgerEntry[];
  /** Carried by a test that failed. */
  failed: Array<{ id: string; title: string }>;
  /** Carried by a test, but not in the ledger. */
  unknown: Array<{ id: string; title: string }>;
}

/** The tests that carry each id of a list. */
export function carriersById(
  results: readonly TestResult[],
  form?: RegExp,
): Map<string, TestResult[]> {
  const carriers = new Map<string, TestResult[]>();
  for (const result of results) {
    for (const id of idsInTitle(result.title, form)) {
      carriers.set(id, [...(carriers.get(id) ?? []), result]);
    }
  }
  return carriers;
}

/** An id passes when at least one test carries it and all tests that carry it passed. */
export function measureCoverage(
  ledger: readonly LedgerEntry[],
  results: readonly TestResult[],
  form?: RegExp,
): Coverage {
  const carriers = carriersById(results, form);
  const known = new Set(ledger.map((entry) => entry.id));
  const coverage: Coverage = { areas: {}, missing: [], failed: [], unknown: [] };

  for (const entry of ledger) {
    const tests = carriers.get(entry.id) ?? [];
    const passes = tests.length > 0 && tests.every((test) => test.outcome === 'passed');
    const area = (coverage.areas[entry.area] ??= { total: 0, passing: 0 });
    area.total += 1;
    if (passes) area.passing += 1;
    else coverage.missing.push(entry);
  }
  for (const [id, tests] of carriers) {
    for (const { title, outcome } of tests) {
      if (!known.has(id)) coverage.unknown.push({ id, title });
      else if (outcome === 'failed') coverage.failed.push({ id, title });
    }
  }
  return coverage;
}
