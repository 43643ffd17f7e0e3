import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plusDays } from '@lessonbook/contract/dates';
import { seedDemo } from '@lessonbook/stage/demo';
import { freePort } from '@lessonbook/stage/free-port';
import { type Lessonbook, startLessonbook } from '@lessonbook/stage/lessonbook';
import { startProcess } from '@lessonbook/stage/processes';
import { waitUntilReady } from '@lessonbook/stage/readiness';
import { request } from '@playwright/test';
import { openBook } from './book.ts';
import { logInToDemo } from './demo.ts';
import { EVENING } from './evening.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const BUILT = process.env['WEB_DIST'] ?? fromRoot('apps/web/dist');
/** Served is a copy, so that building anew during a run does not pull the pages away from under it. */
const SERVED = fromRoot('.cache/e2e-web');

const common = {
  // The suite signs up and logs in more often in a minute than a household in a year.
  RATE_LIMIT_FACTOR: '1000',
  SECRET_KEY: randomBytes(32).toString('base64'),
  SEALING_KEYS: `e2e:${randomBytes(32).toString('base64')}`,
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  WEB_DIST: SERVED,
  LOG_LEVEL: 'warn',
};

/** Starts the whole product once for all tests, which find it by the addresses left in the environment. */
export default async function startStage(): Promise<() => Promise<void>> {
  if (!existsSync(`${BUILT}/index.html`)) {
    throw new Error(`${BUILT} is missing: run \`npm run build\` first, or \`npm run e2e\``);
  }
  rmSync(SERVED, { recursive: true, force: true });
  cpSync(BUILT, SERVED, { recursive: true });
  const stage = await startLessonbook({ env: { ...common, DEMO_ACCOUNT: 'yes' } });
  try {
    await seedDemo(stage, common);
    await draftForDemo(stage);
    const [plain, named, evening] = await Promise.all([
      startApiAt(stage, '127.0.0.1', { DEMO_ACCOUNT: 'no' }),
      startApiAt(stage, 'localhost', {}),
      startEvening(stage),
    ]);
    process.env['E2E_URL'] = stage.url;
    process.env['E2E_URL_EVENING'] = evening.url;
    process.env['E2E_URL_WITHOUT_DEMO'] = plain.url;
    process.env['E2E_URL_BY_NAME'] = named.url;
    process.env['E2E_MAILBOX_URL'] = stage.mailbox.webUrl;
    process.env['E2E_STRIPE_URL'] = stage.stripe?.url;
    process.env['E2E_GOOGLE_URL'] = stage.google?.url;
    process.env['E2E_DATABASE_URL'] = stage.databaseUrls.appUrl;
    return async () => {
      await Promise.all([plain.stop(), named.stop(), evening.stop()]);
      await stage.stop();
    };
  } catch (problem) {
    await stage.stop();
    throw problem;
  }
}

/** Drafts of all that nobody has invoiced yet, so that every test finds the same ones. */
async function draftForDemo(stage: Lessonbook): Promise<void> {
  const api = await request.newContext();
  try {
    await logInToDemo(api, stage.url);
    const book = openBook(api, stage.url);
    const { today } = await book.dashboard();
    const drafts = await book.draftEveryone(plusDays(today, -60), today);
    if (drafts.length < 2) throw new Error('The demo tutor has nothing to invoice');
  } finally {
    await api.dispose();
  }
}

/**
 * The same book on one more server: without the demo, which is a matter of configuration, or under a name, which passkeys
 * want.
 */
async function startApiAt(stage: Lessonbook, host: string, more: Record<string, string>) {
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const api = startProcess(`api at ${host}`, fromRoot('apps/server/src/api.ts'), {
    ...connections(stage),
    APP_URL: url,
    HOST: host,
    PORT: String(port),
    ...more,
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

/** Another time needs another book: two clocks in one would take each other for the past. The database server is shared. */
async function startEvening(stage: Lessonbook): Promise<Lessonbook> {
  process.env['DATABASE_ADMIN_URL'] = stage.postgres.adminUrl;
  return startLessonbook({
    workers: 0,
    cards: false,
    calendar: false,
    googleSignIn: false,
    env: { ...common, CLOCK_START: EVENING },
  });
}

const connections = (stage: Lessonbook) => ({
  ...common,
  DATABASE_URL: stage.databaseUrls.appUrl,
  SMTP_URL: stage.mailbox.smtpUrl,
});
