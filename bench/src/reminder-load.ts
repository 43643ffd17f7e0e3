import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SinkStats } from '@lessonbook/fakes/smtp-sink';
import { smtpMailer } from '@lessonbook/server/src/integrations/mail.ts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { freePort } from '@lessonbook/test-env/free-port';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { type StartedProcess, startProcess } from '@lessonbook/test-env/processes';
import { PgBoss } from 'pg-boss';
import type { Options } from './options.ts';
import { repository, withClient } from './postgres-server.ts';
import { seedReminderLoad, WORKER_CLOCK } from './reminder-load-seed.ts';
import { formatCount, type Outcome } from './report.ts';

const KILLS = 4;
const GOAL = 0.3;
/** How many emails one worker may have sent but not yet recorded: its job concurrency. */
const IN_FLIGHT = 20;
const BARE_JOBS = 20_000;
const BARE_ROUNDS = 3;
const PLAIN_MAILS = 5_000;

/** Sends all the reminders of one cron run for many tutors over real SMTP, and kills workers during the run. */
export async function benchReminders(postgres: Postgres, options: Options): Promise<Outcome> {
  const database = `reminders_${Date.now()}`;
  const urls = await provisionDatabase(postgres.adminUrl, { database, password: 'lessonbook' });
  await migrate(urls.ownerUrl);
  const expected = await withClient(ownerUrlOf(postgres, database), (client) =>
    seedReminderLoad(client, options.sizes[0]),
  );
  console.log(`${formatCount(expected)} reminders are due`);
  const sink = startProcess(
    'sink',
    join(repository, 'fakes/src/smtp-sink.ts'),
    {},
    { cwd: repository },
  );
  const line = await sink.waitForLine(/^sink /m);
  const [, smtpUrl = '', statsUrl = ''] = line.split(' ');
  try {
    const run = await drain(urls, smtpUrl, statsUrl, expected);
    const emptyJobs = await emptyJobRates(urls);
    return toOutcome(expected, run, emptyJobs, await smtpRate(smtpUrl));
  } finally {
    sink.kill('SIGTERM');
    await withClient(postgres.adminUrl, (admin) =>
      admin.query(`drop database ${database} with (force)`),
    );
  }
}

const ownerUrlOf = (postgres: Postgres, database: string): string => {
  const url = new URL(postgres.adminUrl);
  url.pathname = `/${database}`;
  return url.href;
};

interface DrainResult {
  seen: SinkStats;
  seconds: number;
  perSecond: number;
}

/** Starts a worker, kills and replaces it after each fifth of the emails, and waits until all emails have arrived. */
async function drain(
  urls: DatabaseUrls,
  smtpUrl: string,
  statsUrl: string,
  expected: number,
): Promise<DrainResult> {
  const seen = async (): Promise<SinkStats> => (await (await fetch(statsUrl)).json()) as SinkStats;
  let worker = await startWorker(urls, smtpUrl);
  let kills = 0;
  // The cron job runs at the start of the next minute; until then nothing is due.
  let start: number | null = null;
  try {
    for (;;) {
      await pause(200);
      const now = await seen();
      if (now.received > 0) start ??= performance.now();
      if (now.distinct >= expected) break;
      if (worker.hasEnded())
        throw new Error(`The worker ended:\n${worker.process.output().slice(-2_000)}`);
      if (kills < KILLS && now.distinct >= (expected * (kills + 1)) / (KILLS + 1)) {
        kills += 1;
        worker.process.kill('SIGKILL');
        await worker.process.exited;
        console.log(`killed at ${formatCount(now.distinct)}`);
        worker = await startWorker(urls, smtpUrl);
      }
    }
    const seconds = (performance.now() - (start ?? 0)) / 1000;
    // Jobs that a killed worker held are retried within this time.
    await pause(30_000);
    return { seen: await seen(), seconds, perSecond: expected / seconds };
  } finally {
    worker.process.kill('SIGTERM');
    await worker.process.exited;
  }
}

