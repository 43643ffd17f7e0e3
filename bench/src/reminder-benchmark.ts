import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SinkStats } from '@lessonbook/fakes/counting-smtp-sink';
import { smtpMailer } from '@lessonbook/server/src/integrations/mail.ts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { findFreePort } from '@lessonbook/test-env/free-port';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { type StartedProcess, startProcess } from '@lessonbook/test-env/processes';
import { PgBoss } from 'pg-boss';
import type { Options } from './options.ts';
import { repositoryRoot, withClient } from './postgres-server.ts';
import { seedReminderLoad, WORKER_CLOCK } from './reminder-benchmark-seed.ts';
import { formatCount, type Outcome } from './report.ts';

const KILLS = 4;
const GOAL = 0.3;
/** How many emails one worker may have sent but not yet recorded: its job concurrency. */
const SENDS_IN_FLIGHT = 20;
/** The claims of a killed worker expire after five minutes, so the clock of the next worker is later by more than that. */
const CLOCK_STEP_MS = 6 * 60_000;
const EMPTY_JOBS = 20_000;
const EMPTY_JOB_ROUNDS = 3;
const SMTP_ONLY_EMAILS = 5_000;

/** Sends all the reminders of one cron run for many tutors over real SMTP, and kills workers during the run. */
export async function benchReminders(postgres: Postgres, options: Options): Promise<Outcome> {
  const database = `reminders_${Date.now()}`;
  const urls = await provisionDatabase(postgres.adminUrl, { database, password: 'lessonbook' });
  await migrate(urls.ownerUrl);
  const expected = await withClient(databaseAdminUrl(postgres, database), (client) =>
    seedReminderLoad(client, options.sizes[0]),
  );
  console.log(`${formatCount(expected)} reminders are due`);
  const sink = startProcess(
    'sink',
    join(repositoryRoot, 'fakes/src/counting-smtp-sink.ts'),
    {},
    { cwd: repositoryRoot },
  );
  const line = await sink.waitForLine(/^sink /m);
  const [, smtpUrl = '', statsUrl = ''] = line.split(' ');
  try {
    const run = await sendAllReminders(urls, smtpUrl, statsUrl, expected);
    const emptyJobs = await measureEmptyJobRates(urls);
    return toOutcome(expected, run, emptyJobs, await measureSmtpRate(smtpUrl));
  } finally {
    sink.kill('SIGTERM');
    await withClient(postgres.adminUrl, (admin) =>
      admin.query(`drop database ${database} with (force)`),
    );
  }
}

const databaseAdminUrl = (postgres: Postgres, database: string): string => {
  const url = new URL(postgres.adminUrl);
  url.pathname = `/${database}`;
  return url.href;
};

interface ReminderRun {
  stats: SinkStats;
  seconds: number;
  perSecond: number;
}

/** Starts a worker, kills and replaces it after each fifth of the emails, and waits until all emails have arrived. */
async function sendAllReminders(
  urls: DatabaseUrls,
  smtpUrl: string,
  statsUrl: string,
  expected: number,
): Promise<ReminderRun> {
  const readStats = async (): Promise<SinkStats> =>
    (await (await fetch(statsUrl)).json()) as SinkStats;
  let worker = await startWorker(urls, smtpUrl, 0);
  let kills = 0;
  // The cron job runs at the start of the next minute; until then nothing is due.
  let start: number | null = null;
  try {
    for (;;) {
      await pause(200);
      const stats = await readStats();
      if (stats.received > 0) start ??= performance.now();
      if (stats.distinct >= expected) break;
      if (worker.hasEnded())
        throw new Error(`The worker exited:\n${worker.process.output().slice(-2_000)}`);
      if (kills < KILLS && stats.distinct >= (expected * (kills + 1)) / (KILLS + 1)) {
        kills += 1;
        worker.process.kill('SIGKILL');
        await worker.process.exited;
        console.log(`killed at ${formatCount(stats.distinct)}`);
        worker = await startWorker(urls, smtpUrl, kills);
      }
    }
    const seconds = (performance.now() - (start ?? 0)) / 1000;
    // Jobs that a killed worker held are retried within this time.
    await pause(30_000);
    return { stats: await readStats(), seconds, perSecond: expected / seconds };
  } finally {
    worker.process.kill('SIGTERM');
    await worker.process.exited;
  }
}

async function startWorker(
  urls: DatabaseUrls,
  smtpUrl: string,
  earlierWorkers: number,
): Promise<{ process: StartedProcess; hasEnded: () => boolean }> {
  const clock = new Date(Date.parse(WORKER_CLOCK) + earlierWorkers * CLOCK_STEP_MS);
  const process = startProcess(
    'worker',
    join(repositoryRoot, 'apps/server/src/worker.ts'),
    {
      DATABASE_URL: urls.appUrl,
      APP_URL: 'http://127.0.0.1:1',
      HOST: '127.0.0.1',
      WORKER_PORT: String(await findFreePort()),
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
      SECRET_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      CLOCK_START: clock.toISOString(),
    },
    { cwd: repositoryRoot },
  );
  let ended = false;
  void process.exited.then(() => {
    ended = true;
  });
  return { process, hasEnded: () => ended };
}

