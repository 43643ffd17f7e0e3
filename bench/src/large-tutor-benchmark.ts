import { seedTutorOfSize, type TutorSize } from '@lessonbook/server/src/test/seed-tutor-of-size.ts';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { type BenchTarget, startTargets } from './bench-targets.ts';
import { copyDatabase, dropCopy, getSeededDatabase, type SeededDatabase } from './databases.ts';
import { buildGetRequest } from './load/requests.ts';
import { measureHttp, Rounds } from './measurement-rounds.ts';
import type { Options } from './options.ts';
import { withClient } from './postgres-server.ts';
import {
  describeBottleneck,
  describeNoise,
  formatCount,
  formatMilliseconds,
  type Outcome,
} from './report.ts';
import { loginToken, TODAY, tutorId } from './seed/generated-tutor-data.ts';
import { checkPlans, type Finding } from './sql/check-query-plans.ts';
import { startRecorder } from './sql/record-statements.ts';

const RATIO_GOAL = 2;

interface BenchTutor {
  name: 'normal' | 'large';
  /** The tutor's number in the seeded database. */
  index: number;
  size: TutorSize;
}
const NORMAL: BenchTutor = {
  name: 'normal',
  index: 0,
  size: { students: 60, families: 40, years: 2 },
};
const LARGE: BenchTutor = {
  name: 'large',
  index: 1,
  size: { students: 5000, families: 3000, years: 20 },
};
const TUTORS = [NORMAL, LARGE];

const CALLS: Record<string, string> = {
  students: '/api/students?limit=20',
  carers: '/api/carers?limit=20',
  families: '/api/families?limit=20',
  balances: '/api/balances?limit=20',
  lessons: '/api/lessons?limit=20',
  invoices: '/api/invoices?limit=20',
  'open invoices': '/api/invoices?limit=20&state=open',
  payments: '/api/payments?limit=20',
  'earnings report': '/api/reports/earnings?period=last_month',
  dashboard: '/api/dashboard',
};

/** Compares the lists and reports of a tutor with 5,000 students and 20 years of lessons with those of a normal tutor. */
export async function benchLargeTutor(
  postgres: Postgres,
  options: Options,
  keepRunningIfRequested: (target: BenchTarget[]) => Promise<void>,
): Promise<Outcome> {
  const seeded = await getSeededDatabase(postgres.adminUrl, options.sizes[0]);
  const db = await copyDatabase(postgres.adminUrl, seeded);
  try {
    await seedTutors(db);
    const findings = await findPlanProblems(db);
    const [target] = (await startTargets([db])) as [BenchTarget];
    try {
      const rounds = await measure(target, postgres.pid as number, options);
      await keepRunningIfRequested([target]);
      return toOutcome(rounds, findings, options);
    } finally {
      await target.api.stop();
    }
  } finally {
    await dropCopy(postgres.adminUrl, db);
  }
}

async function seedTutors(db: SeededDatabase): Promise<void> {
  const start = performance.now();
  await withClient(db.urls.maintenanceUrl, async (client) => {
    for (const { index, size } of TUTORS)
      await seedTutorOfSize(client, tutorId(index), TODAY, size);
  });
  await withClient(db.urls.ownerUrl, (client) => client.query('vacuum (analyze)'));
  console.log(`  seeded both tutors (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

async function findPlanProblems(db: SeededDatabase): Promise<Finding[]> {
  const recorder = await startRecorder(db);
  try {
    const findings: Finding[] = [];
    for (const [call, path] of Object.entries(CALLS)) {
      const { statements } = await recorder.record({ path, token: loginToken(LARGE.index) });
      const found = await checkPlans(db, tutorId(LARGE.index), statements);
      findings.push(...found.map((each) => ({ ...each, what: `${call}: ${each.what}` })));
    }
    return findings;
  } finally {
    await recorder.stop();
  }
}

/** Measures both tutors in each round, in alternating order, because the machine's speed varies from minute to minute. */
async function measure(
  target: BenchTarget,
  postgresPid: number,
  options: Options,
): Promise<Rounds> {
  const rounds = new Rounds();
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    for (const [call, path] of Object.entries(CALLS)) {
      for (const tutor of round % 2 === 0 ? TUTORS : TUTORS.toReversed()) {
        const next = () => buildGetRequest(target.api.origin, tutor.index, path);
        const request = { next, expectedStatus: 200 };
        rounds.add(
          roundName(call, tutor),
          await measureHttp(target, postgresPid, options, request),
        );
      }
    }
  }
  return rounds;
}

const roundName = (call: string, tutor: BenchTutor): string => `${call} of the ${tutor.name} tutor`;

function toOutcome(rounds: Rounds, findings: Finding[], options: Options): Outcome {
  const calls = Object.keys(CALLS);
  const latency = (call: string, tutor: BenchTutor, percentile: 'p50' | 'p99') =>
    rounds.median(roundName(call, tutor), (round) => round.latencies?.[percentile]);
  const ratio = (call: string) => latency(call, LARGE, 'p99') / latency(call, NORMAL, 'p99');
  const describeSize = ({ name, size }: BenchTutor) =>
    `${name}: ${formatCount(size.students)} students, ${formatCount(size.families)} families, ${size.years} years`;
  return {
    notes: [
      `Tutors with 40 lessons a week (${TUTORS.map(describeSize).join('; ')}). Pages of 20. Clients: ${options.clients}.`,
      ...describeNoise(rounds.maxNoise()),
    ],
    tables: [
      {
        title: 'Over HTTP, request to response, in milliseconds; medians of the rounds.',
        columns: ['call', 'normal p50', 'normal p99', 'large p50', 'large p99', 'p99 ratio'],
        rows: calls.map((call) => [
          call,
          formatMilliseconds(latency(call, NORMAL, 'p50')),
          formatMilliseconds(latency(call, NORMAL, 'p99')),
          formatMilliseconds(latency(call, LARGE, 'p50')),
          formatMilliseconds(latency(call, LARGE, 'p99')),
          ratio(call).toFixed(2),
        ]),
      },
    ],
    goals: calls.map((call) => ({
      what: `p99 of ${call}, large compared with normal tutor`,
      measured: ratio(call),
      bound: RATIO_GOAL,
      kind: 'at most',
      bottleneck: describeBottleneck(rounds.cores(roundName(call, LARGE))),
    })),
    findings,
  };
}
