import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { readDatabaseUrl } from './config.ts';
import { jobs } from './jobs.ts';
import { installQueue } from './platform/queue.ts';

/**
 * Brings the schema up to date, as the owner. Forward only: a file that landed is never edited, which its
 * checksum proves. Safe to run from several processes at once: one works, the others wait and find nothing to do.
 */
const folder = new URL('../migrations/', import.meta.url);

/** A file that begins with this runs outside a transaction, as CREATE INDEX CONCURRENTLY needs it. */
const NO_TRANSACTION = '-- no-transaction';

export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('lessonbook migrate'))");
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const applied = await appliedMigrations(client);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
    const done: string[] = [];
    for (const name of files) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const before = applied.get(name);
      if (before === checksum) continue;
      if (before !== undefined) throw new Error(`${name} was changed after it had been applied`);
      await apply(client, name, sql, checksum);
      done.push(name);
    }
    await installQueue(ownerUrl, jobs);
    return done;
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

async function apply(
  client: pg.Client,
  name: string,
  sql: string,
  checksum: string,
): Promise<void> {
  const plain = sql.startsWith(NO_TRANSACTION);
  if (!plain) await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ]);
    if (!plain) await client.query('commit');
  } catch (error) {
    if (!plain) await client.query('rollback');
    throw new Error(`${name} failed`, { cause: error });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const done = await migrate(readDatabaseUrl('DATABASE_OWNER_URL'));
  process.stdout.write(
    done.length === 0 ? 'The schema is up to date.\n' : `Applied: ${done.join(', ')}\n`,
  );
}
