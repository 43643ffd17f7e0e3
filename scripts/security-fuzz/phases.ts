import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { disableRowSecurity } from '@lessonbook/server/src/test/tenant-isolation-test-support.ts';
import {
  UNDOCUMENTED_ROUTES,
  undocumentedRoutes,
} from '@lessonbook/server/src/test/undocumented-routes.ts';
import type { Fault } from './assertions.ts';
import { findChanges, takeSnapshot } from './db-snapshot.ts';
import type { AttackCounts } from './generate-attacks.ts';
import { type Operation, readOperations } from './operations.ts';
import { ResponseStats } from './response-stats.ts';
import { runAttacks } from './run-attacks.ts';
import {
  type Api,
  createEnvironment,
  startTarget,
  type Target,
} from './start-system-under-test.ts';
import { createVictims, type Victims } from './victim-data.ts';

export type PhaseName =
  | 'unmodified'
  | 'without app-check'
  | 'without rls'
  | 'seeded bugs'
  | 'without both';

export interface Phase {
  name: PhaseName;
  faults: Fault[];
  stats: ResponseStats;
  /** The end of the API's log, with the stack traces of server errors; empty if there were none. */
  errorLog: string;
  seconds: number;
}

export interface FuzzOptions {
  seed: number;
  /** Minimum number of requests in total; 0 means one batch for each phase. */
  minRequests: number;
  /** A slower response is a fault. */
  slowMs: number;
  only: 'app-check' | 'rls' | undefined;
}

const SHORT_COUNTS: AttackCounts = {
  valid: 3,
  victimIds: 4,
  leakedTokens: 3,
  otherCallers: 2,
  malformedValues: 5,
  malformedBodies: 2,
  mutatedPaths: 2,
};
const LONG_COUNTS: AttackCounts = {
  valid: 6,
  victimIds: 9,
  leakedTokens: 8,
  otherCallers: 4,
  malformedValues: 12,
  malformedBodies: 4,
  mutatedPaths: 5,
};
/** For the phases without one of the tenant checks: the victims' ids, leaked tokens and other callers, but no malformed input. */
const TENANT_COUNTS: AttackCounts = {
  valid: 2,
  victimIds: 4,
  leakedTokens: 1,
  otherCallers: 1,
  malformedValues: 0,
  malformedBodies: 0,
  mutatedPaths: 0,
};
const LONG_TENANT_COUNTS: AttackCounts = {
  valid: 6,
  victimIds: 12,
  leakedTokens: 8,
  otherCallers: 3,
  malformedValues: 2,
  malformedBodies: 0,
  mutatedPaths: 0,
};

const NO_ATTACKS: AttackCounts = {
  valid: 0,
  victimIds: 0,
  leakedTokens: 0,
  otherCallers: 0,
  malformedValues: 0,
  malformedBodies: 0,
  mutatedPaths: 0,
};

export async function runPhases({
  seed,
  minRequests,
  slowMs,
  only,
}: FuzzOptions): Promise<Phase[]> {
  const target = await startTarget();
  try {
    seedDemo(target);
    const victims = await createVictims(target);
    const operations = await readOperations(target.unmodified.url);
    const run = { target, victims, seed, slowMs };
    const [allCounts, tenantCounts] =
      minRequests > 0 ? [LONG_COUNTS, LONG_TENANT_COUNTS] : [SHORT_COUNTS, TENANT_COUNTS];
    const globalTables = await findTablesWithoutPolicy(target);
    const unchecked = await target.startInstrumented({
      FUZZ_WITHOUT_CHECK: globalTables.join(','),
    });
    const reads = operations.filter(({ method }) => method === 'GET');
    const phases: Phase[] = [];
    const attack = async (name: PhaseName, options: Omit<PhaseOptions, keyof FuzzRun | 'name'>) =>
      phases.push(await runPhase({ ...run, name, ...options }));

    const share = { operations, counts: tenantCounts, requests: minRequests * 0.2 };
    if (!only) {
      await attack('unmodified', {
        ...share,
        api: target.unmodified,
        counts: allCounts,
        requests: minRequests * 0.6,
      });
      // The instrumented API has the same routes.
      phases[0]?.faults.push(...checkRoutesDocumented(unchecked, operations));
    }
    if (only !== 'rls') await attack('without app-check', { ...share, api: unchecked });
    if (!only) phases.push(await runSeededBugs(run, operations));
    await disableRowSecurity(target.app.databaseUrls.ownerUrl);
    if (only !== 'app-check') await attack('without rls', { ...share, api: target.unmodified });
    await attack('without both', {
      api: unchecked,
      operations: reads,
      counts: TENANT_COUNTS,
      requests: 0,
    });
    return phases;
  } finally {
    await target.close();
  }
}