async function startWorker(
  urls: DatabaseUrls,
  smtpUrl: string,
): Promise<{ process: StartedProcess; hasEnded: () => boolean }> {
  const process = startProcess(
    'worker',
    join(repository, 'apps/server/src/worker.ts'),
    {
      DATABASE_URL: urls.appUrl,
      APP_URL: 'http://127.0.0.1:1',
      HOST: '127.0.0.1',
      WORKER_PORT: String(await freePort()),
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
      SECRET_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      CLOCK_START: WORKER_CLOCK,
    },
    { cwd: repository },
  );
  let ended = false;
  void process.exited.then(() => {
    ended = true;
  });
  return { process, hasEnded: () => ended };
}

/** Throughput of the same queue with an empty handler and the worker's fetch options; results vary widely between rounds. */
async function emptyJobRates(urls: DatabaseUrls): Promise<number[]> {
  // After many thousands of jobs, autovacuum would otherwise start in the middle of a round.
  await withClient(urls.ownerUrl, (owner) => owner.query('vacuum analyze jobs.job_common'));
  const rates: number[] = [];
  for (let round = 0; round < BARE_ROUNDS; round += 1) rates.push(await emptyJobRate(urls, round));
  return rates.toSorted((a, b) => a - b);
}

async function emptyJobRate(urls: DatabaseUrls, round: number): Promise<number> {
  const owner = new PgBoss({ connectionString: urls.ownerUrl, schema: 'jobs' });
  await owner.start();
  const queue = `bench-empty-${round}`;
  await owner.createQueue(queue, { notify: true });
  await owner.insert(
    queue,
    Array.from({ length: BARE_JOBS }, (_, messageId) => ({ data: { messageId } })),
  );
  let done = 0;
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  await owner.work(
    queue,
    {
      batchSize: IN_FLIGHT,
      perJobResults: true,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 2,
    },
    async (jobs) => {
      done += jobs.length;
      if (done >= BARE_JOBS) resolve();
      return jobs.map((job) => ({ id: job.id, status: 'completed' as const }));
    },
  );
  await drained;
  const perSecond = done / ((performance.now() - start) / 1000);
  await owner.stop({ graceful: false });
  return perSecond;
}

/** Emails per second that one process sends to the sink without doing any other work: the cost of SMTP and the sink. */
async function smtpRate(smtpUrl: string): Promise<number> {
  const from = 'Lessonbook <book@lessonbook.example>';
  const mailer = smtpMailer({ smtpUrl, from, domain: 'lessonbook.example' });
  const text = 'A reminder of tomorrow. '.repeat(12);
  const mail = (index: number) => ({
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
  const lane = async () => {
    while (next < PLAIN_MAILS) await mailer.send(mail(next++));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  mailer.close();
  return PLAIN_MAILS / ((performance.now() - start) / 1000);
}

function toOutcome(
  expected: number,
  { seen, seconds, perSecond }: DrainResult,
  rounds: number[],
  smtpOnly: number,
): Outcome {
  const emptyJobs = rounds[Math.floor(rounds.length / 2)] ?? 0;
  const duplicates = seen.received - seen.distinct;
  return {
    notes: [
      `${formatCount(expected)} reminders in ${seconds.toFixed(0)} s with ${KILLS} kills: ${perSecond.toFixed(0)} a second over SMTP, the sink on the same machine.`,
      `The same queue with an empty handler: ${emptyJobs.toFixed(0)} jobs a second, the median of ${rounds.map((rate) => rate.toFixed(0)).join(', ')}. Duplicate mails: ${duplicates}.`,
      `The same mails sent to the sink by one process without other work: ${smtpOnly.toFixed(0)} a second. One empty job and one such mail after the other would give ${(1 / (1 / emptyJobs + 1 / smtpOnly)).toFixed(0)} a second; the measured rate is ${(perSecond * (1 / emptyJobs + 1 / smtpOnly)).toFixed(2)} of that.`,
    ],
    tables: [],
    goals: [
      goal('reminders missing', expected - seen.distinct, 0),
      goal('reminders of cancelled lessons', seen.toCancelled, 0),
      goal('duplicate mails, at most kills × sends in flight', duplicates, KILLS * IN_FLIGHT),
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

const goal = (what: string, measured: number, bound: number) => ({
  what,
  measured,
  bound,
  kind: 'at most' as const,
  bottleneck: '',
});
