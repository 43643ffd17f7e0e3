import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { accounts } from '@lessonbook/contract/accounts';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { newSignupInput } from '@lessonbook/server/src/test/tutor.ts';
import { findFreePort } from '@lessonbook/test-env/free-port';
import type { Postgres } from '@lessonbook/test-env/postgres';
import { startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/readiness';
import { readEnvironment, readExecForm, type Stage } from './dockerfile.ts';

interface SmokeTestOptions {
  /** The folder that represents the image's root file system. */
  readonly image: string;
  readonly stage: Stage | undefined;
  readonly postgres: Postgres;
  readonly mailbox: Mailbox;
  readonly log: (line: string) => void;
}

/** The unprivileged user on every Linux system; it has no write access to the image. */
const UNPRIVILEGED_USER = { uid: 65_534, gid: 65_534 };

/** Long enough for a cold page cache and a busy machine. */
const TIMEOUT_MS = 120_000;

export async function smokeTestImage({
  image,
  stage,
  postgres,
  mailbox,
  log,
}: SmokeTestOptions): Promise<void> {
  assert(stage, 'The Dockerfile has no stages');
  const app = join(image, 'app');
  const port = await findFreePort();
  const workerPort = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const urls = createDatabaseUrls(postgres.adminUrl);
  const imageEnv = readEnvironment(stage);
  const env = {
    ...imageEnv,
    WEB_DIST: join(image, imageEnv['WEB_DIST'] ?? ''),
    DATABASE_URL: urls.DATABASE_URL,
    APP_URL: url,
    HOST: '127.0.0.1',
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: `first:${randomBytes(32).toString('base64')}`,
    DEMO_ACCOUNT: 'yes',
    LOG_LEVEL: 'warn',
  };
  const start = (name: string, file: string, variables: Record<string, string>) =>
    startProcess(name, join(app, file), variables, { cwd: app, as: UNPRIVILEGED_USER });
  const runToCompletion = async (file: string, variables: Record<string, string>) => {
    const started = start(file, file, variables);
    const { code } = await started.exited;
    assert.equal(code, 0, started.output());
    log(`${file}: ${started.output().trim().slice(0, 100)}`);
  };

  await assertReadOnly(app);
  log('the unprivileged user has no write access to the image');
  await runToCompletion('apps/server/src/provision-database.ts', {
    ...urls,
    DATABASE_ADMIN_URL: postgres.adminUrl,
  });
  await runToCompletion('apps/server/src/provision-database.ts', {
    ...urls,
    DATABASE_ADMIN_URL: postgres.adminUrl,
  });
  await runToCompletion('apps/server/src/migrate.ts', {
    DATABASE_OWNER_URL: urls.DATABASE_OWNER_URL,
  });
  await runToCompletion('apps/server/src/seed-demo.ts', env);
  const api = start('api', readExecForm(stage, 'CMD').at(-1) ?? '', env);
  const worker = start('worker', 'apps/server/src/worker.ts', env);
  try {
    await waitUntilReady(api, url, TIMEOUT_MS);
    await waitUntilReady(worker, `http://127.0.0.1:${workerPort}`, TIMEOUT_MS);
    for (const each of [port, workerPort]) assert.equal(await runHealthCheck(stage, each), 0);
    assert.equal(
      await runHealthCheck(stage, await findFreePort()),
      1,
      'the health check must fail without a server',
    );
    log('the health check passes for both processes and fails without a server');
    await exerciseApp(url, mailbox, log);
  } catch (error) {
    log(`${api.output()}\n${worker.output()}`);
    throw error;
  } finally {
    api.kill('SIGTERM');
    worker.kill('SIGTERM');
  }
  assert.deepEqual(await api.exited, { code: 0, signal: null });
  assert.deepEqual(await worker.exited, { code: 0, signal: null });
  log('both processes exit cleanly on SIGTERM');

  function runHealthCheck(checked: Stage, checkedPort: number): Promise<number | null> {
    const [, option = '', script = ''] = readExecForm(checked, 'HEALTHCHECK');
    const args = [script.replace(':3000', `:${checkedPort}`)];
    return startProcess(
      'health',
      option,
      {},
      { args, cwd: app, as: UNPRIVILEGED_USER },
    ).exited.then(({ code }) => code);
  }
}

/** Database URLs with new passwords, as an operator would set them before the first start. */
function createDatabaseUrls(adminUrl: string) {
  const urlForRole = (role: string) => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = randomBytes(18).toString('base64url');
    url.pathname = '/lessonbook';
    return url.href;
  };
  return {
    DATABASE_URL: urlForRole('lessonbook_app'),
    DATABASE_OWNER_URL: urlForRole('lessonbook_owner'),
    DATABASE_MAINTENANCE_URL: urlForRole('lessonbook_maintenance'),
  };
}

/** Tries to write to the image. Needs root, because only files owned by root are read-only for the unprivileged user. */
async function assertReadOnly(app: string): Promise<void> {
  assert.equal(process.getuid?.(), 0, 'run this as root, so that it can start processes as nobody');
  const write = "require('node:fs').writeFileSync('apps/server/src/written.ts', '')";
  const attempt = startProcess(
    'write',
    '-e',
    {},
    { args: [write], cwd: app, as: UNPRIVILEGED_USER },
  );
  assert.equal((await attempt.exited).code, 1);
  assert.match(attempt.output(), /EACCES/);
}

async function exerciseApp(
  url: string,
  mailbox: Mailbox,
  log: (line: string) => void,
): Promise<void> {
  const landing = await fetch(url);
  const page = await landing.text();
  assert.equal(landing.status, 200);
  assert.match(page, /<h1/, 'the landing page is rendered without scripts');
  const [, asset = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  assert.equal((await fetch(url + asset)).status, 200);
  log(`the landing page and ${asset} are served`);

  const browser = new Browser(url, url);
  const demo = { username: 'demo', password: 'demo1234' };
  assert.equal((await browser.call(accounts.login, { body: demo })).status, 200);
  const me = await browser.call(accounts.me);
  assert.equal(me.status, 200);
  log(`the demo tutor is logged in: ${JSON.stringify(me.body).slice(0, 60)}…`);

  const tutor = newSignupInput();
  assert.equal((await new Browser(url, url).call(accounts.signup, { body: tutor })).status, 201);
  const mail = await mailbox.waitFor(({ to }) => to.includes(tutor.email), 20_000);
  log(`the worker sent '${mail.subject}'`);
}
