import { CHECKS } from '@lessonbook/chaos/src/report.ts';
import type { ChaosResults } from '@lessonbook/chaos/src/results.ts';
import { FAULT_KINDS, FAULTS, type FaultKind } from './fault-plan.ts';

export interface MeasuredFault {
  kind: FaultKind;
  ms: number;
  /** From the repair until all three machines are healthy again. */
  rejoinMs: number;
}

export interface Outcome {
  results: ChaosResults;
  measured: readonly MeasuredFault[];
  checksRun: number;
  valuesCompared: number;
  /** Acknowledged writes of the tutors whose responses are timed. */
  timed: number;
  /** Those tutors' slowest response. */
  slowestMs: number;
  seconds: number;
  notes: readonly string[];
}

export const ONE_PRIMARY = 'never two primaries';
const MAX_SHOWN_VIOLATIONS = 5;
const formatCount = (number: number): string => number.toLocaleString('en-GB');
const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

export function formatOutcome(outcome: Outcome): string {
  const { results, measured, timed, seconds, checksRun, valuesCompared } = outcome;
  const lines = [
    `${formatCount(results.acknowledged + timed)} writes acknowledged, ${measured.length} faults, ${seconds.toFixed(0)} s; ${formatCount(results.unavailable)} attempts with 503 and ${formatCount(results.unanswered)} without a response`,
    `${formatCount(checksRun)} data checks, ${formatCount(valuesCompared)} values compared; slowest response ${formatSeconds(outcome.slowestMs)}`,
    ...outcome.notes,
    '',
    `${'fault'.padEnd(38)} times  median   worst   limit  measured       machines back: worst`,
    ...FAULT_KINDS.flatMap((kind) => formatKind(kind, measured)),
    '',
    ...[...CHECKS, ONE_PRIMARY].map((check) => {
      const count = results.violations.filter((violation) => violation.check === check).length;
      return count === 0 ? `ok     ${check}` : `BROKEN ${check}: ${count}`;
    }),
  ];
  for (const [check, violations] of Map.groupBy(results.violations, (each) => each.check))
    lines.push(
      '',
      `${check}:`,
      ...violations.slice(0, MAX_SHOWN_VIOLATIONS).map((each) => `  ${each.detail}`),
    );
  return lines.join('\n');
}

function formatKind(kind: FaultKind, measured: readonly MeasuredFault[]): string[] {
  const ofKind = measured.filter((fault) => fault.kind === kind);
  if (ofKind.length === 0) return [];
  const { description, limitMs, measured: from } = FAULTS[kind];
  const times = ofKind.map(({ ms }) => ms);
  const columns = [
    description.padEnd(38),
    String(times.length).padStart(5),
    formatSeconds(median(times)).padStart(7),
    formatSeconds(Math.max(...times)).padStart(7),
    formatSeconds(limitMs).padStart(7),
    ` ${from.padEnd(14)}`,
    formatSeconds(Math.max(...ofKind.map(({ rejoinMs }) => rejoinMs))).padStart(18),
  ];
  return [columns.join(' ')];
}
