import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Fault } from './assertions.ts';
import type { Phase } from './phases.ts';

interface Run {
  seed: number;
  seconds: number;
  table: boolean;
}

interface Check {
  title: string;
  passed: boolean;
}

/** Prints what happened, leaves it for the closing line and the table of cases, and gives the exit code. */
export function report(phases: readonly Phase[], { seed, seconds, table }: Run): number {
  for (const part of phases) {
    const expected = part.name === 'planted' || part.name === 'without both';
    console.log(`\n${part.name}: ${part.stats.summary()}; ${Math.round(part.seconds)} s`);
    if (table) for (const line of part.stats.table()) console.log(`  ${line}`);
    for (const line of groupFaults(part.faults))
      console.log(`  ${expected ? 'found' : 'FAULT'}  ${line}`);
  }
  const checks = phases.flatMap(toChecks);
  const total = phases.reduce((sum, part) => sum + part.stats.requests, 0);
  const failed = checks.filter(({ passed }) => !passed);
  for (const { title } of failed) console.log(`FAILED ${title}`);
  console.log(
    `\nhostile: seed ${seed}, ${total} requests in ${Math.round(seconds)} s, ${checks.length - failed.length} checks held, ${failed.length} did not`,
  );
  saveResults(checks);
  return failed.length === 0 ? 0 : 1;
}

const SHOWN = 3;

/** The same fault of one operation is told a few times and then counted. */
function groupFaults(faults: readonly Fault[]): string[] {
  const groups = Map.groupBy(faults, ({ kind, operation }) => `${kind}: ${operation}`);
  return [...groups].flatMap(([name, list]) => [
    `${name} (${list.length})`,
    ...list.slice(0, SHOWN).map(({ detail }) => `         ${detail}`),
  ]);
}

function toChecks({ name, faults }: Phase): Check[] {
  const none = (title: string, ...kinds: Fault['kind'][]): Check => ({
    title: `hostile, ${name}: ${title}`,
    passed: !faults.some(({ kind }) => kinds.includes(kind)),
  });
  const found = (title: string, kind: Fault['kind'], where: RegExp): Check => ({
    title: `hostile, ${name}: ${title}`,
    passed: faults.some((fault) => fault.kind === kind && where.test(fault.operation)),
  });
  if (name === 'planted')
    return [
      found('a canary in base64 is found', 'leak', /planted\/leak/),
      found('a server error is found', 'server error', /planted\/error/),
      found('an answer that is too slow is found', 'slow', /planted\/slow/),
      found('a tutor taken from the body is found', 'changed', /database/),
      found('a call that takes every id is found', 'succeeded', /planted\/students/),
      found('[T08] a route that is not described is found', 'undescribed', /planted\/undescribed/),
    ];
  if (name === 'without both')
    return [found('with both walls gone the canaries are seen', 'leak', /^GET /)];
  return [
    none("[T06, T07] no answer shows anything of another tutor's", 'leak'),
    none(
      '[T06, T07] nothing of another tutor’s can be named, and nothing of it changes',
      'succeeded',
      'changed',
    ),
    none('every request is answered without a server error', 'server error', 'no answer'),
    none('no answer is too slow', 'slow'),
    ...(name === 'as it is'
      ? [
          none('every operation was reached', 'stopped early'),
          none('[T08] every route that is served is described', 'undescribed'),
        ]
      : []),
  ];
}

/** In the form of Vitest's, so that whoever counts tests counts these too. */
function saveResults(checks: readonly Check[]): void {
  const folder = fileURLToPath(new URL('../../.cache/results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const assertionResults = checks.map(({ title, passed }) => ({
    fullName: title,
    status: passed ? 'passed' : 'failed',
  }));
  const status = checks.every(({ passed }) => passed) ? 'passed' : 'failed';
  writeFileSync(
    `${folder}hostile.json`,
    JSON.stringify({ testResults: [{ name: 'hostile', status, assertionResults }] }),
  );
}
