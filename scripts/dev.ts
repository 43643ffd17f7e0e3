/**
 * Starts the whole product locally: database, mailbox, fakes for Stripe, Google sign-in and Google Calendar, API, worker and
 * the web app with hot reload. Data is kept in .data/ between runs; Ctrl-C stops everything.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMailbox } from '@lessonbook/fakes/mailbox';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { startCalendarProvider } from '@lessonbook/test-env/calendar-provider';
import { startCardProvider } from '@lessonbook/test-env/card-provider';
import { findFreePort, findPreferredOrFreePort } from '@lessonbook/test-env/free-port';
import { startGoogleSignIn } from '@lessonbook/test-env/google-sign-in';
import { startPostgres } from '@lessonbook/test-env/postgres';
import { type StartedProcess, startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';

const root = fileURLToPath(new URL('../', import.meta.url));
const server = join(root, 'apps/server/src');

/** Long, because the first start is slow on a busy machine. Ctrl-C cancels it. */
const START_TIMEOUT_MS = 120_000;

const stopFunctions: Array<() => Promise<unknown>> = [];
let isStopping = false;
process.on('SIGINT', () => void stopAll(0));
process.on('SIGTERM', () => void stopAll(0));

try {
  await startAll();
} catch (error) {
  console.error(error);
  await stopAll(1);
}

async function startAll(): Promise<void> {
  const postgres = await startPostgres({
    dataDir: join(root, '.data/postgres'),
    port: await findPreferredOrFreePort(5433),
  });
  stopFunctions.push(() => postgres.stop());
  const database = await provisionDatabase(postgres.adminUrl, {
    database: 'lessonbook',
    password: 'lessonbook',
  });
  await migrate(database.ownerUrl);

  const mailbox = await startMailbox({
    smtpPort: await findPreferredOrFreePort(1025),
    webPort: await findPreferredOrFreePort(1080),
  });
  stopFunctions.push(() => mailbox.stop());

  const apiPort = await findPreferredOrFreePort(3000);
  const webPort = await findPreferredOrFreePort(5173);
  // A passkey is bound to a host name, so an IP address does not work.
  const webUrl = `http://localhost:${webPort}`;
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  // The fakes keep no state between runs: accounts from an earlier run must be reconnected.
  const stripe = await startCardProvider(apiUrl, {
    port: await findPreferredOrFreePort(12_111),
    debitSettlesAfter: 20_000,
  });
  stopFunctions.push(() => stripe.close());
  const calendar = await startCalendarProvider({ port: await findPreferredOrFreePort(12_121) });
  stopFunctions.push(() => calendar.close());
  const google = await startGoogleSignIn(webUrl, await findPreferredOrFreePort(12_113));
  stopFunctions.push(() => google.close());
  const env = {
    ...stripe.env,
    ...calendar.env,
    ...google.env,
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_MAINTENANCE_URL: database.maintenanceUrl,
    APP_URL: webUrl,
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    WORKER_PORT: String(await findFreePort()),
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    SECRET_KEY: readOrCreateKey('secret-key'),
    ENCRYPTION_KEYS: `dev:${readOrCreateKey('encryption-key')}`,
    DEMO_ACCOUNT: 'yes',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  };

  if (process.env['SEED_DEMO'] !== 'no') await runOnce('seed', join(server, 'seed-demo.ts'), env);

  const watchMode = { cwd: root, echo: true, nodeOptions: ['--watch', '--watch-preserve-output'] };
  const api = startProcess('api', join(server, 'api.ts'), env, watchMode);
  trackProcess(api);
  trackProcess(startProcess('worker', join(server, 'worker.ts'), env, watchMode));
  const web = startProcess(
    'web',
    resolveVite(),
    { API_URL: apiUrl, WEB_PORT: String(webPort) },
    { cwd: join(root, 'apps/web'), echo: true },
  );
  trackProcess(web);
  await Promise.all([
    waitUntilReady(api, apiUrl, START_TIMEOUT_MS),
    web.waitForLine(/ready in/, START_TIMEOUT_MS),
  ]);

  printUrls([
    ['Lessonbook', webUrl],
    ['API', apiUrl],
    ['Mailbox', mailbox.webUrl],
    ['Stripe', `${stripe.url}/dashboard`],
    ['Google', `${calendar.url}/calendar/tutor@gmail.example`],
    ['Database', database.maintenanceUrl],
  ]);
}

/** Resolved from the web app, because the test runner may install another Vite version at the root. */
function resolveVite(): string {
  const fromWebApp = createRequire(join(root, 'apps/web/package.json'));
  return join(dirname(fromWebApp.resolve('vite/package.json')), 'bin/vite.js');
}

function trackProcess(started: StartedProcess): void {
  stopFunctions.push(async () => {
    started.kill('SIGTERM');
    await started.exited;
  });
  void started.exited.then(({ code }) => {
    if (isStopping) return;
    console.error(`${started.name} exited (${code}); stopping everything`);
    void stopAll(1);
  });
}

async function runOnce(name: string, file: string, env: Record<string, string>): Promise<void> {
  const { code } = await startProcess(name, file, env, { cwd: root, echo: true }).exited;
  if (code !== 0) throw new Error(`${name} failed (${code})`);
}

/** Returns a key that is kept between runs, so that email links and authenticator apps from earlier runs still work. */
function readOrCreateKey(name: string): string {
  const file = join(root, '.data', name);
  if (!existsSync(file)) {
    mkdirSync(join(root, '.data'), { recursive: true });
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

function printUrls(urls: Array<[string, string]>): void {
  const rows = urls.map(([name, url]) => `  ${name.padEnd(12)}${url}`);
  console.log(`\n${rows.join('\n')}\n\n  Ctrl-C stops everything.\n`);
}

async function stopAll(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const stopOne of stopFunctions.toReversed()) await stopOne();
  process.exit(code);
}
