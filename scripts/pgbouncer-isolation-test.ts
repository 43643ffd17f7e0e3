/**
 * Runs the API and the worker through PgBouncer in transaction mode, with the configuration in deploy/pgbouncer, and checks
 * that no tutor reads another's data:
 *
 *   npm run pooler                                      10,000 reads
 *   npm run pooler -- --reads 100000                    the number used before a release
 *   PGBOUNCER=/opt/pgbouncer/bin/pgbouncer npm run pooler
 */
import { parseArgs } from 'node:util';
import { accounts } from '@lessonbook/contract/accounts';
import { dashboard } from '@lessonbook/contract/dashboard';
import { REVISION_HEADER } from '@lessonbook/contract/endpoint';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { requireDirectConnection } from '@lessonbook/server/src/platform/db/require-direct-connection.ts';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutor } from '@lessonbook/server/src/test/create-tutor.ts';
import { openEventStream } from '@lessonbook/server/src/test/event-stream.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { urlThroughProxy } from '@lessonbook/test-env/tcp-proxy';
import pg from 'pg';
import { startPgBouncer } from './pooler/pgbouncer.ts';

const { values: flags } = parseArgs({
  options: {
    reads: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const READS = Number(flags.reads);
const CLIENTS = Number(flags.clients);
const TUTORS = 40;
const POOL_SIZE = 10;
const WRITE_EVERY = 20;
const UPDATE_TIMEOUT_MS = 15_000;

interface Tutor {
  marker: string;
  browsers: Browser[];
}

const violations: string[] = [];
const check = (passed: boolean, result: string): void => {
  console.log(`${passed ? 'ok    ' : 'BROKEN'} ${result}`);
  if (!passed) violations.push(result);
};

const random = new Random(Number(flags.seed));

/** Every name in the tutor's data begins with a marker unique to the tutor. */
async function createMarkedTutor(app: Lessonbook, number: number): Promise<Tutor> {
  const marker = `marker${number}x`;
  const first = new Browser(app.url, app.url);
  await createTutor({ browser: () => first }, { name: marker });
  const browsers = app.urls.map((url) => {
    const browser = new Browser(url, app.url);
    browser.cookies = first.cookies;
    return browser;
  });
  for (const name of ['a', 'b'])
    await first.call(students.createStudent, { body: { name: `${marker} ${name}` } });
  await first.call(subjects.createSubject, {
    body: { name: `${marker} subject`, defaultFee: 30, currency: 'GBP' },
  });
  return { marker, browsers };
}

const READ_PATHS = [
  accounts.me.path,
  dashboard.dashboard.path,
  students.listStudents.path,
  subjects.listSubjects.path,
];

async function runLoad(tutors: readonly Tutor[]) {
  const counts = { reads: 0, withData: 0, writes: 0, foreign: 0, failed: 0 };
  const runClient = async (client: number) => {
    const { marker, browsers } = tutors[client % tutors.length] as Tutor;
    const browser = browsers[client % browsers.length] as Browser;
    while (counts.reads < READS) {
      counts.reads += 1;
      if (random.chance(1 / WRITE_EVERY)) {
        counts.writes += 1;
        const body = {
          name: `${marker} subject ${counts.writes}`,
          defaultFee: 30,
          currency: 'GBP',
        };
        const { status } = await browser.send('POST', subjects.createSubject.path, body);
        if (status !== 201) counts.failed += 1;
      }
      const path = random.pick(READ_PATHS);
      const response = await browser.send('GET', path);
      if (response.status !== 200) counts.failed += 1;
      const markers = JSON.stringify(response.body).match(/marker\d+x/g) ?? [];
      if (markers.length > 0) counts.withData += 1;
      if (markers.some((found) => found !== marker)) counts.foreign += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
  return counts;
}

/** Counts the tutors whose open event stream reports a change to their data. */
async function countLiveUpdates(app: Lessonbook, tutors: readonly Tutor[]): Promise<number> {
  const received = await Promise.all(
    tutors.map(async ({ marker, browsers }) => {
      const browser = browsers[0] as Browser;
      const stream = await openEventStream(app.url, browser);
      await stream.nextEvent();
      const created = await browser.call(students.createStudent, {
        body: { name: `${marker} live` },
      });
      const revision = created.headers.get(REVISION_HEADER) ?? 'missing';
      const isReceived = (async () => {
        for (;;) {
          const event = await stream.nextEvent();
          if (event === '') return false;
          if (event.includes(`data: ${revision}\n`)) return true;
        }
      })();
      const { promise: expired, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), UPDATE_TIMEOUT_MS);
      const result = await Promise.race([isReceived.catch(() => false), expired]);
      clearTimeout(timer);
      stream.close();
      return result;
    }),
  );
  return received.filter(Boolean).length;
}

/** The control: if the settings outlive the transaction, clients on the same connections must read other tutors' rows. */
async function countForeignReadsOfControl(pooledUrl: string, admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ tutor_id: string }>('select tutor_id from tutors limit 20');
  const clients = await Promise.all(
    rows.map(async ({ tutor_id: tutorId }) => {
      const client = new pg.Client(pooledUrl);
      await client.connect();
      return { client, tutorId };
    }),
  );
  let foreign = 0;
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      clients.map(async ({ client, tutorId }) => {
        await client.query(`select set_config('app.tutor_id', $1, false)`, [tutorId]);
        const found = await client.query<{ tutor_id: string }>('select tutor_id from subjects');
        if (found.rows.some((row) => row.tutor_id !== tutorId)) foreign += 1;
      }),
    );
  await Promise.all(clients.map(({ client }) => client.end()));
  return foreign;
}

async function readPooledSettings(pooledUrl: string): Promise<string> {
  const client = new pg.Client(pooledUrl);
  await client.connect();
  const { rows } = await client.query<{ settings: string }>(
    `select string_agg(name || ' ' || setting, ', ' order by name) as settings from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode')`,
  );
  await client.end();
  return rows[0]?.settings ?? '';
}

let pgBouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined;
const app = await startLessonbook({
  apis: 2,
  durable: true,
  cards: false,
  calendar: false,
  googleSignIn: false,
  startPooler: async (postgresPort) => {
    pgBouncer = await startPgBouncer(postgresPort, POOL_SIZE);
    return pgBouncer;
  },
  env: {
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'error',
    DATABASE_POOL: String(Math.ceil(CLIENTS / 2)),
  },
});
const admin = new pg.Client(app.databaseUrls.maintenanceUrl);
try {
  if (!pgBouncer) throw new Error('PgBouncer was not started');
  await admin.connect();
  const pooledUrl = urlThroughProxy(app.databaseUrls.appUrl, pgBouncer);
  console.log(
    `${pgBouncer.version}, ${CLIENTS} clients over ${POOL_SIZE} connections, seed ${flags.seed}`,
  );
  const tutors: Tutor[] = [];
  for (let number = 0; number < TUTORS; number += 1)
    tutors.push(await createMarkedTutor(app, number));
  await app.mailbox.waitFor((mail) => mail.subject !== '');
  check(true, 'the worker sends the email for a sign-up');
  const settings = await readPooledSettings(pooledUrl);
  check(
    settings ===
      'idle_in_transaction_session_timeout 30000, lock_timeout 10000, plan_cache_mode force_generic_plan, statement_timeout 15000',
    `server connections have our settings: ${settings}`,
  );
  const refusal = await requireDirectConnection({ connectionString: pooledUrl }).catch(
    (error: Error) => error.message,
  );
  check(
    String(refusal).includes('DATABASE_LISTEN_URL'),
    'the start-up check rejects a connection through the pooler',
  );
  const start = performance.now();
  const load = runLoad(tutors);
  let mostConnections = 0;
  const measure = setInterval(() => {
    void pgBouncer?.countServerConnections().then((count) => {
      mostConnections = Math.max(mostConnections, count);
    });
  }, 1_000);
  const counts = await load;
  clearInterval(measure);
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${counts.reads} reads (${counts.withData} with the tutor's data) and ${counts.writes} writes in ${seconds.toFixed(0)} s`,
  );
  check(counts.foreign === 0, `${counts.foreign} reads returned another tutor's data`);
  check(counts.withData > counts.reads / 2, 'most reads return data');
  check(counts.failed === 0, `${counts.failed} requests failed`);
  check(
    mostConnections > 0 && mostConnections <= POOL_SIZE,
    `at most ${mostConnections} server connections`,
  );
  const updates = await countLiveUpdates(app, tutors);
  check(updates === TUTORS, `${updates} of ${TUTORS} live updates arrived`);
  const foreign = await countForeignReadsOfControl(pooledUrl, admin);
  check(foreign > 0, `control without transactions: ${foreign} of 100 reads return foreign rows`);
} finally {
  await admin.end();
  await app.stop();
}
console.log(violations.length === 0 ? 'passed' : `failed; violations: ${violations.length}`);
process.exitCode = violations.length === 0 ? 0 : 1;
