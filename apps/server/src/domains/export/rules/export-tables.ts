import { ACCOUNT_TABLES } from './export-columns-account.ts';
import { CALENDAR_TABLES } from './export-columns-calendar.ts';
import { MESSAGES_TABLES } from './export-columns-messages.ts';
import { MONEY_TABLES } from './export-columns-money.ts';
import { SECURITY_TABLES } from './export-columns-security.ts';
import { TEACHING_TABLES } from './export-columns-teaching.ts';
import type { ExportTable } from './export-table.ts';

/** Everything that is the tutor's, in the order of the file. A test holds it against the database. */
export const EXPORT_TABLES: readonly ExportTable[] = [
  ...ACCOUNT_TABLES,
  ...SECURITY_TABLES,
  ...TEACHING_TABLES,
  ...MONEY_TABLES,
  ...MESSAGES_TABLES,
  ...CALENDAR_TABLES,
];

/** Tables with nothing in them for a tutor to keep. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  tenant_schedule: 'when our worker looks at a tutor next',
  calendar_channels: 'secrets between Google and us',
  calendar_oauth_states: 'secrets of a connection that was begun',
  stripe_account_index: 'the account stands among the card accounts already',
  webhook_events: 'ids of events of the card provider, kept so that none counts twice',
  id_sequences: 'the next free number of each kind',
  export_chunks: 'the file itself',
  exports: 'the file itself',
  failed_logins: 'wrong passwords that the activity will tell of at the next login',
  google_oauth_states: 'secrets of a way to Google that was begun',
  oauth_tickets: 'whom Google vouched for, kept for minutes and nobody’s yet',
  idempotency_keys: 'answers to clicks that may come twice, kept for a moment',
  passkey_challenges: 'questions to a passkey, kept for minutes',
  public_links: 'hashes of secrets',
  rate_limits: 'counts visitors, not the tutor',
  recovery_codes: 'hashes of secrets',
  schema_migrations: 'bookkeeping of the database',
  mfa_challenges: 'secrets of a login that was begun',
  whatsapp_opt_outs: 'hashes of numbers, of no tutor',
};
