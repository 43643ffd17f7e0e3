import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseUrls } from '../../provision-database.ts';
import { createTestDatabase } from '../../test/test-app.ts';

/** Tables without a tenant. A new table is a tenant's table unless it is named here with a reason. */
const globalTables = new Set([
  'login_directory', // searched by username and e-mail before anyone is known
  'logins', // searched by the cookie's token before anyone is known
  'email_tokens', // searched by the token of a mailed link
  'identities', // searched by what Google calls somebody, before anyone is known
  'google_oauth_states', // ways to Google that a browser has begun, before anyone is known
  'oauth_tickets', // whom Google has vouched for, for a minute, before anyone is known
  'mfa_challenges', // the password was right, the second factor is to come: searched by the browser's token
  'passkeys', // searched by what the device calls the key, before anyone is known
  'passkey_challenges', // what a device is to sign, before anyone is known
  'public_links', // searched by the token of a bill's address
  'whatsapp_opt_outs', // hashes of numbers that wrote STOP to the one number all tutors share
  'stripe_account_index', // whose account an event of the card provider is about
  'webhook_events', // ids of events that were taken, without anything personal
  'calendar_channels', // whose calendar a call of Google's is about
  'tenant_schedule', // which tutor has work due when, without personal data
  'rate_limits', // counts visitors who are nobody yet
  'failed_logins', // counts wrong passwords, also for names that nobody has
  'schema_migrations', // the owner's bookkeeping
]);

let urls: DatabaseUrls;
let owner: pg.Client;
beforeAll(async () => {
  urls = await createTestDatabase();
  owner = new pg.Client(urls.ownerUrl);
  await owner.connect();
});
afterAll(() => owner.end());

interface Table {
  name: string;
  oid: number;
  enabled: boolean;
  forced: boolean;
}

async function tenantTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, oid::int, relrowsecurity as enabled, relforcerowsecurity as forced
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  );
  return rows.filter((table) => !globalTables.has(table.name));
}

/** Everything that is wrong with the tenant tables, in words; nothing is what we want to read. */
async function schemaViolations(client: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tenantTables(client)) {
    if (!table.enabled || !table.forced)
      found.push(`${table.name}: row-level security is not forced`);
    // A restrictive one beside it can only take away.
    const policies = await client.query<{ using: string; check: string | null }>(
      `select pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
       from pg_policy where polrelid = $1 and polpermissive`,
      [table.oid],
    );
    const own = `(tutor_id = (current_setting('app.tutor_id'::text))::uuid)`;
    if (
      policies.rows.length !== 1 ||
      policies.rows[0]?.using !== own ||
      policies.rows[0].check !== own
    ) {
      found.push(`${table.name}: its policy is not "own rows only"`);
    }
    const indexes = await client.query<{ name: string; primary: boolean; first: string }>(
      `select i.indexrelid::regclass::text as name, indisprimary as primary, a.attname as first
       from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indrelid = $1`,
      [table.oid],
    );
    for (const index of indexes.rows) {
      if (index.first !== 'tutor_id')
        found.push(`${table.name}: ${index.name} does not start with tutor_id`);
    }
    if (!indexes.rows.some((index) => index.primary))
      found.push(`${table.name}: has no primary key`);
    const uncovered = await client.query<{ name: string }>(
      `select c.conname as name from pg_constraint c
       where c.conrelid = $1 and c.contype = 'f' and not exists (
         select 1 from pg_index i where i.indrelid = c.conrelid
           and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
      [table.oid],
    );
    for (const { name } of uncovered.rows)
      found.push(`${table.name}: no index for the foreign key ${name}`);
    const astray = await client.query<{ name: string }>(
      `select c.conname as name from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.conrelid = $1 and c.contype = 'f' and a.attname <> 'tutor_id'`,
      [table.oid],
    );
    for (const { name } of astray.rows)
      found.push(`${table.name}: the foreign key ${name} does not start with tutor_id`);
  }
  return found;
}

/** Views, and functions that run as their owner: what they read, no policy guards for the caller. */
async function policyBypasses(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
     union all select proname from pg_proc where pronamespace in ('public'::regnamespace, 'jobs'::regnamespace) and prosecdef`,
  );
  return rows.map(({ name }) => name);
}

