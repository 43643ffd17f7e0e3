import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { seedDemo } from '@lessonbook/test-env/demo';
import {
  type Lessonbook,
  type ServingProcess,
  startLessonbook,
} from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { ORIGIN, SECRET_KEY } from '../security-fuzz/start-system-under-test.ts';

/** Each caller has its own network, because some rate limits apply to a network. */
export const NETWORKS = {
  tutor: '203.0.113.1',
  demo: '203.0.113.2',
  anonymous: '203.0.113.3',
  measuredTutor: '203.0.113.9',
} as const;

/** A process that is not idle this long after a case is restarted. */
const IDLE_TIMEOUT_MS = 5_000;
const IDLE_WINDOW_MS = 100;

export interface Target {
  app: Lessonbook;
  /** A superuser connection to the application's database. */
  admin: pg.Client;
  seedDemo: () => Promise<void>;
  /** The two APIs, of which the first is attacked. */
  apis: () => readonly ServingProcess[];
  browser: (url?: string, network?: string) => Browser;
  /** Stops everything that the previous case left running; returns a stall for each process that had to be restarted. */
  recover: (attackerIds: readonly string[]) => Promise<Stall[]>;
  /** The event loop turns of the APIs in this period that used a lot of processor time. */
  stalls: (from: number, to: number) => Stall[];
  close: () => Promise<void>;
}

export interface Stall {
  /** For example 'api-1'. */
  process: string;
  ms: number;
  /** The functions that took the time, if profiled. */
  functions: string;
}

interface TargetOptions {
  apiEntry?: string;
  profile: boolean;
  /** How many times slower than usual the machine may be. */
  slowdown: number;
}

/** Starts two APIs and a worker with production rate limits. */
export async function startTarget({ apiEntry, profile, slowdown }: TargetOptions): Promise<Target> {
  const probe = new URL('stall-probe.ts', import.meta.url).href;
  const env = {
    APP_URL: ORIGIN,
    SECRET_KEY: SECRET_KEY.toString('base64'),
    ENCRYPTION_KEYS: `neighbour:${randomBytes(32).toString('base64')}`,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    DEMO_ACCOUNT: 'yes',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'error',
  };
  const app = await startLessonbook({
    apis: 2,
    ...(apiEntry ? { apiEntry } : {}),
    env: {
      ...env,
      NODE_OPTIONS: `--import ${probe}`,
      ...(profile ? { NEIGHBOUR_PROFILE: 'yes' } : {}),
    },
  });
  try {
    const admin = await connectAsSuperuser(app);
    return createTarget(app, admin, slowdown, () => seedDemo(app, env));
  } catch (error) {
    await app.stop();
    throw error;
  }
}

async function connectAsSuperuser(app: Lessonbook): Promise<pg.Client> {
  const url = new URL(app.postgres.adminUrl);
  url.pathname = new URL(app.databaseUrls.ownerUrl).pathname;
  const client = new pg.Client(url.href);
  await client.connect();
  return client;
}

function createTarget(
  app: Lessonbook,
  admin: pg.Client,
  slowdown: number,
  seed: () => Promise<void>,
): Target {
  let [apis, workers] = [[...app.apis], [...app.workers]];
  async function restart(unresponsive: ServingProcess): Promise<void> {
    unresponsive.kill('SIGKILL');
    await unresponsive.exited;
    const isApi = apis.includes(unresponsive);
    const started = isApi
      ? await app.startApi(Number(new URL(unresponsive.url).port))
      : await app.startWorker();
    const replace = (each: ServingProcess) => (each === unresponsive ? started : each);
    [apis, workers] = [apis.map(replace), workers.map(replace)];
  }
  return {
    app,
    admin,
    seedDemo: seed,
    apis: () => apis,
    browser: (url = app.url, network = NETWORKS.tutor) =>
      new Browser(url, ORIGIN, { 'x-forwarded-for': network }),
    recover: async (attackerIds) => {
      await admin.query(`delete from jobs.job where data->>'tutorId' = any($1)`, [attackerIds]);
      await cancelStatements(admin);
      const found = await Promise.all(
        [...apis, ...workers].map(async (each): Promise<Stall[]> => {
          const ms = await waitUntilIdle(each, IDLE_TIMEOUT_MS * slowdown);
          if (ms === undefined) return [];
          await restart(each);
          return [{ process: each.name, ms, functions: 'not idle at the end of the case' }];
        }),
      );
      return found.flat();
    },
    stalls: (from, to) => apis.flatMap((api) => readStalls(api, from, to)),
    close: async () => {
      await admin.end();
      await app.stop();
    },
  };
}

const MAX_CANCEL_ROUNDS = 30;
const CANCEL_INTERVAL_MS = 100;

/**
 * Cancels statements until none is active. An aborted request continues with its next statement, which would disturb the next
 * case.
 */
async function cancelStatements(admin: pg.Client): Promise<void> {
  for (let round = 0; round < MAX_CANCEL_ROUNDS; round += 1) {
    const { rows } = await admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = 'lessonbook_app' and state = 'active'`,
    );
    if (rows.length === 0) return;
    await sleep(CANCEL_INTERVAL_MS);
  }
}

/**
 * Waits until the process is idle, because aborted requests keep running. Returns undefined if it becomes idle in time;
 * otherwise the processor time of its main thread while it did not answer, which is 0 if it answered but was busy.
 */
async function waitUntilIdle(
  { url, pid }: ServingProcess,
  timeoutMs: number,
): Promise<number | undefined> {
  const deadline = performance.now() + timeoutMs;
  const before = mainThreadCpuMs(pid);
  while (performance.now() < deadline) {
    const response = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(Math.ceil(Math.max(1, deadline - performance.now()))),
    }).catch(() => undefined);
    if (!response) return mainThreadCpuMs(pid) - before;
    await response.body?.cancel();
    const cpu = mainThreadCpuMs(pid);
    await sleep(IDLE_WINDOW_MS);
    if (mainThreadCpuMs(pid) - cpu < IDLE_WINDOW_MS / 2) return undefined;
  }
  return 0;
}

const NS_PER_MS = 1_000_000;

function mainThreadCpuMs(pid: number): number {
  const [runningNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Math.round(Number(runningNs) / NS_PER_MS);
}

function readStalls({ name, output }: ServingProcess, from: number, to: number): Stall[] {
  return [...output().matchAll(/^stall (\d+) (\d+) (.*)$/gm)]
    .filter(([, at]) => Number(at) >= from && Number(at) <= to)
    .map(([, , ms, functions = '']) => ({ process: name, ms: Number(ms), functions }));
}
