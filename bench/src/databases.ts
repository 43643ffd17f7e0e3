import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { cacheFolder, repositoryRoot, withClient, withDatabase } from './postgres-server.ts';
import { copyRows } from './seed/copy-rows.ts';
import { SESSIONS_PER_TUTOR } from './seed/generated-tutor-data.ts';
import { LARGE_TABLES } from './seed/large-tables.ts';
import { SMALL_TABLES } from './seed/small-tables.ts';
import { withoutIndexes } from './seed/without-indexes.ts';

export interface SeededDatabase {
  sessions: number;
  tutors: number;
  database: string;
  urls: DatabaseUrls;
}

const PASSWORD = 'lessonbook';
const BYTES_PER_SESSION = 2_500;

/** Returns a migrated database with this many sessions, cached between runs. */
export async function getSeededDatabase(
  adminUrl: string,
  sessions: number,
): Promise<SeededDatabase> {
  const tutors = sessions / SESSIONS_PER_TUTOR;
  const database = `bench_${computeChecksum()}_${sessions}`;
  if (!(await listDatabases(adminUrl)).includes(database)) {
    await dropOutdatedDatabases(adminUrl);
    await seed(adminUrl, database, tutors);
  }
  const urls = await provisionDatabase(adminUrl, { database, password: PASSWORD });
  return { sessions, tutors, database, urls };
}

/** Creates a writable copy, so that the seeded database does not change. */
export async function copyDatabase(
  adminUrl: string,
  db: SeededDatabase,
  suffix = 'copy',
): Promise<SeededDatabase> {
  const database = `${db.database}_${suffix}`;
  await withClient(adminUrl, async (admin) => {
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.query(
      `create database ${database} owner lessonbook_owner template ${db.database} strategy file_copy`,
    );
    await admin.query(`grant connect on database ${database} to lessonbook_app`);
  });
  return {
    ...db,
    database,
    urls: await provisionDatabase(adminUrl, { database, password: PASSWORD }),
  };
}

export async function dropCopy(adminUrl: string, copy: SeededDatabase): Promise<void> {
  await withClient(adminUrl, (admin) =>
    admin.query(`drop database if exists ${copy.database} with (force)`),
  );
}

/** Checksum of the migrations and the seed code: a change to either invalidates the cached databases. */
function computeChecksum(): string {
  const hash = createHash('sha256');
  for (const folder of ['apps/server/migrations', 'bench/src/seed']) {
    for (const name of readdirSync(join(repositoryRoot, folder)).toSorted()) {
      if (!name.endsWith('.test.ts')) hash.update(readFileSync(join(repositoryRoot, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 10);
}

async function listDatabases(adminUrl: string): Promise<string[]> {
  const { rows } = await withClient(adminUrl, (admin) =>
    admin.query<{ datname: string }>(
      String.raw`select datname from pg_database where datname like 'bench\_%'`,
    ),
  );
  return rows.map((row) => row.datname);
}

async function dropOutdatedDatabases(adminUrl: string): Promise<void> {
  const current = new RegExp(`^bench_${computeChecksum()}_\\d+$`);
  const outdated = (await listDatabases(adminUrl)).filter((name) => !current.test(name));
  await withClient(adminUrl, async (admin) => {
    for (const name of outdated) await admin.query(`drop database ${name} with (force)`);
  });
}

async function seed(adminUrl: string, database: string, tutors: number): Promise<void> {
  assertDiskSpace(tutors * SESSIONS_PER_TUTOR);
  const unfinished = `${database}_unfinished`;
  const url = withDatabase(adminUrl, unfinished);
  const logStep = createStepLogger(
    `${(tutors * SESSIONS_PER_TUTOR).toLocaleString('en-GB')} sessions`,
  );
  const urls = await provisionDatabase(adminUrl, { database: unfinished, password: PASSWORD });
  await migrate(urls.ownerUrl);
  await withClient(url, async (client) => {
    for (const rows of SMALL_TABLES) await copyRows(url, rows, tutors);
    const names = LARGE_TABLES.map((rows) => rows.table);
    await withoutIndexes(client, names, async () => {
      for (const rows of LARGE_TABLES) {
        await copyRows(url, rows, tutors);
        logStep(`copied ${rows.table}`);
      }
    });
    logStep('built the indexes');
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
    logStep('vacuumed');
  });
  await withClient(adminUrl, (admin) =>
    admin.query(`alter database ${unfinished} rename to ${database}`),
  );
}

/** Fails early, because seeding takes up to an hour. */
function assertDiskSpace(sessions: number): void {
  const { bavail, bsize } = statfsSync(cacheFolder);
  const needed = sessions * BYTES_PER_SESSION;
  if (bavail * bsize > needed) return;
  const gigabytes = Math.ceil(needed / 2 ** 30);
  throw new Error(`${sessions} sessions need about ${gigabytes} GB of free disk in ${cacheFolder}`);
}

function createStepLogger(database: string): (step: string) => void {
  const start = performance.now();
  return (step) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`  seeding ${database}: ${step} (${seconds} s)`);
  };
}
