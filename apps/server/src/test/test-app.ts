import { randomBytes, randomUUID } from 'node:crypto';
import { startMailbox } from '@lessonbook/fakes/mailbox';
import pg from 'pg';
import { inject } from 'vitest';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { createContext } from '../create-context.ts';
import { jobs } from '../jobs.ts';
import type { Clock } from '../platform/clock.ts';
import { type DatabaseUrls, provisionDatabase } from '../provision-database.ts';
import { Browser } from './browser-client.ts';
import { PASSWORD, TEMPLATE } from './global-setup.ts';
import { wakeWorkerForDueJobs } from './wake-worker.ts';

/** The start time of the test clock. */
const START = '2026-11-16T12:00:00Z';

export class TestClock implements Clock {
  #now = new Date(START);

  now(): Date {
    return new Date(this.#now);
  }

  restart(): void {
    this.#now = new Date(START);
  }

  set(instant: string): void {
    this.#now = new Date(instant);
  }

  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): void {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = by;
    const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    this.#now = new Date(this.#now.getTime() + total * 1000);
  }
}

/** The shared server and its migrated template; also used with `startLessonbook`. */
export const sharedDatabase = () => ({
  adminUrl: inject('adminUrl'),
  template: TEMPLATE,
  password: PASSWORD,
});

export function createTestDatabase(): Promise<DatabaseUrls> {
  const { adminUrl, ...template } = sharedDatabase();
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  return provisionDatabase(adminUrl, { database, ...template });
}

/** Environment variables for a server process in tests. */
export const testEnvironment = (urls: DatabaseUrls, smtpUrl: string): Record<string, string> => ({
  DATABASE_URL: urls.appUrl,
  APP_URL: 'http://127.0.0.1:1',
  SMTP_URL: smtpUrl,
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  SECRET_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'silent',
});

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** Starts the worker and the API over real HTTP, with a new database unless one is passed. */
export async function startTestApp(
  environment: Record<string, string> = {},
  databaseUrls?: DatabaseUrls,
) {
  const urls = databaseUrls ?? (await createTestDatabase());
  const mailbox = await startMailbox();
  const config: Config = readConfig({ ...testEnvironment(urls, mailbox.smtpUrl), ...environment });
  const clock = new TestClock();
  const api = await createContext(config, 'api', clock);
  const worker = await createContext(config, 'worker', clock);
  await worker.context.queue.work(worker.context, jobs);
  const stopWaking = wakeWorkerForDueJobs(urls.maintenanceUrl);
  const http = await buildApp(api.context);
  const url = await http.fastify.listen({ host: '127.0.0.1', port: 0 });
  const context: Context = api.context;
  const admin = new pg.Pool({ connectionString: urls.maintenanceUrl, max: 2 });
  return {
    url,
    urls,
    http,
    context,
    clock,
    mailbox,
    /** Bypasses row-level security. */
    admin,
    browser: (headers?: Record<string, string>) => new Browser(url, config.origin, headers),
    /** Resets the clock, and also the rate limits, which could otherwise have entries in the future. */
    restartClock: async () => {
      clock.restart();
      await context.db.global.deleteFrom('rate_limits').execute();
    },
    close: async () => {
      await stopWaking();
      await http.stop();
      await admin.end();
      await Promise.all([api.close(), worker.close()]);
      await mailbox.stop();
    },
  };
}
