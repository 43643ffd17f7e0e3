import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  UNDOCUMENTED_ROUTES,
  undocumentedRoutes,
} from '@lessonbook/server/src/test/route-coverage.ts';
import { disableRowSecurity } from '@lessonbook/server/src/test/tenant-isolation.ts';
import type { Fault } from './assertions.ts';
import type { AttackCounts } from './attacks.ts';
import { findChanges, takeSnapshot } from './db-snapshot.ts';
import { type Operation, readOperations } from './operations.ts';
import { ResponseStats } from './response-stats.ts';
import { sendBatch } from './send-batch.ts';
import { type Api, environmentOf, startTarget, type Target } from './target.ts';
import { createVictims, type Victims } from './victim-data.ts';

export type PhaseName =
  | 'as it is'
  | 'without app-check'
  | 'without rls'
  | 'planted'
  | 'without both';

export interface Phase {
  name: PhaseName;
  faults: Fault[];
  stats: ResponseStats;
  seconds: number;
}

export interface FuzzOptions {
  seed: number;
  /** At least so many in all; 0 is one volley for each part. */
  requests: number;
  /** An answer that takes longer is a fault. */
  slowMs: number;
  only: 'app-check' | 'rls' | undefined;
}

const SHORT_COUNTS: AttackCounts = {
  own: 3,
  named: 4,
  handles: 3,
  strangers: 2,
  odd: 5,
  bodies: 2,
  crawl: 2,
};
const LONG_COUNTS: AttackCounts = {
  own: 6,
  named: 9,
  handles: 8,
  strangers: 4,
  odd: 12,
  bodies: 4,
  crawl: 5,
};
/** What matters where a wall is missing: ids, tokens and what comes back. */
const TENANT_COUNTS: AttackCounts = {
  own: 2,
  named: 4,
  handles: 1,
  strangers: 1,
  odd: 0,
  bodies: 0,
  crawl: 0,
};
const LONG_TENANT_COUNTS: AttackCounts = {
  own: 6,
  named: 12,
  handles: 8,
  strangers: 3,
  odd: 2,
  bodies: 0,
  crawl: 0,
};

export async function runPhases({ seed, requests, slowMs, only }: FuzzOptions): Promise<Phase[]> {
  const target = await startTarget();
  try {
    seedDemo(target);
    const victims = await createVictims(target);
    const operations = await readOperations(target.plain.url);
    const run = { target, victims, seed, slowMs };
    const [whole, tenants] =
      requests > 0 ? [LONG_COUNTS, LONG_TENANT_COUNTS] : [SHORT_COUNTS, TENANT_COUNTS];
    const globalTables = await tablesWithoutPolicy(target);
    const unchecked = await target.startInstrumented({
      HOSTILE_WITHOUT_CHECK: globalTables.join(','),
    });
    const reads = operations.filter(({ method }) => method === 'GET');
    const parts: Phase[] = [];
    const attack = async (name: PhaseName, options: Omit<PhaseOptions, keyof FuzzRun | 'name'>) =>
      parts.push(await runPhase({ ...run, name, ...options }));

    const share = { operations, counts: tenants, requests: requests * 0.2 };
    if (!only) {
      await attack('as it is', {
        ...share,
        api: target.plain,
        counts: whole,
        requests: requests * 0.6,
      });
      // Built as the product builds its own, so these are its routes.
      parts[0]?.faults.push(...undescribedRoutes(unchecked, operations));
    }
    if (only !== 'rls') await attack('without app-check', { ...share, api: unchecked });
    if (!only) parts.push(await runSeededBugs(run, operations));
    await disableRowSecurity(target.app.databaseUrls.ownerUrl);
    if (only !== 'app-check') await attack('without rls', { ...share, api: target.plain });
    await attack('without both', {
      api: unchecked,
      operations: reads,
      counts: TENANT_COUNTS,
      requests: 0,
    });
    return parts;
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
  const start = performance.now();
  const stats = new ResponseStats();
  const faults: Fault[] = [];
  const before = await takeSnapshot(target.admin, victims);
  do {
    const seed = options.seed + 1000 * stats.batches;
    const found = await sendBatch({
      ...options,
      ...options.api,
      seed,
      stats,
      slowMs: name === 'without both' ? Infinity : options.slowMs,
    });
    faults.push(...found);
    // In a long run nobody wants to wait for the end to read of it.
    if (requests > 0)
      for (const { kind, detail } of found.slice(0, 5))
        console.log(`  seed ${seed}: ${kind}: ${detail}`);
    console.log(
      `${name}: ${stats.requests} requests in ${Math.round((performance.now() - start) / 1000)} s, ${faults.length} faults`,
    );
  } while (stats.requests < requests);
  faults.push(...(await findChanges(target.admin, victims, before)));
  if (name === 'as it is') faults.push(...stats.stoppedEarly(operations));
  return { name, faults, stats, seconds: (performance.now() - start) / 1000 };
}

/** The holes, and nothing else, in a process of their own; its routes are compared with what it describes. */
async function runSeededBugs(run: FuzzRun, described: readonly Operation[]): Promise<Phase> {
  const canary = [...run.victims.places.keys()][0] ?? '';
  const api = await run.target.startInstrumented({
    HOSTILE_HOLES: canary,
    HOSTILE_SLOW_MS: String(run.slowMs + 300),
  });
  const operations = await readOperations(api.url);
  const known = new Set(described.map(({ name }) => name));
  const holes = operations.filter(({ name }) => !known.has(name));
  const part = await runPhase({
    ...run,
    name: 'planted',
    api,
    operations: holes,
    counts: { ...TENANT_COUNTS, handles: 'each' },
    requests: 0,
  });
  part.faults.push(...undescribedRoutes(api, operations));
  return part;
}

function undescribedRoutes(api: Api, operations: readonly Operation[]): Fault[] {
  const tree = /^routes (.*)$/m.exec(api.output())?.[1] ?? '""';
  const described = operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`);
  return undocumentedRoutes(JSON.parse(tree) as string, described).map((route) => ({
    kind: 'undescribed',
    operation: route,
    detail: `not in the description, nor among ${Object.keys(UNDOCUMENTED_ROUTES).length} that need not be`,
  }));
}

async function tablesWithoutPolicy({ admin }: Target): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity`,
  );
  return rows.map(({ name }) => name);
}

function seedDemo({ app }: Target): void {
  const { status } = spawnSync(process.execPath, ['apps/server/src/seed-demo.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, ...environmentOf(app) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The demo tutor could not be made');
}