/** Throughput of the same queue with an empty handler and the worker's fetch options; results vary widely between rounds. */
async function measureEmptyJobRates(urls: DatabaseUrls): Promise<number[]> {
  // After many thousands of jobs, autovacuum would otherwise start in the middle of a round.
  await withClient(urls.ownerUrl, (owner) => owner.query('vacuum analyze jobs.job_common'));
  const rates: number[] = [];
  for (let round = 0; round < EMPTY_JOB_ROUNDS; round += 1)
    rates.push(await measureEmptyJobRate(urls, round));
  return rates.toSorted((a, b) => a - b);
}

async function measureEmptyJobRate(urls: DatabaseUrls, round: number): Promise<number> {
  const owner = new PgBoss({ connectionString: urls.ownerUrl, schema: 'jobs' });
  await owner.start();
  const queue = `bench-empty-${round}`;
  await owner.createQueue(queue, { notify: true });
  await owner.insert(
    queue,
    Array.from({ length: EMPTY_JOBS }, (_, messageId) => ({ data: { messageId } })),
  );
  let done = 0;
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  await owner.work(
    queue,
    {
      batchSize: SENDS_IN_FLIGHT,
      perJobResults: true,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 2,
    },
    async (jobs) => {
      done += jobs.length;
      if (done >= EMPTY_JOBS) resolve();
      return jobs.map((job) => ({ id: job.id, status: 'completed' as const }));
    },
  );
  await drained;
  const perSecond = done / ((performance.now() - start) / 1000);
  await owner.stop({ graceful: false });
  return perSecond;
}

/** Emails per second that one process sends to the sink without doing any other work: the cost of SMTP and the sink. */
async function measureSmtpRate(smtpUrl: string): Promise<number> {
  const from = 'Lessonbook <book@lessonbook.example>';
  const mailer = smtpMailer({ smtpUrl, from, domain: 'lessonbook.example' });
  const text = 'A reminder of tomorrow. '.repeat(12);
  const mail = (index: number) => ({
    kind: 'lesson_reminder' as const,
    to: { name: 'Family', address: `plain${index}@families.example` },
    subject: 'Tomorrow: Maya 4:00 pm',
    text,
    html: `<p>${text.repeat(6)}</p>`,
    attachments: [
      { filename: 'lessons.ics', contentType: 'text/calendar', content: text.repeat(2) },
    ],
    messageId: `plain.${index}`,
  });
  const start = performance.now();
  let next = 0;
  const sendRemaining = async () => {
    while (next < SMTP_ONLY_EMAILS) await mailer.send(mail(next++));
  };
  await Promise.all(Array.from({ length: SENDS_IN_FLIGHT }, sendRemaining));
  mailer.close();
  return SMTP_ONLY_EMAILS / ((performance.now() - start) / 1000);
}

function toOutcome(
  expected: number,
  { stats, seconds, perSecond }: ReminderRun,
  rounds: number[],
  smtpOnly: number,
): Outcome {
  const emptyJobs = rounds[Math.floor(rounds.length / 2)] ?? 0;
  const duplicates = stats.received - stats.distinct;
  return {
    notes: [
      `${formatCount(expected)} reminders in ${seconds.toFixed(0)} s with ${KILLS} kills: ${perSecond.toFixed(0)} a second over SMTP, the sink on the same machine.`,
      `The same queue with an empty handler: ${emptyJobs.toFixed(0)} jobs a second, the median of ${rounds.map((rate) => rate.toFixed(0)).join(', ')}. Duplicate emails: ${duplicates}.`,
      `The same emails sent to the sink by one process that does nothing else: ${smtpOnly.toFixed(0)} a second. Running one empty job and then sending one such email would give ${(1 / (1 / emptyJobs + 1 / smtpOnly)).toFixed(0)} a second; the measured rate is ${(perSecond * (1 / emptyJobs + 1 / smtpOnly)).toFixed(2)} of that.`,
    ],
    tables: [],
    goals: [
      atMostGoal('reminders missing', expected - stats.distinct, 0),
      atMostGoal('reminders for cancelled lessons', stats.sentToCancelled, 0),
      atMostGoal(
        'duplicate emails, at most kills × sends in flight',
        duplicates,
        KILLS * SENDS_IN_FLIGHT,
      ),
      {
        what: 'reminders a second compared with empty jobs a second',
        measured: perSecond / emptyJobs,
        bound: GOAL,
        kind: 'at least',
        bottleneck: 'worker, database and sink share the processors',
      },
    ],
    findings: [],
  };
}

const atMostGoal = (what: string, measured: number, bound: number) => ({
  what,
  measured,
  bound,
  kind: 'at most' as const,
  bottleneck: '',
});
