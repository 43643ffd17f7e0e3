import { ACCOUNT_TABLES } from './export-columns-account.ts';
import { CALENDAR_TABLES } from './export-columns-calendar.ts';
import { MESSAGES_TABLES } from './export-columns-messages.ts';
import { MONEY_TABLES } from './export-columns-money.ts';
import { SECURITY_TABLES } from './export-columns-security.ts';
import { TEACHING_TABLES } from './export-columns-teaching.ts';
import type { ExportTable } from './export-table-type.ts';

/** All tables with tutor data, in the order used in the file. A test compares the list with the database schema. */
export const EXPORT_TABLES: readonly ExportTable[] = [
  ...ACCOUNT_TABLES,
  ...SECURITY_TABLES,
  ...TEACHING_TABLES,
  ...MONEY_TABLES,
  ...MESSAGES_TABLES,
  ...CALENDAR_TABLES,
];

/** Tables that are not exported, with the reasons. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  tenant_schedule: "when the tutor's scheduled work is due",
  batches: 'progress of work on many invoices or families, kept for a month',
  batch_items: 'progress of work on many invoices or families, kept for a month',
  tutor_moves: 'states of moves between servers',
  calendar_channels: 'secrets that Google sends back with its notifications',
  calendar_oauth_states: 'secrets for an unfinished connection',
  stripe_account_index: 'already included in card_accounts',
  address_reports:
    'hashes of addresses that reported an email; must survive the deletion of the account',
  webhook_events: 'ids of card provider events, for deduplication',
  id_sequences: 'the last id used for each kind of record',
  export_chunks: 'the file itself',
  exports: 'the file itself',
  failed_logins: 'counts of wrong passwords; added to the audit log at the next login',
  google_oauth_states: 'secrets for an unfinished Google login',
  oauth_tickets: 'Google accounts that are not linked yet, kept for a few minutes',
  idempotency_keys: 'responses stored for retried requests, kept for a few days',
  passkey_challenges: 'WebAuthn challenges, kept for a few minutes',
  contact_directory: 'hashes of the addresses in contacts',
  portal_codes: 'secrets for an unfinished login of a family',
  portal_logins: 'logins of families, with all of their tutors',
  public_links: 'hashes of secrets',
  shared_links: 'public ids and versions, from which the tokens of links are derived',
  rate_limits: 'request counts for visitors, not tutor data',
  recovery_codes: 'hashes of secrets',
  schema_migrations: 'applied database migrations',
  mfa_challenges: 'secrets for an unfinished login',
  whatsapp_opt_outs: 'hashes of phone numbers, not linked to a tutor',
};
