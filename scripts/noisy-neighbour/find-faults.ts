import { type BaselineTimes, type CaseResult, percentile } from './run-case.ts';

export interface Limits {
  /** The share of tutor B's calls that must be within the limit; 1 means all of them. */
  share: number;
  /** How much longer these calls may take than without an attack. */
  delayMs: number;
  /** The most processor time that one turn of the API's event loop may use. */
  stallMs: number;
  minSamples: number;
}

export interface Fault {
  kind: 'server error' | 'slow' | 'stall' | 'too few samples';
  detail: string;
}

export function findFaults(result: CaseResult, quiet: BaselineTimes, limits: Limits): Fault[] {
  const { samples, stalls, hung } = result;
  const faults: Fault[] = [];
  const failed = samples.filter(({ status }) => status === 0 || status >= 400);
  if (failed.length > 0) {
    const statuses = Object.entries(
      Object.groupBy(failed, ({ kind, status }) => `${kind} ${status || 'without response'}`),
    );
    const detail = statuses.map(([name, list]) => `${list?.length} × ${name}`).join(', ');
    faults.push({ kind: 'server error', detail: `of ${samples.length} calls ${detail}` });
  }
  const delay = percentile(
    samples.map((sample) => sample.ms - quiet[sample.kind]),
    limits.share,
  );
  if (delay > limits.delayMs)
    faults.push({
      kind: 'slow',
      detail: `${limits.share === 1 ? 'slowest' : `p${limits.share * 100}`} ${formatMs(delay)} over quiet`,
    });
  const longest = [...stalls, ...hung.filter(({ process }) => process.startsWith('api'))]
    .filter(({ ms }) => ms > limits.stallMs)
    .toSorted((a, b) => b.ms - a.ms);
  for (const { process, ms, functions } of longest.slice(0, 1))
    faults.push({
      kind: 'stall',
      detail: `${process} ${formatMs(ms)} of processor time${functions ? `: ${functions}` : ''}`,
    });
  if (samples.length < limits.minSamples)
    faults.push({ kind: 'too few samples', detail: `${samples.length} of ${limits.minSamples}` });
  return faults;
}

export const formatMs = (ms: number): string => `${Math.round(ms).toLocaleString('en-GB')} ms`;

/** The kinds of fault that may reveal each planted operation; one of them is enough. */
const EXPECTED_FAULT_KINDS: Record<string, readonly Fault['kind'][]> = {
  quadratic: ['stall'],
  connection: ['server error', 'slow'],
};

export const isSabotageDetected = (
  cases: readonly { name: string; faults: readonly Fault[] }[],
): boolean =>
  Object.entries(EXPECTED_FAULT_KINDS).every(([operation, kinds]) =>
    cases.some(
      ({ name, faults }) =>
        name.includes(`/planted/${operation}`) && faults.some(({ kind }) => kinds.includes(kind)),
    ),
  );
