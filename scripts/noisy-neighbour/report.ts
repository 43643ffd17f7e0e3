import { saveResults } from '../results/test-results.ts';
import { type Fault, formatMs } from './find-faults.ts';
import { SAMPLE_KINDS, type Sample } from './measured-tutor.ts';
import type { BaselineTimes, CaseResult } from './run-case.ts';

export function formatCase(result: CaseResult, faults: readonly Fault[]): string {
  const slowest = SAMPLE_KINDS.map(
    (kind) => `${kind} ${formatMs(slowestOf(result.samples, kind))}`,
  );
  const stall = Math.max(0, ...result.stalls.map(({ ms }) => ms));
  const statuses = Object.entries(result.statuses)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no response' : status}`);
  const summary = `${result.samples.length} calls of B, slowest ${slowest.join(', ')}; longest turn ${formatMs(stall)}; A got ${statuses.join(', ') || 'nothing'}`;
  return [
    `${faults.length === 0 ? 'ok    ' : 'FAILED'} ${result.name} (${result.seconds.toFixed(1)} s)`,
    `         ${summary}`,
    ...faults.map(({ kind, detail }) => `         ${kind}: ${detail}`),
    ...(faults.length === 0 ? [] : result.statements.map((text) => `         running ${text}`)),
    ...result.hung.map(({ process }) => `         ${process} had to be restarted`),
  ].join('\n');
}

export const formatBaseline = (quiet: BaselineTimes): string =>
  SAMPLE_KINDS.map((kind) => `${kind} ${formatMs(quiet[kind])}`).join(', ');

const slowestOf = (samples: readonly Sample[], kind: string): number =>
  Math.max(0, ...samples.filter((sample) => sample.kind === kind).map(({ ms }) => ms));

/** Saves one result for each case, for the summary. */
export function saveCaseResults(
  cases: readonly { name: string; faults: readonly Fault[] }[],
): void {
  saveResults(
    'neighbour',
    cases.map(({ name, faults }) => ({
      title: `neighbour: ${name}`,
      outcome: faults.length === 0 ? 'passed' : 'failed',
      file: 'scripts/noisy-neighbour.ts',
    })),
  );
}
