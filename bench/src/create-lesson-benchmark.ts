import { lessons } from '@lessonbook/contract/lessons';
import type { Postgres } from '@lessonbook/test-env/postgres';
import {
  type BenchTarget,
  describeSizes,
  startTargets,
  throughputTarget,
} from './bench-targets.ts';
import { copyDatabase, dropCopy, getSeededDatabase, type SeededDatabase } from './databases.ts';
import {
  buildCreateLessonBody,
  buildCreateLessonRequest,
  SATURDAY,
  SUNDAY,
  sampleTutors,
} from './load/requests.ts';
import { measureHttp, measurePgbench, Rounds } from './measurement-rounds.ts';
import type { Options } from './options.ts';
import { withClient } from './postgres-server.ts';
import {
  describeBottleneck,
  describeNoise,
  formatCores,
  formatCount,
  formatMilliseconds,
  type Goal,
  type Outcome,
} from './report.ts';
import { LESSONS, loginToken, tutorId } from './seed/generated-tutor-data.ts';
import { checkPlans, type Finding } from './sql/check-query-plans.ts';
import {
  createWritePreamble,
  createWriteScript,
  SESSIONS_PER_LESSON,
} from './sql/create-lesson-pgbench-script.ts';
import { createLessonLowerBoundScript } from './sql/lower-bound-pgbench-scripts.ts';
import { type Statement, startRecorder } from './sql/record-statements.ts';

const P99_GOAL = 1.2;
/** Cost of our statements compared with the leanest ones that write the same rows. */
const FLOOR_GOAL = 2;
const THROUGHPUT_GOAL = 0.7;
const PGBENCH_NAME = 'by pgbench';
const FLOOR_NAME = 'floor by pgbench';

/** Benchmarks creating a weekly lesson with its 52 sessions. */
export async function benchWrite(
  postgres: Postgres,
  options: Options,
  keepRunningIfRequested: (targets: BenchTarget[]) => Promise<void>,
): Promise<Outcome> {
  const copies: SeededDatabase[] = [];
  try {
    for (const size of options.sizes) {
      const seeded = await getSeededDatabase(postgres.adminUrl, size);
      copies.push(await copyDatabase(postgres.adminUrl, seeded));
    }
    const largest = copies.at(-1) as SeededDatabase;
    const statements = await recordCall(largest);
    // Checks the plans on the original database, where the lesson does not exist yet.
    const untouched = await getSeededDatabase(postgres.adminUrl, largest.sessions);
    const findings = await checkPlans(untouched, tutorId(0), statements);

    const targets = await startTargets(copies);
    try {
      const rounds = await measure(targets, postgres.pid as number, options, statements);
      for (const copy of copies) await assertLessonsCreated(copy);
      await keepRunningIfRequested(targets);
      return await toOutcome(targets, rounds, findings, options);
    } finally {
      for (const { api } of targets) await api.stop();
    }
  } finally {
    for (const copy of copies) await dropCopy(postgres.adminUrl, copy);
  }
}

async function recordCall(db: SeededDatabase): Promise<Statement[]> {
  const recorder = await startRecorder(db);
  try {
    const body = buildCreateLessonBody(SUNDAY, 0);
    const call = {
      method: 'POST',
      path: lessons.createLesson.path,
      token: loginToken(0),
      body,
    } as const;
    return (await recorder.record(call)).statements;
  } finally {
    await recorder.stop();
  }
}

/** Checks that each new lesson exists with all its sessions. */
async function assertLessonsCreated(db: SeededDatabase): Promise<void> {
  const created = await withClient(db.urls.maintenanceUrl, async (client) => {
    const { rows } = await client.query<{ lessons: number; sessions: number }>(
      `select (select count(*)::int from lessons where id > $1) as lessons,
         (select count(*)::int from sessions where lesson_id > $1) as sessions`,
      [LESSONS.length],
    );
    return rows[0] as (typeof rows)[0];
  });
  if (created.lessons > 0 && created.sessions === created.lessons * SESSIONS_PER_LESSON) return;
  throw new Error(`${created.lessons} new lessons have ${created.sessions} sessions`);
}

async function measure(
  targets: BenchTarget[],
  postgresPid: number,
  options: Options,
  statements: Statement[],
): Promise<Rounds> {
  const rounds = new Rounds();
  const target = throughputTarget(targets);
  const script = createWriteScript(statements, target.db, options);
  const floor = createLessonLowerBoundScript(createWritePreamble(target.db, options));
  const requestSources = new Map(targets.map((each) => [each, createRequestSource(each, options)]));
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    for (const each of round % 2 === 0 ? targets : targets.toReversed()) {
      const next = requestSources.get(each) as () => string;
      rounds.add(
        httpName(each.db),
        await measureHttp(each, postgresPid, options, { next, expectedStatus: 201 }),
      );
    }
    rounds.add(
      PGBENCH_NAME,
      await measurePgbench(target, postgresPid, options, 'create-lesson', script),
    );
    rounds.add(
      FLOOR_NAME,
      await measurePgbench(target, postgresPid, options, 'create-lesson-floor', floor),
    );
  }
  return rounds;
}

