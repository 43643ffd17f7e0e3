import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import type { DatabaseUrls } from './provision-database.ts';
import { createTestDatabase } from './test/test-app.ts';

let urls: DatabaseUrls;
let folder: string;
let clients: pg.Client[];
beforeEach(async () => {
  urls = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'lessonbook-migrate-'));
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  rmSync(folder, { recursive: true });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  clients.push(client);
  return client;
}

const migrationFolder = () => pathToFileURL(`${folder}/`);
const writeMigration = (name: string, sql: string) => writeFileSync(join(folder, name), sql);

/** Waits until the migration is queued behind a lock. */
async function waitForQueuedLock(watcher: pg.Client): Promise<void> {
  const queued = `select 1 from pg_locks where not granted and relation = 'whatsapp_opt_outs'::regclass
                  and mode = 'AccessExclusiveLock'`;
  await waitUntil(
    async () => (await watcher.query(queued)).rowCount === 1,
    () => 'the migration does not wait for a lock',
  );
}

test('a migration blocked by a long transaction is retried and blocks other queries only briefly', async () => {
  writeMigration('0100_column.sql', 'alter table whatsapp_opt_outs add column note text;');
  const holder = await connect(urls.maintenanceUrl);
  await holder.query('begin; select 1 from whatsapp_opt_outs');
  const migrating = migrate(urls.ownerUrl, { folder: migrationFolder() });
  const [watcher, reader] = [
    await connect(urls.maintenanceUrl),
    await connect(urls.maintenanceUrl),
  ];
  // The read queues behind the migration; without the lock timeout it would never finish.
  for (let round = 0; round < 3; round += 1) {
    await waitForQueuedLock(watcher);
    await reader.query('select count(*) from whatsapp_opt_outs');
  }
  await holder.query('commit');
  expect(await migrating).toEqual(['0100_column.sql']);
});

test('a migration that never gets its lock fails and is rolled back', async () => {
  writeMigration(
    '0100_two.sql',
    'create table planted (id integer); alter table whatsapp_opt_outs add column note text;',
  );
  const holder = await connect(urls.maintenanceUrl);
  await holder.query('begin; select 1 from whatsapp_opt_outs');
  await expect(migrate(urls.ownerUrl, { folder: migrationFolder(), attempts: 2 })).rejects.toThrow(
    '0100_two.sql failed',
  );
  const { rows } = await holder.query(`select to_regclass('planted') as planted`);
  expect(rows).toEqual([{ planted: null }]);
  await holder.query('rollback');
  expect(await migrate(urls.ownerUrl, { folder: migrationFolder() })).toEqual(['0100_two.sql']);
});

test('an invalid index left by a failed CREATE INDEX CONCURRENTLY is dropped before the next attempt', async () => {
  const owner = await connect(urls.ownerUrl);
  await owner.query(`create table planted (id integer); insert into planted values (1), (1)`);
  await expect(
    owner.query('create unique index concurrently planted_once on planted (id)'),
  ).rejects.toThrow(/could not create unique index/);
  await owner.query('delete from planted');
  writeMigration(
    '0100_index.sql',
    '-- no-transaction\ncreate unique index concurrently planted_once on planted (id);',
  );
  expect(await migrate(urls.ownerUrl, { folder: migrationFolder() })).toEqual(['0100_index.sql']);
  const { rows } = await owner.query(
    `select indisvalid as valid from pg_index where indexrelid = 'planted_once'::regclass`,
  );
  expect(rows).toEqual([{ valid: true }]);
  expect(await migrate(urls.ownerUrl, { folder: migrationFolder() })).toEqual([]);
});
