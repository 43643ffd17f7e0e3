import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseUrls } from '../../provision-database.ts';
import { PORTAL_VIEWS } from '../../test/portal-people.ts';
import { createTestDatabase } from '../../test/test-app.ts';

/** Tables that do not belong to a tenant, each with the reason. Every other table must be a tenant table. */
const globalTables = new Set([
  'login_directory', // looked up by username and email before login
  'logins', // looked up by the token in the cookie
  'email_tokens', // looked up by the token in an emailed link
  'identities', // looked up by the Google user id before login
  'google_oauth_states', // OAuth flows in progress, before login
  'oauth_tickets', // verified Google identities before login, valid for one minute
  'mfa_challenges', // logins awaiting a second factor, looked up by the browser's token
  'passkeys', // looked up by credential id before login
  'passkey_challenges', // WebAuthn challenges, before login
  'contact_directory', // finds contacts by the hash of an address before the tutor is known
  'portal_codes', // sign-in codes for families, before the tutor is known
  'portal_logins', // looked up by the token in the cookie of a family
  'public_links', // looked up by the hash of a token in a message
  'shared_links', // looked up by the public id in the token of a public page
  'address_reports', // hashes of addresses that reported an email from any tutor
  'whatsapp_opt_outs', // hashes of numbers that sent STOP to the number shared by all tutors
  'stripe_account_index', // maps the Stripe accounts in webhook events to tutors
  'webhook_events', // ids of processed events, without personal data
  'calendar_channels', // maps Google's watch channels to tutors
  'tenant_schedule', // due times per tutor, without personal data
  'rate_limits', // counts requests before login
  'failed_logins', // counts wrong passwords, including for unknown usernames
  'tutor_moves', // states of moves between installations, by tutor, without personal data
  'schema_migrations', // used only by migrations
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

/** Describes every violation in the tenant tables; empty if there are none. */
async function schemaViolations(client: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tenantTables(client)) {
    if (!table.enabled || !table.forced)
      found.push(`${table.name}: row-level security is not forced`);
    // Restrictive policies can only reduce access, so they are ignored.
    const policies = await client.query<{ using: string; check: string | null }>(
      `select pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
       from pg_policy where polrelid = $1 and polpermissive`,
      [table.oid],
    );
    // As a subquery, so that the plan does not depend on the tutor for whom it was made.
    const ownRows = `(tutor_id = ( SELECT (current_setting('app.tutor_id'::text))::uuid AS current_setting))`;
    if (
      policies.rows.length !== 1 ||
      policies.rows[0]?.using !== ownRows ||
      policies.rows[0].check !== ownRows
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
    const crossTenant = await client.query<{ name: string }>(
      `select c.conname as name from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.conrelid = $1 and c.contype = 'f' and a.attname <> 'tutor_id'`,
      [table.oid],
    );
    for (const { name } of crossTenant.rows)
      found.push(`${table.name}: the foreign key ${name} does not start with tutor_id`);
  }
  return found;
}

/**
 * Finds views and SECURITY DEFINER functions, which run with the owner's privileges and bypass the caller's policies. The
 * portal's views show a contact less than the tables' policies allow, and are themselves subject to these policies, because
 * row-level security is forced for their owner. domains/portal/access-matrix.test.ts checks what they show.
 */
async function policyBypasses(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
     union all select proname from pg_proc where pronamespace in ('public'::regnamespace, 'jobs'::regnamespace) and prosecdef`,
  );
  return rows.map(({ name }) => name).filter((name) => !PORTAL_VIEWS.includes(name));
}

describe('tenant tables', () => {
  test('[V8.4.1, T20] have forced row-level security, keys starting with tutor_id and an index for each foreign key', async () => {
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
      'row-level security that is not forced for the owner',
      'create table planted (tutor_id uuid primary key); alter table planted enable row level security',
      'row-level security is not forced',
    ],
    [
      'a policy that allows all rows',
      'drop policy tenant_isolation on id_sequences; create policy tenant_isolation on id_sequences using (true)',
      'its policy is not',
    ],
    [
      'a policy that the planner evaluates for one tutor',
      `alter policy tenant_isolation on id_sequences using (tutor_id = current_setting('app.tutor_id')::uuid)`,
      'its policy is not',
    ],
    [
      'an index that starts with another column',
      'create index planted on id_sequences (kind)',
      'does not start with tutor_id',
    ],
    [
      'a foreign key without an index',
      `create table planted (tutor_id uuid, id int, kind text, primary key (tutor_id, id), foreign key (tutor_id, kind) references id_sequences)`,
      'no index for the foreign key',
    ],
  ])('[T20] the check detects %s', async (_, statement, message) => {
    await owner.query('begin');
    await owner.query(statement);
    const found = await schemaViolations(owner);
    await owner.query('rollback');
    expect(found.join('\n')).toContain(message);
  });

  test('F146 a statement has the same plan for a tutor who is newer than the statistics', async () => {
    const { rows } = await owner.query<{ policy: string }>(
      `select pg_get_expr(polqual, polrelid) as policy from pg_policy where polrelid = 'sessions'::regclass`,
    );
    await owner.query('begin');
    await owner.query(`
      create table planted (tutor_id uuid, id int, primary key (tutor_id, id));
      insert into planted select ('00000000-0000-0000-0000-00000000000' || tutor)::uuid, id
        from generate_series(0, 8) as tutor, generate_series(1, 200) as id;
      analyze planted;
      alter table planted enable row level security;
      alter table planted force row level security;
      create policy tenant_isolation on planted using (${rows[0]?.policy});
    `);
    const planFor = async (tutorId: string) => {
      await owner.query(`select set_config('app.tutor_id', $1, true)`, [tutorId]);
      return (await owner.query('explain select id from planted')).rows;
    };
    const known = await planFor('00000000-0000-0000-0000-000000000001');
    const newer = await planFor('00000000-0000-0000-0000-000000000009');
    await owner.query('rollback');
    expect(JSON.stringify(known)).toContain('rows=200');
    expect(newer).toEqual(known);
  });
});

describe('the roles', () => {
  test('[V13.2.2] the app role owns nothing, and only the maintenance role bypasses row-level security', async () => {
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
      { rolname: 'lessonbook_contact', rolsuper: false, rolbypassrls: false, rolcreaterole: false },
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

  test('[T20] no view or function runs with more privileges than its caller', async () => {
    expect(await policyBypasses(owner)).toEqual([]);
  });

  test.each([
    ['a view', 'create view planted as select * from students', 'planted'],
    ['a materialized view', 'create materialized view planted as select 1 as id', 'planted'],
    [
      'a SECURITY DEFINER function',
      `create function planted() returns bigint language sql security definer as 'select count(*) from students'`,
      'planted',
    ],
    ['an additional policy', 'create policy planted on students using (true)', 'students'],
  ])('[T20] the check detects %s that bypasses the policies', async (_, statement, name) => {
    await owner.query('begin');
    await owner.query(statement);
    const found = [...(await policyBypasses(owner)), ...(await schemaViolations(owner))];
    await owner.query('rollback');
    expect(found.join('\n')).toContain(name);
  });

  test('[V13.2.2] the app role cannot change the schema or read schema_migrations', async () => {
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