interface FuzzRun {
  target: Target;
  victims: Victims;
  seed: number;
  slowMs: number;
}

interface PhaseOptions extends FuzzRun {
  name: PhaseName;
  api: Api;
  operations: readonly Operation[];
  counts: AttackCounts;
  requests: number;
}

async function runPhase(options: PhaseOptions): Promise<Phase> {
  const { target, victims, name, operations, requests } = options;
  // Without statistics on the rows that have just been added, joins are planned for empty tables and can take many seconds.
  await target.admin.query('analyze');
  const start = performance.now();
  const stats = new ResponseStats();
  const faults: Fault[] = [];
  const before = await takeSnapshot(target.admin, victims);
  do {
    const seed = options.seed + 1000 * stats.batches;
    const found = await runAttacks({
      ...options,
      ...options.api,
      seed,
      stats,
      slowMs: name === 'without both' ? Infinity : options.slowMs,
    });
    faults.push(...found);
    // A long run prints faults immediately.
    if (requests > 0)
      for (const { kind, detail } of found.slice(0, 5))
        console.log(`  seed ${seed}: ${kind}: ${detail}`);
    console.log(
      `${name}: ${stats.requests} requests in ${Math.round((performance.now() - start) / 1000)} s, ${faults.length} faults`,
    );
  } while (stats.requests < requests);
  if (name === 'unmodified') faults.push(...(await retryUnreached(options, stats)));
  faults.push(...(await findChanges(target.admin, victims, before)));
  if (name === 'unmodified') faults.push(...stats.unreachedOperations(operations));
  const errorLog = faults.some(({ kind }) => kind === 'server error')
    ? options.api.output().slice(-LOGGED_CHARACTERS)
    : '';
  return { name, faults, stats, errorLog, seconds: (performance.now() - start) / 1000 };
}

const LOGGED_CHARACTERS = 6000;

/** Sends more valid requests to operations that were not reached, because the few random requests may all have been rejected. */
async function retryUnreached(options: PhaseOptions, stats: ResponseStats): Promise<Fault[]> {
  const names = new Set(
    stats.unreachedOperations(options.operations).map((each) => each.operation),
  );
  if (names.size === 0) return [];
  return await runAttacks({
    ...options,
    ...options.api,
    operations: options.operations.filter((operation) => names.has(operation.name)),
    seed: options.seed + 1000 * stats.batches,
    counts: { ...NO_ATTACKS, valid: 30 },
    stats,
  });
}

/** Attacks only the seeded bugs, in a separate process, and compares that process's routes with its documentation. */
async function runSeededBugs(run: FuzzRun, documented: readonly Operation[]): Promise<Phase> {
  const canary = [...run.victims.canaryColumns.keys()][0] ?? '';
  const api = await run.target.startInstrumented({
    FUZZ_BUGS: canary,
    FUZZ_SLOW_MS: String(run.slowMs + 300),
  });
  const operations = await readOperations(api.url);
  const known = new Set(documented.map(({ name }) => name));
  const bugs = operations.filter(({ name }) => !known.has(name));
  const phase = await runPhase({
    ...run,
    name: 'seeded bugs',
    api,
    operations: bugs,
    counts: { ...TENANT_COUNTS, leakedTokens: 'each' },
    requests: 0,
  });
  phase.faults.push(...checkRoutesDocumented(api, operations));
  return phase;
}

function checkRoutesDocumented(api: Api, operations: readonly Operation[]): Fault[] {
  const tree = /^routes (.*)$/m.exec(api.output())?.[1] ?? '""';
  const documented = operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`);
  return undocumentedRoutes(JSON.parse(tree) as string, documented).map((route) => ({
    kind: 'undocumented',
    operation: route,
    detail: `neither documented nor among the ${Object.keys(UNDOCUMENTED_ROUTES).length} allowed exceptions`,
  }));
}

async function findTablesWithoutPolicy({ admin }: Target): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity`,
  );
  return rows.map(({ name }) => name);
}

function seedDemo({ app }: Target): void {
  const { status } = spawnSync(process.execPath, ['apps/server/src/seed-demo.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, ...createEnvironment(app) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('Seeding the demo account failed');
}
