import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UNDESCRIBED_ROUTES, undescribed } from '@lessonbook/server/src/test/routes.ts';
import { dropPolicies } from '@lessonbook/server/src/test/tenants.ts';
import type { Measure } from './attacks.ts';
import type { Fault } from './judge.ts';
import { type Operation, readOperations } from './operations.ts';
import { Tally } from './tally.ts';
import { type Api, environmentOf, openTarget, type Target } from './target.ts';
import { openVictims, type Victims } from './victims.ts';
import { fire } from './volley.ts';
import { findDamage, takeSnapshot } from './watch.ts';

export type PartName =
  | 'as it is'
  | 'without app-check'
  | 'without rls'
  | 'planted'
  | 'without both';

export interface Part {
  name: PartName;
  faults: Fault[];
  tally: Tally;
  seconds: number;
}

export interface Wish {
  seed: number;
  /** At least so many in all; 0 is one volley for each part. */
  requests: number;
  /** An answer that takes longer is a fault. */
  slowMs: number;
  only: 'app-check' | 'rls' | undefined;
}

const WHOLE: Measure = { own: 3, named: 4, handles: 3, strangers: 2, odd: 5, bodies: 2, crawl: 2 };
const LONG: Measure = { own: 6, named: 9, handles: 8, strangers: 4, odd: 12, bodies: 4, crawl: 5 };
/** What matters where a wall is missing: ids, tokens and what comes back. */
const TENANTS: Measure = {
  own: 2,
  named: 4,
  handles: 1,
  strangers: 1,
  odd: 0,
  bodies: 0,
  crawl: 0,
};
const LONG_TENANTS: Measure = {
  own: 6,
  named: 12,
  handles: 8,
  strangers: 3,
  odd: 2,
  bodies: 0,
  crawl: 0,
};

export async function runParts({ seed, requests, slowMs, only }: Wish): Promise<Part[]> {
  const target = await openTarget();
  try {
    seedDemo(target);
    const victims = await openVictims(target);
    const operations = await readOperations(target.plain.url);
    const run = { target, victims, seed, slowMs };
    const [whole, tenants] = requests > 0 ? [LONG, LONG_TENANTS] : [WHOLE, TENANTS];
    const globalTables = await tablesWithoutPolicy(target);
    const unchecked = await target.startSpoilt({ HOSTILE_WITHOUT_CHECK: globalTables.join(',') });
    const reads = operations.filter(({ method }) => method === 'GET');
    const parts: Part[] = [];
    const attack = async (name: PartName, siege: Omit<Siege, keyof Run | 'name'>) =>
      parts.push(await attacked({ ...run, name, ...siege }));

    const share = { operations, measure: tenants, requests: requests * 0.2 };
    if (!only) {
      await attack('as it is', {
        ...share,
        api: target.plain,
        measure: whole,
        requests: requests * 0.6,
      });
      // Built as the product builds its own, so these are its routes.
      parts[0]?.faults.push(...undescribedRoutes(unchecked, operations));
    }
    if (only !== 'rls') await attack('without app-check', { ...share, api: unchecked });
    if (!only) parts.push(await planted(run, operations));
    await dropPolicies(target.book.databaseUrls.ownerUrl);
    if (only !== 'app-check') await attack('without rls', { ...share, api: target.plain });
    await attack('without both', {
      api: unchecked,
      operations: reads,
      measure: TENANTS,
      requests: 0,
    });
    return parts;
  } finally {
    await target.close();
  }
}

interface Run {
  target: Target;
  victims: Victims;
  seed: number;
  slowMs: number;
}

interface Siege extends Run {
  name: PartName;
  api: Api;
  operations: readonly Operation[];
  measure: Measure;
  requests: number;
}

async function attacked(siege: Siege): Promise<Part> {
  const { target, victims, name, operations, requests } = siege;
  const start = performance.now();
  const tally = new Tally();
  const faults: Fault[] = [];
  const before = await takeSnapshot(target.admin, victims);
  do {
    const seed = siege.seed + 1000 * tally.volleys;
    const found = await fire({
      ...siege,
      ...siege.api,
      seed,
      tally,
      slowMs: name === 'without both' ? Infinity : siege.slowMs,
    });
    faults.push(...found);
    // In a long run nobody wants to wait for the end to read of it.
    if (requests > 0)
      for (const { kind, detail } of found.slice(0, 5))
        console.log(`  seed ${seed}: ${kind}: ${detail}`);
    console.log(
      `${name}: ${tally.requests} requests in ${Math.round((performance.now() - start) / 1000)} s, ${faults.length} faults`,
    );
  } while (tally.requests < requests);
  faults.push(...(await findDamage(target.admin, victims, before)));
  if (name === 'as it is') faults.push(...tally.stoppedEarly(operations));
  return { name, faults, tally, seconds: (performance.now() - start) / 1000 };
}

/** The holes, and nothing else, in a process of their own; its routes are compared with what it describes. */
async function planted(run: Run, described: readonly Operation[]): Promise<Part> {
  const canary = [...run.victims.places.keys()][0] ?? '';
  const api = await run.target.startSpoilt({
    HOSTILE_HOLES: canary,
    HOSTILE_SLOW_MS: String(run.slowMs + 300),
  });
  const operations = await readOperations(api.url);
  const known = new Set(described.map(({ name }) => name));
  const holes = operations.filter(({ name }) => !known.has(name));
  const part = await attacked({
    ...run,
    name: 'planted',
    api,
    operations: holes,
    measure: { ...TENANTS, handles: 'each' },
    requests: 0,
  });
  part.faults.push(...undescribedRoutes(api, operations));
  return part;
}

function undescribedRoutes(api: Api, operations: readonly Operation[]): Fault[] {
  const tree = /^routes (.*)$/m.exec(api.output())?.[1] ?? '""';
  const described = operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`);
  return undescribed(JSON.parse(tree) as string, described).map((route) => ({
    kind: 'undescribed',
    operation: route,
    detail: `not in the description, nor among ${Object.keys(UNDESCRIBED_ROUTES).length} that need not be`,
  }));
}

async function tablesWithoutPolicy({ admin }: Target): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity`,
  );
  return rows.map(({ name }) => name);
}

function seedDemo({ book }: Target): void {
  const { status } = spawnSync(process.execPath, ['apps/server/src/seed-demo.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, ...environmentOf(book) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The demo tutor could not be made');
}
