import { cpus } from 'node:os';
import type { CpuTimes } from './cpu.ts';
import type { Finding } from './sql/check-query-plans.ts';

export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface Goal {
  what: string;
  measured: number;
  bound: number;
  kind: 'at most' | 'at least';
  /** Printed when the goal is missed. */
  bottleneck: string;
}

export interface Outcome {
  notes: readonly string[];
  tables: readonly Table[];
  goals: readonly Goal[];
  findings: readonly Finding[];
}

export const isMet = ({ kind, measured, bound }: Goal): boolean =>
  kind === 'at most' ? measured <= bound : measured >= bound;

/** Formats the outcome as Markdown, for the terminal and the docs. */
export function formatOutcome({ notes, tables, goals, findings }: Outcome): string {
  return [
    notes.join('\n\n'),
    ...tables.map((table) => `${table.title}\n\n${formatTable(table)}`),
    goals.map(formatGoal).join('\n'),
    findings.length === 0
      ? 'Plans: every statement reads through an index that starts with the tutor.'
      : `Plans:\n\n${findings.map(formatFinding).join('\n')}`,
  ].join('\n\n');
}

function formatTable({ columns, rows }: Table): string {
  const widths = columns.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const separator = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [row(columns), separator, ...rows.map(row)].join('\n');
}

function formatGoal(goal: Goal): string {
  const measured = Number.isInteger(goal.measured) ? goal.measured : goal.measured.toFixed(2);
  const summary = `${goal.what}: ${measured}, goal ${goal.kind} ${goal.bound}`;
  return isMet(goal) ? `- met: ${summary}` : `- MISSED: ${summary}. ${goal.bottleneck}`;
}

const MAX_STATEMENT_LENGTH = 300;

/** Omits the selected columns and shows the end of the statement, which holds the conditions. */
function formatFinding({ statement, what, isFault }: Finding): string {
  const short = statement.replace(/^select .*? from /, 'select … from ');
  const shown =
    short.length > MAX_STATEMENT_LENGTH ? `… ${short.slice(-MAX_STATEMENT_LENGTH)}` : short;
  return `- ${isFault ? 'FAULT' : 'note'}: ${what}\n  in \`${shown}\``;
}

const BUSY_CORES = 0.9;
const MAX_NOISE_CORES = 0.2;

/** Describes which processes used the processor time. */
export function describeBottleneck({ api, postgres, client, others }: CpuTimes): string {
  const all = cpus().length;
  const shares = `API ${formatCores(api)}, PostgreSQL ${formatCores(postgres)}, client ${formatCores(client)}, other programs ${formatCores(others)} of ${all} cores`;
  if (others >= MAX_NOISE_CORES)
    return `Other programs used the processor, so this result is not valid (${shares})`;
  if (api >= BUSY_CORES) return `The API process uses a full core (${shares})`;
  if (api + postgres + client >= BUSY_CORES * all) return `All cores are in use (${shares})`;
  return `Cores are idle (${shares}): the time is spent waiting for the disk or for locks`;
}

/** Returns a warning if other load on the machine makes the results invalid. */
export const describeNoise = (others: number): string[] =>
  others < MAX_NOISE_CORES
    ? []
    : [
        `**Other programs used up to ${formatCores(others)} of ${cpus().length} cores: this run is not valid and must be repeated.**`,
      ];

export const formatCores = (value: number): string => value.toFixed(2);
export const formatMilliseconds = (value: number): string => value.toFixed(2);
export const formatCount = (value: number): string => Math.round(value).toLocaleString('en-GB');
