import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';

/** A complete installation with its own server, database and keys. */
export interface TestInstallation {
  name: string;
  app: Lessonbook;
  /** The file with its environment variables, passed as --from or --to. */
  envFile: string;
  admin: pg.Client;
  superuser: pg.Client;
}

async function startInstallation(name: string, directory: string): Promise<TestInstallation> {
  const keys = {
    SECRET_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: `${name}:${randomBytes(32).toString('base64')}`,
  };
  const app = await startLessonbook({
    durable: true,
    cards: false,
    calendar: false,
    googleSignIn: false,
    env: { ...keys, RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'error' },
  });
  const { databaseUrls } = app;
  const variables = {
    ...keys,
    DATABASE_URL: databaseUrls.appUrl,
    DATABASE_MAINTENANCE_URL: databaseUrls.maintenanceUrl,
    APP_URL: app.url,
    SMTP_URL: app.mailbox.smtpUrl,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  };
  const envFile = join(directory, `${name}.env`);
  writeFileSync(
    envFile,
    Object.entries(variables)
      .map(([key, value]) => `${key}="${value}"\n`)
      .join(''),
  );
  const superuserUrl = new URL(app.postgres.adminUrl);
  superuserUrl.pathname = new URL(databaseUrls.appUrl).pathname;
  const admin = new pg.Client(databaseUrls.maintenanceUrl);
  const superuser = new pg.Client(superuserUrl.href);
  await Promise.all([admin.connect(), superuser.connect()]);
  return { name, app, envFile, admin, superuser };
}

export async function startInstallations() {
  const directory = mkdtempSync(join(tmpdir(), 'move-tutor-'));
  const source = await startInstallation('source', directory);
  const target = await startInstallation('target', directory);
  return {
    source,
    target,
    stop: async () => {
      for (const { admin, superuser, app } of [source, target]) {
        await Promise.all([admin.end(), superuser.end()]);
        await app.stop();
      }
      rmSync(directory, { recursive: true });
    },
  };
}
