import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MAIL_COMPLETE, MAIL_DUPLICATES } from './checks/mail.ts';
import { INVARIANTS_HOLD, NOTHING_DUPLICATED, NOTHING_LOST } from './checks/saved-data.ts';
import {
  CALENDAR_MATCHES,
  CARDS_MATCH,
  NO_STUCK_JOBS,
  NOTIFICATIONS_COMPLETE,
  WEBHOOKS_HANDLED_ONCE,
} from './checks/vendors-jobs-and-notifications.ts';
import { NO_UNEXPECTED_EXIT, RECOVERS_IN_TIME } from './fault-injectors/supervisor.ts';
import {
  ALWAYS_RESPONDS,
  type ChaosResults,
  NO_SERVER_ERRORS,
  REFUSALS_EXPLAINED,
} from './results.ts';
import type { Victim } from './run-sizes.ts';
import type { SelfTest } from './self-test.ts';

/** All the checks in a run; each reported violation names one of them. */
export const CHECKS = [
  NOTHING_LOST,
  NOTHING_DUPLICATED,
  INVARIANTS_HOLD,
  RECOVERS_IN_TIME,
  NO_UNEXPECTED_EXIT,
  NO_SERVER_ERRORS,
  ALWAYS_RESPONDS,
  REFUSALS_EXPLAINED,
  MAIL_COMPLETE,
  MAIL_DUPLICATES,
  WEBHOOKS_HANDLED_ONCE,
  CARDS_MATCH,
  CALENDAR_MATCHES,
  NOTIFICATIONS_COMPLETE,
  NO_STUCK_JOBS,
];

const MAX_SHOWN_VIOLATIONS = 5;

export interface Outcome {
  results: ChaosResults;
  recoveryTimes: Record<Victim, number[]>;
  checksRun: number;
  valuesCompared: number;
  seconds: number;
  notes: string[];
}

export const hasNoViolations = ({ results }: Outcome): boolean => results.violations.length === 0;

export const isDetected = ({ results }: Outcome, { detectedBy }: SelfTest): boolean =>
  results.violations.some(({ check }) => check === detectedBy);

export function formatOutcome(outcome: Outcome): string {
  const { results, recoveryTimes, checksRun, valuesCompared, seconds } = outcome;
  const kills = Object.values(recoveryTimes).flat().length;
  const lines = [
    `${formatCount(results.acknowledged)} writes acknowledged, ${formatCount(results.refused)} refused, ${kills} kills, ${seconds.toFixed(0)} s (${(results.acknowledged / seconds).toFixed(0)} writes a second)`,
    `${formatCount(results.unanswered)} attempts without a response, ${formatCount(results.unavailable)} with 503; ${formatCount(checksRun)} data checks, ${formatCount(valuesCompared)} values compared`,
    ...outcome.notes,
    '',
    'killed     times        recovery: median      worst',
    ...Object.entries(recoveryTimes).map(
      ([victim, ms]) =>
        `${victim.padEnd(10)} ${String(ms.length).padStart(5)} ${formatSeconds(percentile(ms, 0.5)).padStart(24)} ${formatSeconds(percentile(ms, 1)).padStart(10)}`,
    ),
    '',
    ...CHECKS.map((check) => {
      const count = results.violations.filter((violation) => violation.check === check).length;
      return `${count === 0 ? 'ok    ' : 'BROKEN'} ${check}${count === 0 ? '' : `: ${count}`}`;
    }),
  ];
  for (const [check, violations] of Map.groupBy(results.violations, (each) => each.check)) {
    lines.push(
      '',
      `${check}:`,
      ...violations.slice(0, MAX_SHOWN_VIOLATIONS).map(({ detail }) => `  ${detail}`),
    );
  }
  return lines.join('\n');
}

/** Writes the results for scripts/results/summary.ts, which counts the tests in a full run. */
export function writeResults(file: string, { results }: Outcome): void {
  const broken = new Set(results.violations.map((violation) => violation.check));
  const checkResults = CHECKS.map((check) => ({
    title: `chaos: ${check}`,
    outcome: broken.has(check) ? 'failed' : 'passed',
    file: 'chaos/run.ts',
  }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(checkResults, null, 2));
}

const percentile = (values: readonly number[], share: number): number | undefined => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
};
const formatSeconds = (ms: number | undefined): string =>
  ms === undefined ? '' : `${(ms / 1000).toFixed(2)} s`;
const formatCount = (number: number): string => number.toLocaleString('en-GB');
