import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { checkOutCommit } from '@lessonbook/test-env/check-out-commit';
import { sendToReaper } from '@lessonbook/test-env/child-reaper';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { compareReplies } from '../../scripts/upgrade-test/seed-and-compare-replies.ts';
import { type BenchTarget, describeSizes } from './bench-targets.ts';
import { copyDatabase, dropCopy, type SeededDatabase } from './databases.ts';
import {
  buildCreateLessonBody,
  buildCreateLessonRequest,
  buildGetRequest,
  READS,
  randomPath,
  SATURDAY,
  sampleTutors,
} from './load/requests.ts';
import { sendAll } from './load/run-load.ts';
import { measureHttp, Rounds } from './measurement-rounds.ts';
import type { Options } from './options.ts';
import { repositoryRoot, withClient } from './postgres-server.ts';
import {
  describeBottleneck,
  describeNoise,
  formatCount,
  formatMilliseconds,
  type Goal,
  type Outcome,
} from './report.ts';
import { loginToken } from './seed/generated-tutor-data.ts';
import { randomStream } from './seed/random.ts';
import { startApi } from './start-api.ts';

const SEED = 20_261_116;
/** The minimum speed of this version relative to the older one. */
const SPEED_GOAL = 1 / 1.1;
const CALLS = [...READS, 'create lesson'] as const;
type Call = (typeof CALLS)[number];
const VERSIONS = ['older', 'this'] as const;
type Version = (typeof VERSIONS)[number];

/** Tutors whose replies are compared before and after the migration. */
const COMPARED_TUTORS = 25;
const COMPARED_PATHS = [
  '/api/dashboard',
  '/api/students',
  '/api/families',
  '/api/balances',
  '/api/payments',
  '/api/invoices',
  '/api/reports/earnings?period=all_time',
  '/api/sessions?from=2026-11-01&to=2026-11-30',
];

/**
 * Compares this version with an older commit: the older one fills a database, a copy of it is migrated, and both versions
 * are measured in turn.
 */
