import type { TestResult } from '../results/test-results.ts';
import { idsInTitle } from './ids-in-title.ts';
import type { Requirement } from './requirements.ts';

export interface AreaCount {
  total: number;
  passing: number;
}

export interface Coverage {
  areas: Record<string, AreaCount>;
  /** Requirements without a test, or with a skipped or failed one. */
  notPassing: Requirement[];
  /** Ids of failed tests. */
  failed: Array<{ id: string; title: string }>;
  /** Ids in test titles that are not in the list of requirements. */
  unknown: Array<{ id: string; title: string }>;
}

/** Test results by the ids in their titles. */
export function resultsById(
  results: readonly TestResult[],
  idPattern?: RegExp,
): Map<string, TestResult[]> {
  const byId = new Map<string, TestResult[]>();
  for (const result of results) {
    for (const id of idsInTitle(result.title, idPattern)) {
      byId.set(id, [...(byId.get(id) ?? []), result]);
    }
  }
  return byId;
}

/** A requirement passes when it has at least one test and all its tests passed. */
export function measureCoverage(
  requirements: readonly Requirement[],
  results: readonly TestResult[],
  idPattern?: RegExp,
): Coverage {
  const byId = resultsById(results, idPattern);
  const known = new Set(requirements.map((requirement) => requirement.id));
  const coverage: Coverage = { areas: {}, notPassing: [], failed: [], unknown: [] };

  for (const requirement of requirements) {
    const tests = byId.get(requirement.id) ?? [];
    const passes = tests.length > 0 && tests.every((test) => test.outcome === 'passed');
    const area = (coverage.areas[requirement.area] ??= { total: 0, passing: 0 });
    area.total += 1;
    if (passes) area.passing += 1;
    else coverage.notPassing.push(requirement);
  }
  for (const [id, tests] of byId) {
    for (const { title, outcome } of tests) {
      if (!known.has(id)) coverage.unknown.push({ id, title });
      else if (outcome === 'failed') coverage.failed.push({ id, title });
    }
  }
  return coverage;
}
