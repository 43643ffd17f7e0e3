import { seedTutorOfSize } from '@lessonbook/server/src/test/seed-tutor-of-size.ts';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { type BenchTarget, startTargets } from './bench-targets.ts';
import { copyDatabase, dropCopy, getSeededDatabase, type SeededDatabase } from './databases.ts';
import { buildGetRequest } from './load/requests.ts';
import { measureHttp, Rounds } from './measurement-rounds.ts';
import type { Options } from './options.ts';
import { withClient } from './postgres-server.ts';
import { describeBottleneck, describeNoise, formatMilliseconds, type Outcome } from './report.ts';
import { loginToken, TODAY, tutorId } from './seed/generated-tutor-data.ts';
import { checkPlans, type Finding } from './sql/check-query-plans.ts';
import { startRecorder } from './sql/record-statements.ts';

const GOAL_MS = 50;
const SIZE = { students: 5000, families: 3000, years: 20 };

const QUERIES: Record<string, readonly string[]> = {
  'one letter': ['a', 'e', 'm', 's', 'z', 'é'],
  'two letters': ['ma', 'ol', 'zo', 'br'],
  'first name': ['maya', 'zoe', 'chloé', 'lukasz'],
  'full name': ['maya okafor', "o'brien sean", 'lewis-grant emma', 'odegaard isla'],
  email: ['carer12', 'carer77@example', 'example.com'],
  phone: ['07700 9123', '+44 7700 90', '1234'],
  'invoice number': ['INV-1000404', '1041600', 'invoice 1000004'],
  amount: ['35', '£35', '99.99'],
  date: ['tuesday', '17 nov', '17/11/2026', 'tomorrow', 'maya friday'],
  state: ['overdue', 'draft', 'paid', 'hale overdue', 'unpaid'],
  'no match': ['xyzzy', 'qqq', 'zzzzzzzzzz', '100%', 'x'.repeat(100)],
};

const ALL_KINDS = 'all of these';
const ALL_TEXTS = Object.values(QUERIES).flat();

/** Measures search for a tutor with 5,000 students and 20 years of lessons, one request at a time. */
export async function benchSearch(
  postgres: Postgres,
  options: Options,
  keepRunningIfRequested: (target: BenchTarget[]) => Promise<void>,
): Promise<Outcome> {
  const seeded = await getSeededDatabase(postgres.adminUrl, options.sizes[0]);
  const db = await copyDatabase(postgres.adminUrl, seeded);
  try {
    await seedTutor(db);
    const findings = await findPlanProblems(db);
    const [target] = (await startTargets([db])) as [BenchTarget];
    try {
      const rounds = await measure(target, postgres.pid as number, options);
      await keepRunningIfRequested([target]);
      return toOutcome(rounds, findings);
    } finally {
      await target.api.stop();
    }
  } finally {
    await dropCopy(postgres.adminUrl, db);
  }
}

const FIRST_NAMES =
  'Maya Zoë Leo Olivia Amelia Noah Seán Chloé Aisha Harry Ella Łukasz Priya François Emma Isla'.split(
    ' ',
  );
const LAST_NAMES =
  "O'Brien Okafor Brontë Smith Hale Müller Jones Patel Nowak García Taylor Ødegaard Lewis-Grant".split(
    ' ',
  );