describe('tenant tables', () => {
  test('[V8.4.1, T20] each has forced row-level security, a key led by tutor_id and an index for each foreign key', async () => {
    expect((await tenantTables(owner)).map((table) => table.name)).toContain('tutors');
    expect(await schemaViolations(owner)).toEqual([]);
  });

  test.each([
    [
      'no row-level security',
      'create table planted (tutor_id uuid primary key)',
      'row-level security is not forced',
    ],
    [
      'row-level security that the owner may pass',
      'create table planted (tutor_id uuid primary key); alter table planted enable row level security',
      'row-level security is not forced',
    ],
    [
      'a policy that lets all pass',
      'drop policy tenant_isolation on id_sequences; create policy tenant_isolation on id_sequences using (true)',
      'its policy is not',
    ],
    [
      'an index led by another column',
      'create index planted on id_sequences (kind)',
      'does not start with tutor_id',
    ],
    [
      'a foreign key without index',
      `create table planted (tutor_id uuid, id int, kind text, primary key (tutor_id, id), foreign key (tutor_id, kind) references id_sequences)`,
      'no index for the foreign key',
    ],
  ])('[T20] the check finds a planted fault: %s', async (_, plant, message) => {
    await owner.query('begin');
    await owner.query(plant);
    const found = await schemaViolations(owner);
    await owner.query('rollback');
    expect(found.join('\n')).toContain(message);
  });
});

describe('the roles', () => {
  test('[V13.2.2] the application owns nothing and cannot bypass row-level security; only maintenance can', async () => {
    const roles = await owner.query<{
      rolname: string;
      rolsuper: boolean;
      rolbypassrls: boolean;
      rolcreaterole: boolean;
    }>(
      `select rolname, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname like 'lessonbook%' order by 1`,
    );
    expect(roles.rows).toEqual([
      { rolname: 'lessonbook_app', rolsuper: false, rolbypassrls: false, rolcreaterole: false },
      {
        rolname: 'lessonbook_maintenance',
        rolsuper: false,
        rolbypassrls: true,
        rolcreaterole: false,
      },
      { rolname: 'lessonbook_owner', rolsuper: false, rolbypassrls: false, rolcreaterole: false },
    ]);
    const owned = await owner.query(
      `select relname from pg_class where pg_get_userbyid(relowner) in ('lessonbook_app', 'lessonbook_maintenance')`,
    );
    expect(owned.rows).toEqual([]);
  });

  test('[T20] no view and no function of ours runs with rights that its caller lacks', async () => {
    expect(await policyBypasses(owner)).toEqual([]);
  });

  test.each([
    ['a view', 'create view planted as select * from students', 'planted'],
    ['a copy', 'create materialized view planted as select 1 as id', 'planted'],
    [
      'a function with its owner’s rights',
      `create function planted() returns bigint language sql security definer as 'select count(*) from students'`,
      'planted',
    ],
    ['a policy that lets more pass', 'create policy planted on students using (true)', 'students'],
  ])('[T20] %s around the policies is found', async (_, plant, name) => {
    await owner.query('begin');
    await owner.query(plant);
    const found = [...(await policyBypasses(owner)), ...(await schemaViolations(owner))];
    await owner.query('rollback');
    expect(found.join('\n')).toContain(name);
  });

  test('[V13.2.2] the application cannot change the schema or read its bookkeeping', async () => {
    const appClient = new pg.Client(urls.appUrl);
    await appClient.connect();
    await expect(appClient.query('create table mine (id int)')).rejects.toThrow(
      /permission denied/,
    );
    await expect(appClient.query('alter table tutors disable row level security')).rejects.toThrow(
      /must be owner/,
    );
    await expect(appClient.query('select * from schema_migrations')).rejects.toThrow(
      /permission denied/,
    );
    await appClient.end();
  });
});
