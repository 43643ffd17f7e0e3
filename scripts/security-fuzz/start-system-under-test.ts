import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';
import pg from 'pg';

/** Passkeys need an origin with a host name; requests still go to the address of the process. */
export const ORIGIN = 'http://localhost:1';
export const SECRET_KEY = randomBytes(32);

/** The processes under attack and their database. */
export interface Target {
  app: Lessonbook;
  /** A connection that bypasses row-level security. */
  admin: pg.Client;
  /** The unmodified API. */
  unmodified: Api;
  browser: (url?: string) => Browser;
  /** Starts the modified API: see instrumented-api.ts. */
  startInstrumented: (extraEnv: Record<string, string>) => Promise<Api>;
  close: () => Promise<void>;
}

export interface Api {
  url: string;
  pid: number;
  output: () => string;
}

const environment = {
  APP_URL: ORIGIN,
  SECRET_KEY: SECRET_KEY.toString('base64'),
  ENCRYPTION_KEYS: `fuzz:${randomBytes(32).toString('base64')}`,
  RATE_LIMIT_FACTOR: '1000000',
  DEMO_ACCOUNT: 'yes',
  LOG_LEVEL: 'error',
};

/** Starts the API without a worker, so that only requests change data. */
export async function startTarget(): Promise<Target> {
  const app = await startLessonbook({ workers: 0, env: environment });
  const admin = new pg.Client(app.databaseUrls.maintenanceUrl);
  await admin.connect();
  const instrumented: Array<ReturnType<typeof startProcess>> = [];
  return {
    app,
    admin,
    unmodified: app.apis[0] as Api,
    browser: (url = app.url) => new Browser(url, ORIGIN),
    startInstrumented: async (extraEnv) => {
      const port = await findFreePort();
      const started = startProcess(
        'instrumented',
        fileURLToPath(new URL('instrumented-api.ts', import.meta.url)),
        { ...createEnvironment(app), ...extraEnv, PORT: String(port) },
        { cwd: fileURLToPath(new URL('../../', import.meta.url)) },
      );
      instrumented.push(started);
      const url = `http://127.0.0.1:${port}`;
      await waitUntilReady(started, url);
      return { url, pid: started.pid, output: started.output };
    },
    close: async () => {
      for (const each of instrumented) {
        each.kill('SIGTERM');
        await each.exited;
      }
      await admin.end();
      await app.stop();
    },
  };
}

/** Environment variables for processes started in addition to the test environment. */
export const createEnvironment = (app: Lessonbook): Record<string, string> => ({
  DATABASE_URL: app.databaseUrls.appUrl,
  SMTP_URL: app.mailbox.smtpUrl,
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  HOST: '127.0.0.1',
  ...app.stripe?.env,
  ...app.google?.env,
  ...environment,
});
