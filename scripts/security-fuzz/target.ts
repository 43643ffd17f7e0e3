import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Browser } from '@lessonbook/server/src/test/browser.ts';
import { freePort } from '@lessonbook/test-env/free-port';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/readiness';
import pg from 'pg';

/** Passkeys belong to a name, so the book is known by one; requests go to the address of the process all the same. */
export const ORIGIN = 'http://localhost:1';
export const SECRET_KEY = randomBytes(32);

/** A process that answers, and the database behind it. */
export interface Target {
  app: Lessonbook;
  /** Looks past the walls between tutors. */
  admin: pg.Client;
  /** The product as it is. */
  plain: Api;
  browser: (url?: string) => Browser;
  /** The product with something of the harness in it: see api.ts beside this file. */
  startInstrumented: (instrumented: Record<string, string>) => Promise<Api>;
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
  SEALING_KEYS: `hostile:${randomBytes(32).toString('base64')}`,
  RATE_LIMIT_FACTOR: '1000000',
  DEMO_ACCOUNT: 'yes',
  LOG_LEVEL: 'error',
};

/** No worker runs: nothing but requests may change a book, so that it can be compared. */
export async function startTarget(): Promise<Target> {
  const app = await startLessonbook({ workers: 0, env: environment });
  const admin = new pg.Client(app.databaseUrls.maintenanceUrl);
  await admin.connect();
  const instrumented: Array<ReturnType<typeof startProcess>> = [];
  return {
    app,
    admin,
    plain: app.apis[0] as Api,
    browser: (url = app.url) => new Browser(url, ORIGIN),
    startInstrumented: async (extra) => {
      const port = await freePort();
      const started = startProcess(
        'spoilt',
        fileURLToPath(new URL('instrumented-api.ts', import.meta.url)),
        { ...environmentOf(app), ...extra, PORT: String(port) },
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

/** Of one more process beside those of the stage. */
export const environmentOf = (app: Lessonbook): Record<string, string> => ({
  DATABASE_URL: app.databaseUrls.appUrl,
  SMTP_URL: app.mailbox.smtpUrl,
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  HOST: '127.0.0.1',
  ...app.stripe?.env,
  ...app.google?.env,
  ...environment,
});
