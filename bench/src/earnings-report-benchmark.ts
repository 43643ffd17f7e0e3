import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EarningsReport } from '@lessonbook/contract/reports';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { type BenchTarget, startTargets } from './bench-targets.ts';
import { copyDatabase, dropCopy, getSeededDatabase, type SeededDatabase } from './databases.ts';
import { median } from './load/percentiles.ts';
import { buildGetRequest } from './load/requests.ts';
import { runLoad } from './load/run-load.ts';
import type { Options } from './options.ts';
import { cacheFolder, withClient } from './postgres-server.ts';
import { formatCount, formatMilliseconds, type Outcome } from './report.ts';
import { loginToken, tutorId } from './seed/generated-tutor-data.ts';
import { encodeParameter } from './sql/encode-parameter.ts';
import { type Statement, startRecorder } from './sql/record-statements.ts';

const PAYMENTS = 50_000;
const GOAL = 1.5;
const PATH = '/api/reports/earnings?period=all_time';

/** Benchmarks the earnings report for a tutor with 50,000 payments, over HTTP and with the same statements in psql. */
export async function benchEarnings(
  postgres: Postgres,
  options: Options,
  keepRunningIfRequested: (target: BenchTarget[]) => Promise<void>,
): Promise<Outcome> {
  const seeded = await getSeededDatabase(postgres.adminUrl, options.sizes[0]);
  const db = await copyDatabase(postgres.adminUrl, seeded);
  try {
    await addPayments(db);
    const statements = await recordReport(db);
    const [target] = (await startTargets([db])) as [BenchTarget];
    try {
      const http: number[] = [];
      const psql: number[] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        console.log(`round ${round + 1} of ${options.rounds}`);
        http.push(await measureHttp(target, options));
        psql.push(median(measurePsql(db, statements)));
      }
      await keepRunningIfRequested([target]);
      return toOutcome(median(http), median(psql));
    } finally {
      await target.api.stop();
    }
  } finally {
    await dropCopy(postgres.adminUrl, db);
  }
}

/** Each payment pays one charge. The payments are spread over the students and over five years. */
async function addPayments(db: SeededDatabase): Promise<void> {
  await withClient(db.urls.maintenanceUrl, async (client) => {
    const tutor = tutorId(0);
    await client.query(
      `insert into charges (tutor_id, id, public_id, family_id, student_id, session_id, kind, description, amount, currency,
         due_date, outstanding, created_by, created_at)
       select $1, 1000000 + n, 'bench' || n, f.id, st.id, 1 + n % 900, 'item', 'Lesson', 3500, 'GBP',
         date '2021-11-20' + n % 1800, 0, 'tutor', now()
       from generate_series(1, $2::int) as n
       join students st on st.tutor_id = $1 and st.id = 1 + n % 8
       join families f on f.tutor_id = $1 and f.contact_id = st.contact_id`,
      [tutor, PAYMENTS],
    );
    await client.query(
      `insert into payments (tutor_id, id, public_id, family_id, kind, amount, currency, method, paid_on, unallocated, created_by,
         created_at)
       select tutor_id, id, public_id, family_id, 'payment', amount, currency, 'cash', due_date, 0, created_by, created_at
       from charges where tutor_id = $1 and id > 1000000`,
      [tutor],
    );
    await client.query(
      `insert into allocations (tutor_id, id, payment_id, charge_id, amount, created_at)
       select tutor_id, id, id, id, amount, created_at from charges where tutor_id = $1 and id > 1000000`,
      [tutor],
    );
    await client.query('analyze charges, payments, allocations');
  });
}

async function recordReport(db: SeededDatabase): Promise<Statement[]> {
  const recorder = await startRecorder(db);
  try {
    const { statements, body } = await recorder.record({ path: PATH, token: loginToken(0) });
    const [total] = (body as EarningsReport).totals;
    if ((total?.payments ?? 0) < PAYMENTS)
      throw new Error('The report does not include every payment');
    return statements;
  } finally {
    await recorder.stop();
  }
}

async function measureHttp({ api }: BenchTarget, options: Options): Promise<number> {
  const next = () => buildGetRequest(api.origin, 0, PATH);
  const load = { port: api.port, clients: 1, next, expectedStatus: 200 };
  await runLoad({ ...load, seconds: 1 });
  return median((await runLoad({ ...load, seconds: options.seconds })).samples);
}

const RUNS = 15;

/** Runs the recorded statements, prepared and planned as in the app; psql prints how long each one takes. */
function measurePsql(db: SeededDatabase, statements: readonly Statement[]): number[] {
  const prepare = statements.map(({ text }, index) => `prepare s${index} as ${toOneLine(text)};`);
  const execute = statements.map(({ values }, index) => {
    const parameters = values.map((value) => quoteLiteral(encodeParameter(value))).join(', ');
    return parameters ? `execute s${index}(${parameters});` : `execute s${index};`;
  });
  const isUtility = (text: string) => /^(begin|commit|rollback|set )/i.test(text.trim());
  const lines = statements.map(({ text }, index) =>
    isUtility(text) ? `${text};` : execute[index],
  );
  const script = [
    'set plan_cache_mode = force_generic_plan;',
    ...prepare.filter((_, index) => !isUtility(statements[index]?.text ?? '')),
    ...Array.from({ length: RUNS }, () => ['\\echo run', ...lines].join('\n')),
  ].join('\n');
  const folder = join(cacheFolder, 'psql');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'earnings.sql');
  writeFileSync(file, `\\timing on\n${script}\n`);
  const output = execFileSync('psql', ['-X', '-q', '-f', file, db.urls.appUrl], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const runs = output.split(/^run$/m).slice(2);
  return runs.map((run) =>
    [...run.matchAll(/^Time: ([\d.]+) ms/gm)].reduce((sum, match) => sum + Number(match[1]), 0),
  );
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const quoteLiteral = (text: string | null): string =>
  text === null ? 'null' : `'${text.replaceAll("'", "''")}'`;

function toOutcome(http: number, psql: number): Outcome {
  return {
    notes: [`A tutor with ${formatCount(PAYMENTS)} payments; medians, in milliseconds.`],
    tables: [
      {
        title: 'Earnings for all time: totals, months, students, subjects and the previous period.',
        columns: ['by', 'ms'],
        rows: [
          ['API', formatMilliseconds(http)],
          ['psql', formatMilliseconds(psql)],
        ],
      },
    ],
    goals: [
      {
        what: `earnings over HTTP compared with the same statements in psql, ${formatCount(PAYMENTS)} payments`,
        measured: http / psql,
        bound: GOAL,
        kind: 'at most',
        bottleneck: `${formatMilliseconds(psql)} ms became ${formatMilliseconds(http)} ms`,
      },
    ],
    findings: [],
  };
}
