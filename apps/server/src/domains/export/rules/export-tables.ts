import { ACCOUNT_TABLES } from './export-columns-account.ts';
import { CALENDAR_TABLES } from './export-columns-calendar.ts';
import { MESSAGES_TABLES } from './export-columns-messages.ts';
import { MONEY_TABLES } from './export-columns-money.ts';
import { SECURITY_TABLES } from './export-columns-security.ts';
import { TEACHING_TABLES } from './export-columns-teaching.ts';
import type { ExportTable } from './export-table.ts';

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
  tenant_schedule: 'when scheduled work of the tutor is due',
  calendar_channels: 'secrets between Google and us',
  calendar_oauth_states: 'secrets of an unfinished connection',
  stripe_account_index: 'the account is in card_accounts already',
  webhook_events: 'ids of card provider events, for deduplication',
  id_sequences: 'the last used id of each kind',
  export_chunks: 'the file itself',
  exports: 'the file itself',
  failed_logins: 'counts of wrong passwords; added to the audit log at the next login',
  google_oauth_states: 'secrets of an unfinished Google login',
  oauth_tickets: 'Google accounts that are not linked yet, kept for minutes',
  idempotency_keys: 'responses to requests that may be repeated, kept for days',
  passkey_challenges: 'WebAuthn challenges, kept for minutes',
  public_links: 'hashes of secrets',
  rate_limits: 'request counts of visitors, not of the tutor',
  recovery_codes: 'hashes of secrets',
  schema_migrations: 'applied database migrations',
  mfa_challenges: 'secrets of an unfinished login',
  whatsapp_opt_outs: 'hashes of phone numbers, not linked to a tutor',
};
