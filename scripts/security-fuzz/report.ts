import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Fault } from './assertions.ts';
import type { Phase } from './phases.ts';

interface ReportOptions {
  seed: number;
  seconds: number;
  table: boolean;
}

interface Check {
  title: string;
  passed: boolean;
}

/** Prints the results, saves them for the summary and the abuse cases, and returns the exit code. */
export function report(phases: readonly Phase[], { seed, seconds, table }: ReportOptions): number {
  // The unexpected faults come last, because some tools keep only the end of a long log.
  for (const phase of phases.toSorted(
    (a, b) => Number(hasSeededFaults(b)) - Number(hasSeededFaults(a)),
  )) {
    const expected = hasSeededFaults(phase);
    console.log(`\n${phase.name}: ${phase.stats.summary()}; ${Math.round(phase.seconds)} s`);
    if (table) for (const line of phase.stats.tableRows()) console.log(`  ${line}`);
    for (const line of groupFaults(phase.faults))
      console.log(`  ${expected ? 'found' : 'FAULT'}  ${line}`);
  }
  const checks = phases.flatMap(toChecks);
  const total = phases.reduce((sum, phase) => sum + phase.stats.requests, 0);
  const failed = checks.filter(({ passed }) => !passed);
  for (const { title } of failed) console.log(`FAILED ${title}`);
  for (const phase of phases)
    if (phase.errorLog && !hasSeededFaults(phase)) console.log(phase.errorLog);
  console.log(
    `\nfuzz: seed ${seed}, ${total} requests in ${Math.round(seconds)} s, ${checks.length - failed.length} checks passed, ${failed.length} failed`,
  );
  saveResults(checks);
  return failed.length === 0 ? 0 : 1;
}

/** The phases in which faults must be found. */
const hasSeededFaults = ({ name }: Phase): boolean =>
  name === 'seeded bugs' || name === 'without both';

const SHOWN_EXAMPLES = 3;

/** Groups faults of the same kind and operation, with a few examples. */
function groupFaults(faults: readonly Fault[]): string[] {
  const groups = Map.groupBy(faults, ({ kind, operation }) => `${kind}: ${operation}`);
  return [...groups].flatMap(([name, list]) => [
    `${name} (${list.length})`,
    ...list.slice(0, SHOWN_EXAMPLES).map(({ detail }) => `         ${detail}`),
  ]);
}

function toChecks({ name, faults }: Phase): Check[] {
  const none = (title: string, ...kinds: Fault['kind'][]): Check => ({
    title: `fuzz, ${name}: ${title}`,
    passed: !faults.some(({ kind }) => kinds.includes(kind)),
  });
  const checkDetected = (title: string, kind: Fault['kind'], where: RegExp): Check => ({
    title: `fuzz, ${name}: ${title}`,
    passed: faults.some((fault) => fault.kind === kind && where.test(fault.operation)),
  });
  if (name === 'seeded bugs')
    return [
      checkDetected('detects a canary in base64', 'leak', /planted\/leak/),
      checkDetected('detects a server error', 'server error', /planted\/error/),
      checkDetected('detects a slow response', 'slow', /planted\/slow/),
      checkDetected('detects a tutor id taken from the body', 'changed', /database/),
      checkDetected('detects an operation that accepts any id', 'succeeded', /planted\/students/),
      checkDetected('[T08] detects an undocumented route', 'undocumented', /planted\/undocumented/),
    ];
  if (name === 'without both')
    return [checkDetected('canaries leak when both tenant checks are off', 'leak', /^GET /)];
  return [
    none("[T06, T07] no response shows another tutor's data", 'leak'),
    none(
      "[T06, T07] another tutor's ids are not accepted, and their data does not change",
      'succeeded',
      'changed',
    ),
    none('no request causes a server error or gets no response', 'server error', 'no response'),
    none('no response is slow', 'slow'),
    ...(name === 'unmodified'
      ? [
          none('requests reach the service of every operation', 'not reached'),
          none('[T08] every route is documented', 'undocumented'),
        ]
      : []),
  ];
}

/** Saves the results in Vitest's format, for scripts/results/test-results.ts. */
function saveResults(checks: readonly Check[]): void {
  const folder = fileURLToPath(new URL('../../.cache/results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const assertionResults = checks.map(({ title, passed }) => ({
    fullName: title,
    status: passed ? 'passed' : 'failed',
  }));
  const status = checks.every(({ passed }) => passed) ? 'passed' : 'failed';
  writeFileSync(
    `${folder}fuzz.json`,
    JSON.stringify({ testResults: [{ name: 'fuzz', status, assertionResults }] }),
  );
}
