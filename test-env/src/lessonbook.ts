import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Mailbox, startMailbox } from '@lessonbook/fakes/mailbox';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { type CalendarProvider, startCalendarProvider } from './calendar-provider.ts';
import { type CardProvider, startCardProvider } from './card-provider.ts';
import { findFreePort } from './free-port.ts';
import { startGoogleSignIn } from './google-sign-in.ts';
import { createExternalServerHandle, type Postgres, startPostgres } from './postgres.ts';
import { type StartedProcess, startProcess } from './processes.ts';
import { startTcpProxy, type TcpProxy, urlThroughProxy } from './tcp-proxy.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface LessonbookOptions {
  apis?: number;
  workers?: number;
  /** Starts the APIs from this file instead of apps/server/src/api.ts. */
  apiEntry?: string;
  /** Overrides the variables that the test environment sets. */
  env?: Record<string, string>;
  /** Production durability settings, for tests that kill processes. */
  durable?: boolean;
  /** Prints the output of the processes, each line prefixed with the process name. */
  echo?: boolean;
  /** Priority of the API and worker processes; see `ProcessOptions`. */
  priority?: number;
  /** If false, no fake Stripe is started and card payments are off. */
  cards?: boolean;
  /** If false, no fake Google Calendar is started. */
  calendar?: boolean;
  /** If false, no fake Google sign-in is started, and signing in with Google is off. */
  googleSignIn?: boolean;
  /** Creates the database on a running server, as a copy of `template` if given; by default, a new server is started. */
  database?: { adminUrl: string; template?: string; password: string };
  /** If true, the API and the worker reach the database through a proxy that can be frozen. */
  databaseProxy?: boolean;
  /** Starts a pooler for the PostgreSQL server on this port. The API and the worker send their queries through it. */
  startPooler?: (postgresPort: number) => Promise<{ port: number; stop: () => Promise<void> }>;
}

export interface ServingProcess extends StartedProcess {
  url: string;
  waitUntilReady: (timeoutMs?: number) => Promise<void>;
}

export interface Lessonbook {
  /** Address of the first API; also the public address used in email links. */
  url: string;
  urls: string[];
  databaseUrls: DatabaseUrls;
  postgres: Postgres;
  /** Null unless `databaseProxy` is true. */
  databaseProxy: TcpProxy | null;
  mailbox: Mailbox;
  /** Null when `cards` is false. */
  stripe: CardProvider | null;
  /** Null when `calendar` is false. */
  google: CalendarProvider | null;
  apis: ServingProcess[];
  workers: ServingProcess[];
  /** Starts another API on the given port or a free one, for example to replace a killed process. `env` adds variables. */
  startApi: (port?: number, env?: Record<string, string>) => Promise<ServingProcess>;
  startWorker: (env?: Record<string, string>) => Promise<ServingProcess>;
  stop: () => Promise<void>;
}

const repository = fileURLToPath(new URL('../../', import.meta.url));
const serverSource = `${repository}apps/server/src/`;