export async function benchCompare(
  postgres: Postgres,
  options: Options,
  keepRunningIfRequested: (targets: BenchTarget[]) => Promise<void>,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-compare-'));
  sendToReaper({ remove: folder });
  const copies: SeededDatabase[] = [];
  const targets: BenchTarget[] = [];
  try {
    checkOutCommit(repositoryRoot, options.with, folder);
    const seeded = seedWith(folder, postgres.adminUrl, options.sizes[0]);
    for (const suffix of VERSIONS)
      copies.push(await copyDatabase(postgres.adminUrl, seeded, suffix));
    const [older, current] = copies as [SeededDatabase, SeededDatabase];
    const violatedBefore = listViolatedRules(folder, older);
    const migration = await migrateCopy(current);
    const violatedAfter = listViolatedRules(repositoryRoot, current);
    targets.push({ db: older, api: await startApi(older, folder) });
    targets.push({ db: current, api: await startApi(current) });
    const [before, after] = await Promise.all(targets.map(readReplies));
    const differences = compareReplies(before as Replies, after as Replies);
    const rounds = await measure(targets, postgres.pid as number, options);
    await keepRunningIfRequested(targets);
    return {
      notes: [
        `Compared with ${options.with}. Clients: ${options.clients}. On disk: ${await describeSizes(targets)}.`,
        `Migration: ${migration}. Replies compared: ${(before as Replies).size}.`,
        `Rules that the generated data violates in the older version: ${violatedBefore}.`,
        `Rules that it violates after the migration: ${violatedAfter}.`,
        ...groupByField(differences),
        ...describeNoise(rounds.maxNoise()),
      ],
      tables: [createTable(rounds)],
      goals: [
        ...CALLS.map((call) => createSpeedGoal(rounds, call)),
        {
          what: 'different values in replies after the migration',
          measured: differences.length,
          bound: 0,
          kind: 'at most',
          bottleneck: 'See above',
        },
      ],
      findings: [],
    };
  } finally {
    for (const { api } of targets) await api.stop();
    for (const copy of copies) await dropCopy(postgres.adminUrl, copy);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls a function of the version in a folder, in a process of its own. Its result is the last line of the output. */
function callVersion(folder: string, file: string, expression: string): unknown {
  const url = pathToFileURL(join(folder, file)).href;
  const script = `
    const module = await import(${JSON.stringify(url)});
    console.log(JSON.stringify(await (${expression})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(output.trim().split('\n').at(-1) as string);
}

/** Seeds a database with the older version's code, which matches the older schema. */
function seedWith(folder: string, adminUrl: string, sessions: number): SeededDatabase {
  mkdirSync(join(folder, '.cache/bench'), { recursive: true });
  return callVersion(
    folder,
    'bench/src/databases.ts',
    `module.getSeededDatabase(${JSON.stringify(adminUrl)}, ${sessions})`,
  ) as SeededDatabase;
}

/** Checks a database with the rules of the version in a folder. Lists each rule once. */
function listViolatedRules(folder: string, db: SeededDatabase): string {
  const rules = callVersion(
    folder,
    'apps/server/src/invariants.ts',
    `(async () => {
      const { default: pg } = await import('pg');
      const client = new pg.Client(${JSON.stringify(db.urls.maintenanceUrl)});
      await client.connect();
      const violations = await module.findViolations(client);
      await client.end();
      return [...new Set(violations.map(({ rule }) => rule))];
    })()`,
  ) as string[];
  return rules.join('; ') || 'none';
}

/** Counts the differences of each field, with one example. */
function groupByField(differences: readonly string[]): string[] {
  const groups = Map.groupBy(differences, (difference) =>
    difference
      .replace(/^tutor \d+ /, '')
      .replaceAll(/\[\d+\]/g, '[]')
      .replace(/: .*/s, ''),
  );
  return [...groups].map(
    ([field, all]) => `${field}: ${all.length} different values, such as ${all[0]}`,
  );
}

/** Migrates the copy and returns how long that took. */
async function migrateCopy(db: SeededDatabase): Promise<string> {
  const start = performance.now();
  const applied = await migrate(db.urls.ownerUrl);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  // New tables have no statistics yet.
  await withClient(db.urls.maintenanceUrl, (client) => client.query('vacuum (freeze, analyze)'));
  return `${applied.length} files in ${seconds} s`;
}

type Replies = Map<string, unknown>;

async function readReplies({ db, api }: BenchTarget): Promise<Replies> {
  const replies: Replies = new Map();
  const { size, step } = sampleTutors(db.tutors, COMPARED_TUTORS);
  for (let index = 0; index < size; index += 1) {
    const headers = { cookie: `lessonbook=${loginToken(index * step)}` };
    for (const path of COMPARED_PATHS) {
      const response = await fetch(api.origin + path, { headers });
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
      replies.set(`tutor ${index * step} ${path}`, sortById(await response.json()));
    }
  }
  return replies;
}

/** The versions may sort a list differently. */
const sortById = (reply: unknown): unknown =>
  Array.isArray(reply) && reply.every((row) => typeof (row as { id?: unknown }).id === 'number')
    ? (reply as { id: number }[]).toSorted((a, b) => a.id - b.id)
    : reply;

/** Measures both versions in each round, in alternating order, because the machine's speed varies from minute to minute. */
async function measure(
  targets: BenchTarget[],
  postgresPid: number,
  options: Options,
): Promise<Rounds> {
  const rounds = new Rounds();
  const sources = targets.map((target) => createLessonSource(target, options));
  for (const target of targets) await warmUp(target, options);
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const call of CALLS) {
      for (const index of order) {
        const target = targets[index] as BenchTarget;
        const request =
          call === 'create lesson'
            ? { next: sources[index] as () => string, expectedStatus: 201 }
            : { next: createReadSource(target, call, options, SEED + round), expectedStatus: 200 };
        const measured = await measureHttp(target, postgresPid, options, request);
        rounds.add(seriesName(call, VERSIONS[index] as Version), measured);
      }
    }
  }
  return rounds;
}

const seriesName = (call: Call, version: Version): string => `${call}, ${version} version`;

async function warmUp(target: BenchTarget, options: Options): Promise<void> {
  const { size } = sampleTutors(target.db.tutors, options.tutors);
  for (const read of READS) {
    const next = createReadSource(target, read, options, SEED);
    await sendAll(target.api.port, options.clients, Array.from({ length: size }, next));
  }
}

function createReadSource(
  { db, api }: BenchTarget,
  read: (typeof READS)[number],
  options: Options,
  seed: number,
): () => string {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  const random = randomStream(seed);
  return () =>
    buildGetRequest(api.origin, Math.floor(random() * size) * step, randomPath(read, random));
}

/** Cycles through the tutors; each tutor's lessons follow one another, minute by minute, on the same Saturday. */
function createLessonSource({ db, api }: BenchTarget, options: Options): () => string {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  let turn = -1;
  return () => {
    turn += 1;
    const body = buildCreateLessonBody(SATURDAY, Math.floor(turn / size));
    return buildCreateLessonRequest(api.origin, (turn % size) * step, body, `compare-${turn}`);
  };
}

function createSpeedGoal(rounds: Rounds, call: Call): Goal {
  const rate = (version: Version) =>
    rounds.median(seriesName(call, version), (round) => round.perSecond);
  return {
    what: `${call}: calls per second compared with the older version`,
    measured: rate('this') / rate('older'),
    bound: SPEED_GOAL,
    kind: 'at least',
    bottleneck: describeBottleneck(rounds.cores(seriesName(call, 'this'))),
  };
}

function createTable(rounds: Rounds) {
  return {
    title: 'Over HTTP, medians of the rounds; times in milliseconds.',
    columns: ['call', 'version', 'calls/s', 'p50', 'p99', 'PostgreSQL ms per call'],
    rows: CALLS.flatMap((call) =>
      VERSIONS.map((version) => {
        const name = seriesName(call, version);
        const rate = rounds.median(name, (round) => round.perSecond);
        return [
          call,
          version,
          formatCount(rate),
          formatMilliseconds(rounds.median(name, (round) => round.latencies?.p50)),
          formatMilliseconds(rounds.median(name, (round) => round.latencies?.p99)),
          formatMilliseconds((1000 * rounds.cores(name).postgres) / rate),
        ];
      }),
    ),
  };
}