/** Gives all students and contacts accented names and half of them phone numbers, and archives every fourth student. */
async function seedTutor(db: SeededDatabase): Promise<void> {
  const tutor = tutorId(0);
  await withClient(db.urls.maintenanceUrl, async (client) => {
    await seedTutorOfSize(client, tutor, TODAY, SIZE);
    for (const table of ['students', 'contacts'])
      await client.query(
        `update ${table} set phone = case when id % 2 = 0 then '+4477009' || lpad((id % 100000)::text, 5, '0') end,
           name = ($2::text[])[1 + id % $4::int] || ' ' || ($3::text[])[1 + id / $4::int % $5::int] || ' ' || chr(65 + id % 26)
         where tutor_id = $1`,
        [tutor, FIRST_NAMES, LAST_NAMES, FIRST_NAMES.length, LAST_NAMES.length],
      );
    await client.query(
      `update contacts c set name = s.name, phone = s.phone, email = s.email from students s
       where c.tutor_id = $1 and s.tutor_id = $1 and s.id = c.student_id`,
      [tutor],
    );
    await client.query(
      'update students set archived_at = now() where tutor_id = $1 and id % 4 = 0',
      [tutor],
    );
  });
  await withClient(db.urls.ownerUrl, (client) => client.query('vacuum (analyze)'));
}

const pathOf = (text: string): string => `/api/search?q=${encodeURIComponent(text)}`;

async function findPlanProblems(db: SeededDatabase): Promise<Finding[]> {
  const recorder = await startRecorder(db);
  try {
    const findings = new Map<string, Finding>();
    for (const text of ALL_TEXTS) {
      const { statements } = await recorder.record({ path: pathOf(text), token: loginToken(0) });
      for (const finding of await checkPlans(db, tutorId(0), statements))
        findings.set(`${finding.statement} ${finding.what}`, finding);
    }
    return [...findings.values()];
  } finally {
    await recorder.stop();
  }
}

/** Uses a single client, because one person types at a time. */
async function measure(
  target: BenchTarget,
  postgresPid: number,
  options: Options,
): Promise<Rounds> {
  const rounds = new Rounds();
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    for (const [kind, texts] of Object.entries({ ...QUERIES, [ALL_KINDS]: ALL_TEXTS })) {
      let sent = 0;
      const next = () => {
        const text = texts[sent % texts.length] as string;
        sent += 1;
        return buildGetRequest(target.api.origin, 0, pathOf(text));
      };
      const singleClientOptions = { ...options, clients: 1 };
      const request = { next, expectedStatus: 200 };
      rounds.add(kind, await measureHttp(target, postgresPid, singleClientOptions, request));
    }
  }
  return rounds;
}

function toOutcome(rounds: Rounds, findings: Finding[]): Outcome {
  const latency = (kind: string, key: 'p50' | 'p95' | 'p99') =>
    rounds.median(kind, (round) => round.latencies?.[key]);
  /** Processor time per request, which depends less on the machine's load than latency does. */
  const cpu = (kind: string, process: 'api' | 'postgres') =>
    rounds.median(kind, ({ cores, perSecond }) => (1000 * cores[process]) / perSecond);
  return {
    notes: [
      'A tutor with 5,000 students, 3,000 families, 10,400 invoices and 40,000 payments. One request after another.',
      ...describeNoise(rounds.maxNoise()),
    ],
    tables: [
      {
        title:
          'Over HTTP, request to response, and the processor time of a request, in milliseconds; medians of the rounds.',
        columns: ['query', 'p50', 'p95', 'p99', 'API CPU', 'PostgreSQL CPU'],
        rows: [...Object.keys(QUERIES), ALL_KINDS].map((kind) => [
          kind,
          formatMilliseconds(latency(kind, 'p50')),
          formatMilliseconds(latency(kind, 'p95')),
          formatMilliseconds(latency(kind, 'p99')),
          formatMilliseconds(cpu(kind, 'api')),
          formatMilliseconds(cpu(kind, 'postgres')),
        ]),
      },
    ],
    goals: [
      {
        what: 'p95 of all kinds of search together, in ms',
        measured: latency(ALL_KINDS, 'p95'),
        bound: GOAL_MS,
        kind: 'at most',
        bottleneck: describeBottleneck(rounds.cores(ALL_KINDS)),
      },
    ],
    // Leaves out other findings, because a search reads all of the tutor's students and contacts on purpose.
    findings: findings.filter(({ isFault }) => isFault),
  };
}
