import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { seedDemo } from '@lessonbook/test-env/demo';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';
import { request } from '@playwright/test';
import { createApiClient } from './api-client.ts';
import { logInDemoTutor } from './find-demo-account-data.ts';
import { FIXED_NOW } from './fixed-server-time.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const BUILT_WEB = process.env['WEB_DIST'] ?? fromRoot('apps/web/dist');
/** Tests use a copy of the build, so that a new build during a run does not change the served files. */
const SERVED_WEB = fromRoot('.cache/e2e-web');

const commonEnv = {
  // The suite signs up and logs in far more often than the limits allow.
  RATE_LIMIT_FACTOR: '1000',
  SECRET_KEY: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: `e2e:${randomBytes(32).toString('base64')}`,
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  WEB_DIST: SERVED_WEB,
  LOG_LEVEL: 'warn',
};

/** Starts the whole product once for all tests and sets its URLs in the environment. */
export default async function startTestEnv(): Promise<() => Promise<void>> {
  if (!existsSync(`${BUILT_WEB}/index.html`)) {
    throw new Error(`${BUILT_WEB} is missing: run \`npm run build\` first, or \`npm run e2e\``);
  }
  rmSync(SERVED_WEB, { recursive: true, force: true });
  cpSync(BUILT_WEB, SERVED_WEB, { recursive: true });
  const app = await startLessonbook({ env: { ...commonEnv, DEMO_ACCOUNT: 'yes' } });
  try {
    await seedDemo(app, commonEnv);
    await draftDemoInvoices(app);
    const [apiWithoutDemo, apiWithHostName, fixedClockApp] = await Promise.all([
      startExtraApi(app, '127.0.0.1', { DEMO_ACCOUNT: 'no' }),
      startExtraApi(app, 'localhost', {}),
      startFixedClockApp(app),
    ]);
    process.env['E2E_URL'] = app.url;
    process.env['E2E_URL_FIXED_CLOCK'] = fixedClockApp.url;
    process.env['E2E_URL_WITHOUT_DEMO'] = apiWithoutDemo.url;
    process.env['E2E_URL_WITH_HOST_NAME'] = apiWithHostName.url;
    process.env['E2E_MAILBOX_URL'] = app.mailbox.webUrl;
    process.env['E2E_STRIPE_URL'] = app.stripe?.url;
    process.env['E2E_GOOGLE_URL'] = app.google?.url;
    process.env['E2E_DATABASE_URL'] = app.databaseUrls.appUrl;
    return async () => {
      await Promise.all([apiWithoutDemo.stop(), apiWithHostName.stop(), fixedClockApp.stop()]);
      await app.stop();
    };
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** Drafts all outstanding invoices in the demo account, so that every test finds the same drafts. */
async function draftDemoInvoices(app: Lessonbook): Promise<void> {
  const http = await request.newContext();
  try {
    await logInDemoTutor(http, app.url);
    const api = createApiClient(http, app.url);
    const { today } = await api.dashboard();
    const drafts = await api.draftBulkInvoices(addDaysToDate(today, -60), today);
    if (drafts.length < 2) throw new Error('The demo tutor has nothing to invoice');
  } finally {
    await http.dispose();
  }
}

/**
 * Starts another API on the same database with different settings: without the demo account, or with a host name, which
 * passkeys require.
 */
async function startExtraApi(app: Lessonbook, host: string, extraEnv: Record<string, string>) {
  const port = await findFreePort();
  const url = `http://${host}:${port}`;
  const api = startProcess(`api at ${host}`, fromRoot('apps/server/src/api.ts'), {
    ...connectionEnv(app),
    APP_URL: url,
    HOST: host,
    PORT: String(port),
    ...extraEnv,
  });
  await waitUntilReady(api, url);
  return {
    url,
    stop: async () => {
      api.kill('SIGTERM');
      await api.exited;
    },
  };
}

/** Uses a separate database, because two clocks on one database would conflict. The database server is shared. */
async function startFixedClockApp(app: Lessonbook): Promise<Lessonbook> {
  process.env['DATABASE_ADMIN_URL'] = app.postgres.adminUrl;
  return startLessonbook({
    workers: 0,
    cards: false,
    calendar: false,
    googleSignIn: false,
    env: { ...commonEnv, CLOCK_START: FIXED_NOW },
  });
}

const connectionEnv = (app: Lessonbook) => ({
  ...commonEnv,
  DATABASE_URL: app.databaseUrls.appUrl,
  SMTP_URL: app.mailbox.smtpUrl,
});
