/** How the rows of one table come back. SQL is about a row `t` of the copy. */
interface TableRestoreSpec {
  /** Which rows; all of the tutor's if left out. */
  rows?: string;
  /** What is other than in the copy, as a jsonb object that is laid over the row. */
  change?: string;
  /** Columns that are written when everything else is there, because a trigger freezes the row with them. */
  deferredColumns?: readonly string[];
  /** What happened since the copy counts too: rows of the living book stay, and win over the copy's. */
  keepCurrent?: boolean;
}

/** Not to be sent a second time, nor late: the tutor sees it and decides. */
const NOT_SENT = 'Your book was brought back from a backup. This was not sent.';

/** Beyond every revision that a browser or a calendar has seen of this book. */
const REVISION_OFFSET = 1_000_000;

/**
 * What a tutor's book is made of. Nothing leaves the house because of a restore: what was waiting is not sent, reminders
 * wait for the tutor to start them again, and no job comes along.
 */
export const RESTORE_SPEC: Readonly<Record<string, TableRestoreSpec>> = {
  tutors: {
    change: `jsonb_build_object('deletion_scheduled_at', null, 'revision', t.revision + ${REVISION_OFFSET})`,
  },
  id_sequences: {},
  login_directory: {},
  identities: {
    change: `jsonb_build_object('owner_notified_at', coalesce(t.owner_notified_at, now()))`,
  },
  passkeys: {},
  totp_credentials: {},
  recovery_codes: {},
  audit_log: { keepCurrent: true },
  tenant_schedule: {
    // Leaving was called off, files and calendar are gone, and reminders are started by hand.
    rows: `t.kind not in ('account-deletion', 'exports', 'calendar', 'reminders')`,
    change: `case when t.kind = 'daily-digest'
      then jsonb_build_object('next_due_at', greatest(t.next_due_at, now() + interval '1 day')) else '{}' end`,
  },
  subjects: {},
  carers: {},
  students: {},
  lessons: {},
  time_off: {},
  sessions: {},
  accepted_overlaps: {},
  cancellation_policies: {},
  families: {},
  charges: {},
  payments: {},
  allocations: {},
  invoices: {
    deferredColumns: [
      'issued_at',
      'number',
      'sequence',
      'token',
      'parties_snapshot',
      'issued_on',
      'voided_at',
      'voided_on',
      'void_reason',
    ],
  },
  invoice_lines: {},
  business_settings: {},
  public_links: {},
  idempotency_keys: {},
  reminder_settings: { change: `'{"enabled_at": null}'` },
  student_reminders: {},
  messages: {
    change: `case when t.state = 'waiting'
      then jsonb_build_object('state', 'skipped', 'failure_reason', '${NOT_SENT}') else '{}' end`,
  },
  message_sessions: {},
  // Who said no since must not be written to.
  suppressions: { keepCurrent: true },
  whatsapp_consents: { keepCurrent: true },
  notifications: { change: `jsonb_build_object('mailed_at', coalesce(t.mailed_at, now()))` },
  card_accounts: {},
  stripe_account_index: {},
  // What became of them is asked of the provider, as ever.
  checkouts: {},
  card_reversals: {},
  refund_requests: {
    change: `case when t.state = 'waiting' then '{"state": "failed"}'::jsonb else '{}' end`,
  },
  calendar_connections: {
    // The key may have been given back since; whoever connects again finds the same lessons.
    change: `jsonb_build_object('encrypted_token', null, 'sync_token', null, 'failures', 0, 'next_try_at', null,
      'due_at', null, 'leased_until', null, 'channel_id', null, 'channel_resource', null, 'channel_expires_at', null,
      'failure_reason', case when t.encrypted_token is null then t.failure_reason else 'access_lost' end)`,
  },
  calendar_events: {},
  external_changes: {
    change: `case when t.outcome is null then '{"outcome": "dropped"}'::jsonb else '{}' end`,
  },
  calendar_feeds: {},
};

/** Rows about a tutor that do not come back, and why. */
export const NOT_RESTORED: Readonly<Record<string, string>> = {
  logins: 'whoever comes must log in anew',
  mfa_challenges: 'a login that was begun, minutes long',
  email_tokens: 'asked for anew where one is needed',
  security_email_outbox: 'mails that were about to go out',
  exports: 'files that live for a day',
  export_chunks: 'the files themselves',
  calendar_oauth_states: 'a connection that was begun, half an hour long',
  calendar_channels: 'Google has closed them, or will be told by nobody',
};

/** Tables without a tutor, which a restore leaves alone, and why. */
export const TABLES_WITHOUT_TUTOR: Readonly<Record<string, string>> = {
  google_oauth_states: 'ways to Google that were begun, before anyone is known',
  oauth_tickets: 'whom Google vouched for, for minutes',
  passkey_challenges: 'questions to a device, for minutes',
  whatsapp_opt_outs: 'numbers that wrote STOP, whoever the tutor',
  webhook_events: 'events that were taken, so that none counts twice: those stay taken',
  rate_limits: 'counts visitors',
  failed_logins: 'counts wrong passwords since somebody last came in',
  schema_migrations: 'bookkeeping of the database',
};
