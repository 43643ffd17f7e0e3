import { randomBytes } from 'node:crypto';
import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { students } from '@lessonbook/contract/students';
import { type TcpProxy, urlThroughProxy } from '@lessonbook/test-env/tcp-proxy';
import pg from 'pg';
import { inject } from 'vitest';
import { ACCOUNT_EMAIL_JOB } from '../domains/accounts/job-types.ts';
import type { Installation } from '../domains/restore/service/copy-tutor-between-installations.ts';
import { moveTutor } from '../domains/restore/service/move-tutor.ts';
import type { CompletedStep } from '../domains/restore/service/tutor-move-steps.ts';
import {
  connectLongRunning,
  type LongRunningClient,
} from '../platform/db/long-running-client-with-heartbeat.ts';
import { uuidV7 } from '../platform/db/uuid.ts';
import { Browser } from './browser-client.ts';
import { createStudent } from './create-student-and-subject.ts';
import { createTutor, findTutorId } from './create-tutor.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { waitUntilQueueIdle } from './wait-for-queue-and-control-retries.ts';

/** Starts an installation with its own keys. */
export const startInstallation = (
  name: string,
  environment: Record<string, string> = {},
): Promise<TestApp> =>
  startTestApp({
    ...environment,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: `${name}:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_FACTOR: '1000',
  });

async function connectMover(
  { urls, context }: TestApp,
  proxy?: TcpProxy,
): Promise<Installation & LongRunningClient> {
  const { maintenanceUrl } = urls;
  const client = await connectLongRunning(
    proxy ? urlThroughProxy(maintenanceUrl, proxy) : maintenanceUrl,
  );
  const { origin, secretKey, previousSecretKey, encryptionKeys } = context.config;
  return { ...client, origin, secretKey, previousSecretKey, encryptionKeys };
}

/** Runs a command with its own connections, as the program does. */
export async function runMove(
  from: TestApp,
  to: TestApp,
  account: string,
  {
    command = moveTutor,
    proxies = [],
    ...options
  }: {
    command?: typeof moveTutor;
    /** For the connections to the source and the target. */
    proxies?: readonly TcpProxy[];
    onStep?: (step: CompletedStep) => void | Promise<void>;
    drainSeconds?: number;
    waitSeconds?: number;
  } = {},
): Promise<void> {
  const movers = [
    await connectMover(from, proxies[0]),
    await connectMover(to, proxies[1]),
  ] as const;
  try {
    await command(...movers, account, options);
  } finally {
    await Promise.all(movers.map(({ close }) => close()));
  }
}

/** Not a MoveError, so the program stops immediately, as if it had been killed. */
class KilledError extends Error {}

/** Runs a move that is killed after the step. */
export async function killMoveAfter(
  from: TestApp,
  to: TestApp,
  account: string,
  step: CompletedStep,
): Promise<void> {
  const onStep = (done: CompletedStep) => {
    if (done === step) throw new KilledError();
  };
  await runMove(from, to, account, { onStep }).catch((error: Error) => {
    if (!(error instanceof KilledError)) throw error;
  });
}

/** Returns the same browser, but connected to another installation. */
export function follow(browser: Browser, app: TestApp): Browser {
  const other = new Browser(app.url, app.context.config.origin);
  other.cookies = browser.cookies;
  return other;
}

export const statusAt = async (browser: Browser, app: TestApp) =>
  (await follow(browser, app).call(accounts.me)).status;

export const addStudentAt = async (browser: Browser, app: TestApp, name: string) =>
  (await follow(browser, app).call(students.createStudent, { body: { name } })).status;

/** Names of the tutor's students, read directly from the database. */
export async function listStudentNames({ admin }: TestApp, tutorId: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'select name from students where tutor_id = $1 order by id',
    [tutorId],
  );
  return rows.map(({ name }) => name);
}

/** Ids of the tutor's waiting and running jobs. */
export async function listJobIds({ admin }: TestApp, tutorId: string): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `select id from jobs.job where data->>'tutorId' = $1 and state < 'completed' order by id`,
    [tutorId],
  );
  return rows.map(({ id }) => id);
}

export const enqueueForTomorrow = ({ context }: TestApp, tutorId: string) =>
  context.db.tutorTransaction(tutorId, (tx) =>
    context.queue.enqueue(
      tx,
      ACCOUNT_EMAIL_JOB,
      { tutorId, tokenId: uuidV7(new Date()) },
      { afterSeconds: 86_400 },
    ),
  );

export interface SmallTutor {
  browser: Browser;
  input: SignupInput;
  id: string;
}

/** A tutor with a student and a job that waits until tomorrow. */
export async function createSmallTutor(app: TestApp): Promise<SmallTutor> {
  const { browser, input } = await createTutor(app);
  await createStudent(browser, { name: 'Maya' });
  const id = await findTutorId(app, input);
  await waitUntilQueueIdle(app.admin);
  await enqueueForTomorrow(app, id);
  return { browser, input, id };
}

export function asSuperuser({ urls }: TestApp): string {
  const url = new URL(inject('adminUrl'));
  url.pathname = new URL(urls.appUrl).pathname;
  return url.href;
}

/** Plants the fault in the database while `work` runs. */
export async function withFault(
  app: TestApp,
  { plant, remove }: { plant: string; remove: string },
  work: () => Promise<unknown>,
): Promise<void> {
  const superuser = new pg.Client(asSuperuser(app));
  await superuser.connect();
  try {
    await superuser.query(plant);
    await work();
  } finally {
    await superuser.query(remove);
    await superuser.end();
  }
}
