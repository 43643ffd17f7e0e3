/**
 * Checks the invariants of a database: `npm run invariants` with DATABASE_MAINTENANCE_URL (or DATABASE_URL, if its role can
 * read every row), or `--demo` for a new database with the demo data.
 */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { findViolations, INVARIANTS } from '@lessonbook/server/src/invariants.ts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { startPostgres } from '@lessonbook/test-env/postgres';
import pg from 'pg';

async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const violations = await findViolations(client);
    for (const { rule, tutorId, detail } of violations)
      console.log(`VIOLATED  ${rule}: ${detail} (tutor ${tutorId})`);
    const { rows } = await client.query<{ entries: number }>(
      'select (select count(*) from charges) + (select count(*) from payments) as entries',
    );
    console.log(
      `${INVARIANTS.length} invariants checked on ${rows[0]?.entries} ledger entries: ${violations.length} violations`,
    );
    process.exitCode = violations.length === 0 ? 0 : 1;
  } finally {
    await client.end();
  }
}

/** The demo data is written by the same services as real data. */
async function checkDemo(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const urls = await provisionDatabase(postgres.adminUrl, {
      database: `lessonbook_demo_${process.pid}`,
      password: 'lessonbook',
    });
    await migrate(urls.ownerUrl);
    const seeded = spawnSync(process.execPath, ['apps/server/src/seed-demo.ts'], {
      cwd: fileURLToPath(new URL('../', import.meta.url)),
      stdio: 'inherit',
      env: {
        ...process.env,
        DATABASE_URL: urls.appUrl,
        APP_URL: 'http://127.0.0.1:1',
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
        SECRET_KEY: randomBytes(32).toString('base64'),
        DEMO_ACCOUNT: 'yes',
        LOG_LEVEL: 'silent',
      },
    });
    if (seeded.status !== 0) throw new Error('Seeding the demo account failed');
    await checkDatabase(urls.maintenanceUrl);
  } finally {
    await postgres.stop();
  }
}

const url = process.env['DATABASE_MAINTENANCE_URL'] ?? process.env['DATABASE_URL'];
if (process.argv.includes('--demo')) await checkDemo();
else if (url) await checkDatabase(url);
else {
  console.error('Set DATABASE_MAINTENANCE_URL, or use --demo.');
  process.exitCode = 2;
}
