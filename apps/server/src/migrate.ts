import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { readDatabaseUrl } from './config.ts';
import { jobs } from './jobs.ts';
import { installQueue } from './platform/queue/install-queue.ts';

const migrationsDir = new URL('../migrations/', import.meta.url);

/** A file that starts with this line runs outside a transaction, as CREATE INDEX CONCURRENTLY requires. */
const NO_TRANSACTION = '-- no-transaction';

/**
 * A statement waiting for an exclusive lock blocks all later statements on that table. A short timeout with retries
 * keeps requests from being blocked for long while a long transaction holds the lock.
 */
const LOCK_TIMEOUT_MS = 400;
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_POLL_MS = 100;

interface MigrateOptions {
  /** The migrations folder; set by tests. */
  folder?: URL;
  /** Attempts per file after lock timeouts; about five minutes in total, including the pauses. */
  attempts?: number;
}

/**
 * Polls: a blocking pg_advisory_lock would hold a snapshot while it waits, and CREATE INDEX CONCURRENTLY waits for such
 * snapshots.
 */
async function acquireLock(client: pg.Client): Promise<void> {
  const lock = "select pg_try_advisory_lock(hashtext('lessonbook migrate')) as acquired";
  while (!(await client.query<{ acquired: boolean }>(lock)).rows[0]?.acquired) {
    await sleep(LOCK_POLL_MS);
  }
}

/**
 * Applies pending migrations as the owner role. Migrations are forward-only: if an applied file was edited, its checksum no
 * longer matches and the run stops. Several processes may run this concurrently: an advisory lock makes the others wait.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsDir, attempts = 60 } = options;
  const client = new pg.Client(ownerUrl);
  await client.connect();
  try {
    await acquireLock(client);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const applied = await appliedMigrations(client);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
    const appliedNow: string[] = [];
    for (const name of files) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const appliedChecksum = applied.get(name);
      if (appliedChecksum === checksum) continue;
      if (appliedChecksum !== undefined)
        throw new Error(`${name} was changed after it had been applied`);
      await applyWithRetry(client, { name, sql, checksum }, attempts);
      appliedNow.push(name);
    }
    await installQueue(ownerUrl, jobs);
    return appliedNow;
  } finally {
    await client.end();
  }
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const result = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(result.rows.map((row) => [row.name, row.checksum]));
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

async function applyWithRetry(
  client: pg.Client,
  migration: Migration,
  attempts: number,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const lockTimedOut = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!lockTimedOut || attempt >= attempts)
        throw new Error(`${migration.name} failed`, { cause: error });
      // Gives the blocked requests time to finish.
      await sleep(Math.min(5_000, 250 * attempt));
    }
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  if (sql.startsWith(NO_TRANSACTION)) {
    await dropUnfinishedIndexes(client, sql);
    // CREATE INDEX CONCURRENTLY waits for old transactions without blocking others.
    await client.query('set lock_timeout = 0');
    await client.query(sql);
    await recordApplied(client, name, checksum);
    return;
  }
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(sql);
    await recordApplied(client, name, checksum);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function recordApplied(client: pg.Client, name: string, checksum: string): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
    name,
    checksum,
  ]);
}

/** A failed CREATE INDEX CONCURRENTLY leaves an invalid index behind, which would make the next attempt fail. */
async function dropUnfinishedIndexes(client: pg.Client, sql: string): Promise<void> {
  const [, index] = /create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\b/i.exec(sql) ?? [];
  if (index === undefined) return;
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indexrelid = to_regclass($1) and not indisvalid`,
    [index],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const appliedNow = await migrate(readDatabaseUrl('DATABASE_OWNER_URL'));
  process.stdout.write(
    appliedNow.length === 0 ? 'The schema is up to date.\n' : `Applied: ${appliedNow.join(', ')}\n`,
  );
}
