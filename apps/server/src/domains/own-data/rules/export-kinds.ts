import { ACCOUNT_KINDS } from './export-account.ts';
import { CALENDAR_KINDS } from './export-calendar.ts';
import type { Kind } from './export-kind.ts';
import { MESSAGES_KINDS } from './export-messages.ts';
import { MONEY_KINDS } from './export-money.ts';
import { SECURITY_KINDS } from './export-security.ts';
import { TEACHING_KINDS } from './export-teaching.ts';

/** Everything that is the tutor's, in the order of the file. A test holds it against the database. */
export const EXPORT_KINDS: readonly Kind[] = [
  ...ACCOUNT_KINDS,
  ...SECURITY_KINDS,
  ...TEACHING_KINDS,
  ...MONEY_KINDS,
  ...MESSAGES_KINDS,
  ...CALENDAR_KINDS,
];

/** Tables with nothing in them for a tutor to keep. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
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
