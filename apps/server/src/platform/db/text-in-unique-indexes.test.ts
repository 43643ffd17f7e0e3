import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/test-app.ts';

let owner: pg.Client;
beforeAll(async () => {
  const { ownerUrl } = await createTestDatabase();
  owner = new pg.Client(ownerUrl);
  await owner.connect();
});
afterAll(() => owner.end());

/** Why each column is short enough: inserting an index entry of more than 2,704 bytes fails. */
const LIMITED_BY: Record<string, string> = {
  'calendar_channels.channel_id': 'a UUID',
  'calendar_events.event_id': 'derived from a public id',
  'card_reversals.vendor_id': "Stripe's id, at most 255 characters",
  'checkouts.public_id': 'random token',
  'checkouts.stripe_session_id': "Stripe's id, at most 255 characters",
  'contact_directory.kind': 'constant',
  'contact_logins.login_id': 'random token',
  'failed_logins.account_key': 'a tutor id or a hash',
  'id_sequences.kind': 'constant',
  'idempotency_keys.key': 'at most 200 characters',
  'identities.provider': 'constant',
  'identities.subject': "Google's id, at most 255 characters",
  'instalment_plans.currency': 'constant',
  'invoices.kind': 'constant',
  'invoices.number': 'the contract limits the prefix',
  'login_directory.email_key': 'the contract limits addresses to 254 characters',
  'login_directory.username_key': 'the contract limits usernames',
  'messages.dedupe_key': 'limitDedupeKey',
  'notifications.dedupe_key': 'limitDedupeKey',
  'passkeys.credential_id': 'the contract limits it, and the id in the response must match',
  'passkeys.public_id': 'random token',
  'portal_logins.public_id': 'random token',
  'rate_limits.key': 'a constant, and a tutor id, a network, a token or a hash',
  'reminder_opt_outs.address': 'the contract limits addresses',
  'reminder_opt_outs.kind': 'constant',
  'schema_migrations.name': 'the name of a file',
  'shared_links.kind': 'constant',
  'shared_links.public_id': '16 characters',
  'stripe_account_index.account_id': "Stripe's id, at most 255 characters",
  'suppressions.address': 'the contract limits addresses',
  'suppressions.channel': 'constant',
  'tenant_schedule.kind': 'constant',
  'webhook_events.event_id': "Stripe's id, at most 255 characters",
  'whatsapp_consents.address': 'a normalised phone number',
};

test('F17 every text column in a unique index has a limited length', async () => {
  const { rows } = await owner.query<{ column: string }>(
    `select distinct format('%s.%s', c.relname, a.attname) as column
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where i.indisunique and a.atttypid = 'text'::regtype order by 1`,
  );
  expect(rows.map(({ column }) => column)).toEqual(Object.keys(LIMITED_BY).toSorted());
});