/** Cycles through the tutors; each lesson takes the next minute of its tutor's Saturday. */
function createRequestSource({ db, api }: BenchTarget, options: Options): () => string {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  let turn = -1;
  return () => {
    turn += 1;
    const tutor = (turn % size) * step;
    const body = buildCreateLessonBody(SATURDAY, Math.floor(turn / size));
    return buildCreateLessonRequest(
      api.origin,
      tutor,
      body,
      `bench-${turn}-${performance.timeOrigin}`.replace('.', '-'),
    );
  };
}

const httpName = (db: SeededDatabase): string => `HTTP at ${db.sessions}`;

async function toOutcome(
  targets: BenchTarget[],
  rounds: Rounds,
  findings: Finding[],
  options: Options,
): Promise<Outcome> {
  const [smallest, largest] = [targets[0] as BenchTarget, targets.at(-1) as BenchTarget];
  const target = throughputTarget(targets);
  const p99 = ({ db }: BenchTarget) => rounds.median(httpName(db), (round) => round.latencies?.p99);
  const rate = (name: string) => rounds.median(name, (round) => round.perSecond);
  const growth: Goal = {
    what: `p99 of creating a lesson, ${formatCount(largest.db.sessions)} compared with ${formatCount(smallest.db.sessions)} sessions`,
    measured: p99(largest) / p99(smallest),
    bound: P99_GOAL,
    kind: 'at most',
    bottleneck: describeBottleneck(rounds.cores(httpName(largest.db))),
  };
  const scans: Goal = {
    what: `scans of a whole tenant table or index, at ${formatCount(largest.db.sessions)} sessions`,
    measured: findings.filter((finding) => finding.isFault).length,
    bound: 0,
    kind: 'at most',
    bottleneck: 'See the plans below',
  };
  const throughput: Goal = {
    what: `creating a lesson with 52 sessions over HTTP compared with pgbench, at ${formatCount(target.db.sessions)} sessions`,
    measured: rate(httpName(target.db)) / rate(PGBENCH_NAME),
    bound: THROUGHPUT_GOAL,
    kind: 'at least',
    bottleneck: describeBottleneck(rounds.cores(httpName(target.db))),
  };
  const floor: Goal = {
    what: `cost of our statements for a lesson compared with the floor, at ${formatCount(target.db.sessions)} sessions`,
    measured: rate(FLOOR_NAME) / rate(PGBENCH_NAME),
    bound: FLOOR_GOAL,
    kind: 'at most',
    bottleneck: describeBottleneck(rounds.cores(PGBENCH_NAME)),
  };
  return {
    notes: [
      `Tutors, in turn: at most ${options.tutors}. Clients: ${options.clients}. On disk: ${await describeSizes(targets)}.`,
      ...describeNoise(rounds.maxNoise()),
    ],
    tables: [
      {
        title:
          'A weekly lesson with its 52 sessions; medians of the rounds, times in milliseconds.',
        columns: [
          'by',
          'sessions',
          'lessons/s',
          'p50',
          'p95',
          'p99',
          'API cores',
          'PostgreSQL',
          'client',
          'others',
        ],
        rows: [
          ...targets.map(({ db }) => formatRow('API', httpName(db), db, rounds)),
          formatRow('pgbench', PGBENCH_NAME, target.db, rounds),
          formatRow('floor', FLOOR_NAME, target.db, rounds),
        ],
      },
    ],
    goals: [...(smallest === largest ? [] : [growth]), scans, throughput, floor],
    findings,
  };
}

function formatRow(by: string, name: string, db: SeededDatabase, rounds: Rounds): string[] {
  const cores = rounds.cores(name);
  const time = (pick: 'p50' | 'p95' | 'p99') => {
    const value = rounds.median(name, (round) => round.latencies?.[pick]);
    return Number.isNaN(value) ? '' : formatMilliseconds(value);
  };
  return [
    by,
    formatCount(db.sessions),
    formatCount(rounds.median(name, (round) => round.perSecond)),
    time('p50'),
    time('p95'),
    time('p99'),
    formatCores(cores.api),
    formatCores(cores.postgres),
    formatCores(cores.client),
    formatCores(cores.others),
  ];
}
