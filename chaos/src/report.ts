import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DOUBLED, INVARIANT, LOST } from './checks/book.ts';
import { MAIL, REPEATS } from './checks/mail.ts';
import { CALENDAR, CALLS, CARDS, JOBS, NOTICES } from './checks/vendors.ts';
import { SERVING, STAYS_UP } from './killers/supervisor.ts';
import type { Victim } from './plan.ts';
import type { Sabotage } from './sabotage.ts';
import { ANSWERED, EXPLAINED, NO_FAULT, type Tally } from './tally.ts';

/** Everything that a run stands for; a fault names one of these. */
export const CHECKS = [
  LOST,
  DOUBLED,
  INVARIANT,
  SERVING,
  STAYS_UP,
  NO_FAULT,
  ANSWERED,
  EXPLAINED,
  MAIL,
  REPEATS,
  CALLS,
  CARDS,
  CALENDAR,
  NOTICES,
  JOBS,
];

const SHOWN = 5;

export interface Outcome {
  tally: Tally;
  times: Record<Victim, number[]>;
  looks: number;
  compared: number;
  seconds: number;
  notes: string[];
}

export const isClean = ({ tally }: Outcome): boolean => tally.faults.length === 0;

export const isNoticed = ({ tally }: Outcome, { noticedBy }: Sabotage): boolean =>
  tally.faults.some(({ check }) => check === noticedBy);

export function inWords(outcome: Outcome): string {
  const { tally, times, looks, compared, seconds } = outcome;
  const kills = Object.values(times).flat().length;
  const lines = [
    `${count(tally.acknowledged)} writes acknowledged, ${count(tally.refused)} refused, ${kills} kills, ${seconds.toFixed(0)} s (${(tally.acknowledged / seconds).toFixed(0)} writes a second)`,
    `${count(tally.unanswered)} attempts without an answer, ${count(tally.comeAgain)} told to come again; ${count(looks)} looks into books, ${count(compared)} things compared`,
    ...outcome.notes,
    '',
    'killed     times   serving again: median      worst',
    ...Object.entries(times).map(
      ([victim, ms]) =>
        `${victim.padEnd(10)} ${String(ms.length).padStart(5)} ${inSeconds(percentile(ms, 0.5)).padStart(24)} ${inSeconds(percentile(ms, 1)).padStart(10)}`,
    ),
    '',
    ...CHECKS.map((check) => {
      const faults = tally.faults.filter((fault) => fault.check === check);
      return `${faults.length === 0 ? 'ok    ' : 'BROKEN'} ${check}${faults.length === 0 ? '' : `: ${faults.length}`}`;
    }),
  ];
  for (const check of new Set(tally.faults.map((fault) => fault.check))) {
    const faults = tally.faults.filter((fault) => fault.check === check);
    lines.push('', `${check}:`, ...faults.slice(0, SHOWN).map(({ detail }) => `  ${detail}`));
  }
  return lines.join('\n');
}

/** For the closing line of a full run, which counts tests of all kinds. */
export function writeResults(file: string, { tally }: Outcome): void {
  const broken = new Set(tally.faults.map((fault) => fault.check));
  const results = CHECKS.map((check) => ({
    title: `chaos: ${check}`,
    outcome: broken.has(check) ? 'failed' : 'passed',
    file: 'chaos/run.ts',
  }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results, null, 2));
}

const percentile = (values: readonly number[], share: number): number | undefined => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
};
const inSeconds = (ms: number | undefined): string =>
  ms === undefined ? '' : `${(ms / 1000).toFixed(2)} s`;
const count = (number: number): string => number.toLocaleString('en-GB');
