import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Seen } from '@lessonbook/fakes/sink';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provision } from '@lessonbook/server/src/provision.ts';
import { freePort } from '@lessonbook/stage/free-port';
import type { Postgres } from '@lessonbook/stage/postgres';
import { type StartedProcess, startProcess } from '@lessonbook/stage/processes';
import { PgBoss } from 'pg-boss';
import { EVENING, seedBurst } from './burst-seed.ts';
import type { Options } from './options.ts';
import { count, type Outcome } from './report.ts';
import { repository, withClient } from './server.ts';

const KILLS = 4;
const GOAL = 0.3;
/** What one worker may have handed over without having noted it yet: the side by side of its job. */
const IN_FLIGHT = 20;
const BARE_JOBS = 20_000;

/** Reminders of one tick for many tutors over real SMTP, with workers killed on the way. */
export async function benchReminders(postgres: Postgres, options: Options): Promise<Outcome> {
  const database = `burst_${Date.now()}`;
  const urls = await provision(postgres.adminUrl, { database, password: 'lessonbook' });
  await migrate(urls.ownerUrl);
  const expected = await withClient(ownerOf(postgres, database), (client) =>
    seedBurst(client, options.sizes[0]),
  );
  console.log(`${count(expected)} reminders are due`);
  const sink = startProcess('sink', join(repository, 'fakes/src/sink.ts'), {}, { cwd: repository });
  const line = await sink.waitForLine(/^sink /m);
  const [, smtpUrl = '', statsUrl = ''] = line.split(' ');
  try {
    const run = await drain(urls, smtpUrl, statsUrl, expected);
    const bare = await bareRate(urls);
    return outcomeOf(expected, run, bare);
  } finally {
    sink.kill('SIGTERM');
    await withClient(postgres.adminUrl, (admin) =>
      admin.query(`drop database ${database} with (force)`),
    );
  }
}

const ownerOf = (postgres: Postgres, database: string): string => {
  const url = new URL(postgres.adminUrl);
  url.pathname = `/${database}`;
  return url.href;
};

interface Drained {
  seen: Seen;
  seconds: number;
  perSecond: number;
}

/** Starts a worker, kills it at each fifth of the way, and waits until nothing more arrives. */
async function drain(
  urls: DatabaseUrls,
  smtpUrl: string,
  statsUrl: string,
  expected: number,
): Promise<Drained> {
  const seen = async (): Promise<Seen> => (await (await fetch(statsUrl)).json()) as Seen;
  const start = performance.now();
  let worker = await startWorker(urls, smtpUrl);
  let kills = 0;
  try {
    for (;;) {
      await pause(200);
      const now = await seen();
      if (now.distinct >= expected) break;
      if (worker.hasEnded())
        throw new Error(`The worker ended:\n${worker.process.output().slice(-2_000)}`);
      if (kills < KILLS && now.distinct >= (expected * (kills + 1)) / (KILLS + 1)) {
        kills += 1;
        worker.process.kill('SIGKILL');
        await worker.process.exited;
        console.log(`killed at ${count(now.distinct)}`);
        worker = await startWorker(urls, smtpUrl);
      }
    }
    const seconds = (performance.now() - start) / 1000;
    // What a killed worker had in hand comes again now, if at all.
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
      CLOCK_START: EVENING,
    },
    { cwd: repository },
  );
  let ended = false;
  void process.exited.then(() => {
    ended = true;
  });
  return { process, hasEnded: () => ended };
}

/** How many jobs with nothing to do the same queue gets through, fetched as our worker fetches. */
async function bareRate(urls: DatabaseUrls): Promise<number> {
  const owner = new PgBoss({ connectionString: urls.ownerUrl, schema: 'jobs' });
  await owner.start();
  await owner.createQueue('bench-empty', { notify: true });
  await owner.insert(
    'bench-empty',
    Array.from({ length: BARE_JOBS }, (_, messageId) => ({ data: { messageId } })),
  );
  let done = 0;
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  await owner.work(
    'bench-empty',
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

function outcomeOf(expected: number, { seen, seconds, perSecond }: Drained, bare: number): Outcome {
  const repeats = seen.received - seen.distinct;
  return {
    notes: [
      `${count(expected)} reminders in ${seconds.toFixed(0)} s with ${KILLS} kills: ${perSecond.toFixed(0)} a second over SMTP, the sink on the same machine.`,
      `The same queue with an empty handler: ${bare.toFixed(0)} jobs a second. Mails that came twice: ${repeats}.`,
    ],
    tables: [],
    goals: [
      goal('reminders missing', expected - seen.distinct, 0),
      goal('reminders of lessons called off before the tick', seen.toGone, 0),
      goal('mails that came twice, against kills × sends in flight', repeats, KILLS * IN_FLIGHT),
      {
        what: 'reminders a second against bare jobs a second',
        measured: perSecond / bare,
        bound: GOAL,
        kind: 'at least',
        limits: 'worker, database and sink share the processors',
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
  limits: '',
});
