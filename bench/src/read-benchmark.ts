import { createHash } from 'node:crypto';
import type { Postgres } from '@lessonbook/test-env/postgres';
import {
  type BenchTarget,
  describeSizes,
  startTargets,
  throughputTarget,
} from './bench-targets.ts';
import { getSeededDatabase, type SeededDatabase } from './databases.ts';
import { buildGetRequest, READS, type Read, randomPath, sampleTutors } from './load/requests.ts';
import { sendAll } from './load/run-load.ts';
import { measureHttp, measurePgbench, Rounds } from './measurement-rounds.ts';
import type { Options } from './options.ts';
import {
  describeBottleneck,
  describeNoise,
  formatCores,
  formatCount,
  formatMilliseconds,
  type Goal,
  type Outcome,
  type Table,
} from './report.ts';
import { loginToken, tutorId } from './seed/generated-tutor-data.ts';
import { randomStream } from './seed/random.ts';
import type { Finding } from './sql/check-query-plans.ts';
import { createDashboardLowerBoundScript } from './sql/lower-bound-pgbench-scripts.ts';
import { type Script, toPgbenchScript } from './sql/pgbench.ts';
import { type Calls, recordCalls } from './sql/record-reads-and-check-plans.ts';
import type { Statement } from './sql/record-statements.ts';

const SEED = 20_261_116;
const P99_GOAL = 1.2;
/** Cost of our statements compared with the leanest ones that return the same rows. */
const FLOOR_GOAL = 1.5;
const FLOOR_NAME = 'floor of dashboard by pgbench';
const THROUGHPUT_GOAL = 0.35;

export async function benchRead(
  postgres: Postgres,
  options: Options,
  keepRunningIfRequested: (targets: BenchTarget[]) => Promise<void>,
): Promise<Outcome> {
  const dbs: SeededDatabase[] = [];
  for (const size of options.sizes) dbs.push(await getSeededDatabase(postgres.adminUrl, size));
  const largest = dbs.at(-1) as SeededDatabase;
  const { calls, findings } = await recordCalls(largest);

  const targets = await startTargets(dbs);
  try {
    for (const each of targets) await warmUp(each, options);
    const rounds = await measure(targets, postgres.pid as number, options, calls);
    await keepRunningIfRequested(targets);
    return await toOutcome(targets, rounds, findings, options);
  } finally {
    for (const { api } of targets) await api.stop();
  }
}

/** Requests every screen once for every selected tutor, so that no round reads cold pages. */
async function warmUp({ db, api }: BenchTarget, options: Options): Promise<void> {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  const random = randomStream(SEED);
  for (const read of READS) {
    const texts = Array.from({ length: size }, (_, index) =>
      buildGetRequest(api.origin, index * step, randomPath(read, random)),
    );
    await sendAll(api.port, options.clients, texts);
  }
}

/** Measures every size in each round, in alternating order, because the machine's speed varies from minute to minute. */
async function measure(
  targets: BenchTarget[],
  postgresPid: number,
  options: Options,
  calls: Calls,
): Promise<Rounds> {
  const rounds = new Rounds();
  const target = throughputTarget(targets);
  const floor = createDashboardLowerBoundScript(createReadPreamble(target.db, options));
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    const order = round % 2 === 0 ? targets : targets.toReversed();
    for (const read of READS) {
      for (const each of order) {
        const next = createRequestSource(each, read, options, SEED + round);
        const measured = await measureHttp(each, postgresPid, options, {
          next,
          expectedStatus: 200,
        });
        rounds.add(httpName(read, each.db), measured);
      }
      const script = createReadScript(calls[read], target.db, options);
      rounds.add(
        pgbenchName(read),
        await measurePgbench(target, postgresPid, options, read, script),
      );
      if (read === 'dashboard') {
        rounds.add(
          FLOOR_NAME,
          await measurePgbench(target, postgresPid, options, 'dashboard-floor', floor),
        );
      }
    }
  }
  return rounds;
}

/** Requests the same random months and days for every database size, for tutors that exist in this database. */
function createRequestSource(
  { db, api }: BenchTarget,
  read: Read,
  options: Options,
  seed: number,
): () => string {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  const random = randomStream(seed);
  return () =>
    buildGetRequest(api.origin, Math.floor(random() * size) * step, randomPath(read, random));
}

function createReadScript(statements: Statement[], db: SeededDatabase, options: Options): Script {
  return toPgbenchScript(statements, {
    preamble: createReadPreamble(db, options),
    tutorId: tutorId(0),
    tokenHash: createHash('sha256').update(loginToken(0)).digest(),
  });
}

function createReadPreamble(db: SeededDatabase, options: Options): string[] {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  return [String.raw`\set login ${step} * random(0, ${size - 1})`];
}

const httpName = (read: Read, db: SeededDatabase): string => `${read} at ${db.sessions}`;
const pgbenchName = (read: Read): string => `${read} by pgbench`;

