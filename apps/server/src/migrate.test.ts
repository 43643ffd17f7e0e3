import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import type { DatabaseUrls } from './provision.ts';
import { freshDatabase } from './test/house.ts';

let urls: DatabaseUrls;
let folder: string;
let clients: pg.Client[];
beforeEach(async () => {
  urls = await freshDatabase();
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

const files = () => pathToFileURL(`${folder}/`);
const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql);

/** How long the longest of a stream of small reads took while something was done. */
async function longestRead(during: Promise<unknown>): Promise<number> {
  const reader = await connect(urls.maintenanceUrl);
  let longest = 0;
  let going = true;
  void during.finally(() => {
    going = false;
  });
  const state = () => going;
  while (state()) {
    const start = performance.now();
    await reader.query('select count(*) from stopped_numbers');
    longest = Math.max(longest, performance.now() - start);
    await sleep(5);
  }
  return longest;
}

test('while a long transaction is in the way, a change waits its turn and holds nobody up for long', async () => {
  write('0100_column.sql', 'alter table stopped_numbers add column note text;');
  const holder = await connect(urls.maintenanceUrl);
  await holder.query('begin; select 1 from stopped_numbers');
  const migrating = migrate(urls.ownerUrl, { files: files() });
  const held = longestRead(migrating);
  await sleep(2_500);
  await holder.query('commit');
  expect(await migrating).toEqual(['0100_column.sql']);
  // Without giving way it would be the whole time that the transaction was open.
  expect(await held).toBeLessThan(1_200);
});

test('a lock that never comes is given up in the end, with nothing half done', async () => {
  write(
    '0100_two.sql',
    'create table planted (id integer); alter table stopped_numbers add column note text;',
  );
  const holder = await connect(urls.maintenanceUrl);
  await holder.query('begin; select 1 from stopped_numbers');
  await expect(migrate(urls.ownerUrl, { files: files(), tries: 2 })).rejects.toThrow(
    '0100_two.sql failed',
  );
  const { rows } = await holder.query(`select to_regclass('planted') as planted`);
  expect(rows).toEqual([{ planted: null }]);
  await holder.query('rollback');
  expect(await migrate(urls.ownerUrl, { files: files() })).toEqual(['0100_two.sql']);
});

test('an index beside the traffic: what an earlier try left half done is taken away first', async () => {
  const owner = await connect(urls.ownerUrl);
  await owner.query(`create table planted (id integer); insert into planted values (1), (1)`);
  await expect(
    owner.query('create unique index concurrently planted_once on planted (id)'),
  ).rejects.toThrow(/could not create unique index/);
  await owner.query('delete from planted');
  write(
    '0100_index.sql',
    '-- no-transaction\ncreate unique index concurrently planted_once on planted (id);',
  );
  expect(await migrate(urls.ownerUrl, { files: files() })).toEqual(['0100_index.sql']);
  const { rows } = await owner.query(
    `select indisvalid as valid from pg_index where indexrelid = 'planted_once'::regclass`,
  );
  expect(rows).toEqual([{ valid: true }]);
  expect(await migrate(urls.ownerUrl, { files: files() })).toEqual([]);
});
