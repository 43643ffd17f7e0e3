import type { TestResult } from '../results/test-results.ts';
import { idsInTitle } from './ids-in-title.ts';
import type { LedgerEntry } from './ledger.ts';

export interface AreaCount {
  total: number;
  passing: number;
}

export interface Coverage {
  areas: Record<string, AreaCount>;
  /** Ledger entries without a test, or with a skipped or failed one. */
  missing: LedgerEntry[];
  /** Ids of failed tests. */
  failed: Array<{ id: string; title: string }>;
  /** Ids in test titles that are not in the ledger. */
  unknown: Array<{ id: string; title: string }>;
}

/** Test results by the ids in their titles. */
export function resultsById(
  results: readonly TestResult[],
  form?: RegExp,
): Map<string, TestResult[]> {
  const byId = new Map<string, TestResult[]>();
  for (const result of results) {
    for (const id of idsInTitle(result.title, form)) {
      byId.set(id, [...(byId.get(id) ?? []), result]);
    }
  }
  return byId;
}

/** An id passes when it has at least one test and all its tests passed. */
export function measureCoverage(
  ledger: readonly LedgerEntry[],
  results: readonly TestResult[],
  form?: RegExp,
): Coverage {
  const byId = resultsById(results, form);
  const known = new Set(ledger.map((entry) => entry.id));
  const coverage: Coverage = { areas: {}, missing: [], failed: [], unknown: [] };

  for (const entry of ledger) {
    const tests = byId.get(entry.id) ?? [];
    const passes = tests.length > 0 && tests.every((test) => test.outcome === 'passed');
    const area = (coverage.areas[entry.area] ??= { total: 0, passing: 0 });
    area.total += 1;
    if (passes) area.passing += 1;
    else coverage.missing.push(entry);
  }
  for (const [id, tests] of byId) {
    for (const { title, outcome } of tests) {
      if (!known.has(id)) coverage.unknown.push({ id, title });
      else if (outcome === 'failed') coverage.failed.push({ id, title });
    }
  }
  return coverage;
}
