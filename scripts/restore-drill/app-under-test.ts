import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import type { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { type StartedProcess, startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';
import type { PostgresServer } from './postgres-server-and-backups.ts';

const DATABASE = 'lessonbook';

const repository = fileURLToPath(new URL('../../', import.meta.url));

export interface Api {
  url: string;
  stop: () => Promise<void>;
}

export async function createDatabase({ adminUrl }: PostgresServer): Promise<DatabaseUrls> {
  const urls = await provisionDatabase(adminUrl, { database: DATABASE, password: 'lessonbook' });
  await migrate(urls.ownerUrl);
  return urls;
}

/** Starts the API and restarts it when it exits, as in production. */
export async function startApi(urls: DatabaseUrls): Promise<Api> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: urls.appUrl,
    APP_URL: url,
    HOST: '127.0.0.1',
    PORT: String(port),
    // No worker runs, so no email is sent.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'silent',
  };
  let stopping = false;
  let running: StartedProcess;
  function start(): void {
    running = startProcess('api', join(repository, 'apps/server/src/api.ts'), env, {
      cwd: repository,
    });
    void running.exited.then(async () => {
      await sleep(200);
      if (!stopping) start();
    });
  }
  start();
  await waitUntilReady(running!, url);
  return {
    url,
    stop: async () => {
      stopping = true;
      running.kill('SIGTERM');
      await running.exited;
    },
  };
}

/** Waits for the first successful response to a tutor and returns its time. */
export async function waitUntilServing(browser: Browser, ms = 300_000): Promise<number> {
  const deadline = Date.now() + ms;
  while (Date.now() < deadline) {
    const response = await browser.call(accounts.me).catch(() => undefined);
    if (response?.status === 200) return Date.now();
    await sleep(20);
  }
  throw new Error(`The API is not ready after ${ms} ms`);
}

/** Superuser URL for the application's database on a server. */
export function appDatabaseUrl({ adminUrl }: PostgresServer): string {
  const url = new URL(adminUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
