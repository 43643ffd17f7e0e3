import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Lessonbook, startLessonbook } from './lessonbook.ts';
import { startProcess } from './processes.ts';

const SEED_SCRIPT = fileURLToPath(new URL('../../apps/server/src/seed-demo.ts', import.meta.url));

export const DEMO_LOGIN = { username: 'demo', password: 'demo1234' };

/** Seeds the demo account. `env` must hold the API's encryption keys, because the seed encrypts some columns. */
export async function seedDemo(app: Lessonbook, env: Record<string, string>): Promise<void> {
  const seedProcess = startProcess('seed', SEED_SCRIPT, {
    ...env,
    DATABASE_URL: app.databaseUrls.appUrl,
    SMTP_URL: app.mailbox.smtpUrl,
    APP_URL: app.url,
  });
  const { code } = await seedProcess.exited;
  if (code !== 0) throw new Error(`Seeding the demo account failed:\n${seedProcess.output()}`);
}

/** Starts the built web app with the demo data, for measurements: without a worker and with very high rate limits. */
export async function startDemo(): Promise<Lessonbook> {
  const env = {
    DEMO_ACCOUNT: 'yes',
    RATE_LIMIT_FACTOR: '1000',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: `demo:${randomBytes(32).toString('base64')}`,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    LOG_LEVEL: 'warn',
  };
  const app = await startLessonbook({
    workers: 0,
    cards: false,
    calendar: false,
    googleSignIn: false,
    env,
  });
  try {
    await seedDemo(app, env);
    await analyzeDatabase(app.databaseUrls.ownerUrl);
    return app;
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** Autovacuum would do this within a minute, but the statistics must be up to date before measurements start. */
async function analyzeDatabase(ownerUrl: string): Promise<void> {
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    await owner.query('analyze');
  } finally {
    await owner.end();
  }
}