async function toOutcome(
  targets: BenchTarget[],
  rounds: Rounds,
  findings: Finding[],
  options: Options,
): Promise<Outcome> {
  const [smallest, largest] = [targets[0] as BenchTarget, targets.at(-1) as BenchTarget];
  const target = throughputTarget(targets);
  const p99 = (read: Read, { db }: BenchTarget) =>
    rounds.median(httpName(read, db), (round) => round.latencies?.p99);
  const rate = (name: string) => rounds.median(name, (round) => round.perSecond);

  const growth: Goal[] = (smallest === largest ? [] : READS).map((read) => ({
    what: `p99 of ${read}, ${formatCount(largest.db.sessions)} compared with ${formatCount(smallest.db.sessions)} sessions`,
    measured: p99(read, largest) / p99(read, smallest),
    bound: P99_GOAL,
    kind: 'at most',
    bottleneck: `${formatMilliseconds(p99(read, smallest))} ms became ${formatMilliseconds(p99(read, largest))} ms. ${describeBottleneck(rounds.cores(httpName(read, largest.db)))}`,
  }));
  const throughput: Goal = {
    what: `dashboard over HTTP compared with pgbench, at ${formatCount(target.db.sessions)} sessions`,
    measured: rate(httpName('dashboard', target.db)) / rate(pgbenchName('dashboard')),
    bound: THROUGHPUT_GOAL,
    kind: 'at least',
    bottleneck: describeBottleneck(rounds.cores(httpName('dashboard', target.db))),
  };
  const floor: Goal = {
    what: `cost of our statements for the dashboard compared with the floor, at ${formatCount(target.db.sessions)} sessions`,
    measured: rate(FLOOR_NAME) / rate(pgbenchName('dashboard')),
    bound: FLOOR_GOAL,
    kind: 'at most',
    bottleneck: describeBottleneck(rounds.cores(pgbenchName('dashboard'))),
  };
  const scans: Goal = {
    what: `scans of a whole tenant table or index, at ${formatCount(largest.db.sessions)} sessions`,
    measured: findings.filter((finding) => finding.isFault).length,
    bound: 0,
    kind: 'at most',
    bottleneck: 'See the plans below',
  };
  return {
    notes: [
      `Tutors: at most ${options.tutors}. Clients: ${options.clients}. On disk: ${await describeSizes(targets)}.`,
      ...describeNoise(rounds.maxNoise()),
    ],
    tables: [createLatencyTable(targets, rounds), createThroughputTable(target, rounds)],
    goals: [...growth, scans, throughput, floor],
    findings,
  };
}

function createLatencyTable(targets: BenchTarget[], rounds: Rounds): Table {
  return {
    title: 'Over HTTP, request to response, in milliseconds; medians of the rounds.',
    columns: [
      'call',
      'sessions',
      'calls/s',
      'p50',
      'p95',
      'p99',
      'API cores',
      'PostgreSQL',
      'client',
      'others',
    ],
    rows: READS.flatMap((read) =>
      targets.map(({ db }) => {
        const name = httpName(read, db);
        const cores = rounds.cores(name);
        return [
          read,
          formatCount(db.sessions),
          formatCount(rounds.median(name, (round) => round.perSecond)),
          formatMilliseconds(rounds.median(name, (round) => round.latencies?.p50)),
          formatMilliseconds(rounds.median(name, (round) => round.latencies?.p95)),
          formatMilliseconds(rounds.median(name, (round) => round.latencies?.p99)),
          formatCores(cores.api),
          formatCores(cores.postgres),
          formatCores(cores.client),
          formatCores(cores.others),
        ];
      }),
    ),
  };
}

function createThroughputTable(target: BenchTarget, rounds: Rounds): Table {
  return {
    title: `Compared with the same statements in pgbench, at ${formatCount(target.db.sessions)} sessions.`,
    columns: [
      'call',
      'API calls/s',
      'pgbench calls/s',
      'ratio',
      'floor calls/s',
      'cost, floor = 1',
      'PostgreSQL cores',
      'pgbench',
      'others',
    ],
    rows: READS.map((read) => {
      const api = rounds.median(httpName(read, target.db), (round) => round.perSecond);
      const pgbench = rounds.median(pgbenchName(read), (round) => round.perSecond);
      const floor =
        read === 'dashboard' ? rounds.median(FLOOR_NAME, (round) => round.perSecond) : undefined;
      const cores = rounds.cores(pgbenchName(read));
      return [
        read,
        formatCount(api),
        formatCount(pgbench),
        (api / pgbench).toFixed(2),
        floor === undefined ? '' : formatCount(floor),
        floor === undefined ? '' : (floor / pgbench).toFixed(2),
        formatCores(cores.postgres),
        formatCores(cores.client),
        formatCores(cores.others),
      ];
    }),
  };
}