/** Starts the whole product on free ports: database, mailbox, fake Stripe and Google, API and worker processes. */
export async function startLessonbook(options: LessonbookOptions = {}): Promise<Lessonbook> {
  const cleanups: Array<() => Promise<unknown>> = [];
  async function stop(): Promise<void> {
    // In reverse order, so that dependents stop before their dependencies.
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
    cleanups.length = 0;
  }

  try {
    const postgres = options.database
      ? createExternalServerHandle(options.database.adminUrl)
      : await startPostgres({ durable: options.durable ?? false });
    cleanups.push(() => postgres.stop());
    const databaseUrls = await provisionDatabase(postgres.adminUrl, {
      database: `lessonbook_${randomBytes(6).toString('hex')}`,
      // Several test environments may share one server. Roles belong to the server, so all must set the same password.
      ...(options.database ?? { password: 'lessonbook' }),
    });
    if (!options.database?.template) await migrate(databaseUrls.ownerUrl);
    const databaseProxy = options.databaseProxy
      ? await startTcpProxy(Number(new URL(databaseUrls.appUrl).port))
      : null;
    if (databaseProxy) cleanups.push(() => databaseProxy.close());
    const pooler = await options.startPooler?.(Number(new URL(databaseUrls.appUrl).port));
    if (pooler) cleanups.push(() => pooler.stop());
    const mailbox = await startMailbox();
    cleanups.push(() => mailbox.stop());

    const firstPort = await findFreePort();
    const url = `http://127.0.0.1:${firstPort}`;
    const stripe = options.cards === false ? null : await startCardProvider(url);
    if (stripe) cleanups.push(() => stripe.close());
    const signIn = options.googleSignIn === false ? null : await startGoogleSignIn(url);
    if (signIn) cleanups.push(() => signIn.close());
    const google = options.calendar === false ? null : await startCalendarProvider();
    if (google) cleanups.push(() => google.close());
    const commonEnvironment = {
      ...createEnvironment(databaseUrls, mailbox.smtpUrl, url),
      ...stripe?.env,
      ...signIn?.env,
      ...google?.env,
      ...(databaseProxy
        ? { DATABASE_URL: urlThroughProxy(databaseUrls.appUrl, databaseProxy) }
        : {}),
      ...(pooler
        ? {
            DATABASE_URL: urlThroughProxy(databaseUrls.appUrl, pooler),
            DATABASE_LISTEN_URL: databaseUrls.appUrl,
          }
        : {}),
      ...options.env,
    };
    const apis: ServingProcess[] = [];
    const workers: ServingProcess[] = [];
    cleanups.push(() => stopAll([...apis, ...workers]));

    async function startServing(
      kind: 'api' | 'worker',
      port: number,
      env: Record<string, string> = {},
    ) {
      const name = `${kind}-${(kind === 'api' ? apis : workers).length + 1}`;
      const portVariable = kind === 'api' ? { PORT: String(port) } : { WORKER_PORT: String(port) };
      const started = startProcess(
        name,
        (kind === 'api' ? options.apiEntry : undefined) ?? `${serverSource}${kind}.ts`,
        { ...commonEnvironment, ...portVariable, ...env },
        {
          cwd: repository,
          echo: options.echo ?? false,
          ...(options.priority === undefined ? {} : { priority: options.priority }),
        },
      );
      const processUrl = `http://127.0.0.1:${port}`;
      const serving: ServingProcess = {
        ...started,
        url: processUrl,
        waitUntilReady: (timeoutMs) => waitUntilReady(started, processUrl, timeoutMs),
      };
      (kind === 'api' ? apis : workers).push(serving);
      await serving.waitUntilReady();
      return serving;
    }

    // The ports are chosen first, so that startServing does not have to wait before it numbers its process. Otherwise, two
    // processes could get the same name.
    const [apiCount, workerCount] = [options.apis ?? 1, options.workers ?? 1];
    const ports = new Set(apiCount > 0 ? [firstPort] : []);
    while (ports.size < apiCount + workerCount) ports.add(await findFreePort());
    const apiPorts = [...ports].slice(0, apiCount);
    const workerPorts = [...ports].slice(apiCount);
    await Promise.all([
      ...apiPorts.map((port) => startServing('api', port)),
      ...workerPorts.map((port) => startServing('worker', port)),
    ]);

    return {
      url,
      urls: apis.map((api) => api.url),
      databaseUrls,
      postgres,
      databaseProxy,
      mailbox,
      stripe,
      google,
      apis,
      workers,
      startApi: async (port, env) => startServing('api', port ?? (await findFreePort()), env),
      startWorker: async (env) => startServing('worker', await findFreePort(), env),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createEnvironment(urls: DatabaseUrls, smtpUrl: string, publicOrigin: string) {
  const webDist = `${repository}apps/web/dist`;
  return {
    DATABASE_URL: urls.appUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    DATABASE_MAINTENANCE_URL: urls.maintenanceUrl,
    APP_URL: publicOrigin,
    HOST: '127.0.0.1',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'warn',
    ...(existsSync(webDist) ? { WEB_DIST: webDist } : {}),
  };
}

async function stopAll(processes: readonly StartedProcess[]): Promise<void> {
  await Promise.all(
    processes.map(async (each) => {
      each.kill('SIGTERM');
      const killTimer = setTimeout(() => each.kill('SIGKILL'), WAIT_TIMEOUT_MS);
      await each.exited;
      clearTimeout(killTimer);
    }),
  );
}
