/** How the rows in one table are restored. In the SQL, `t` is a row in the copy. */
interface TableRestoreSpec {
  /** SQL condition for the rows to restore. By default, all of the tutor's rows are restored. */
  condition?: string;
  /** SQL expression for a jsonb object that is merged into the row. */
  overrides?: string;
  /** Columns that are written last, because a trigger makes the row read-only once they are set. */
  deferredColumns?: readonly string[];
  /** Whether rows in the live database are kept and take precedence over the copy. */
  keepCurrent?: boolean;
}

/** Queued messages may already have been sent or may be out of date, so the tutor decides what to do with them. */
const NOT_SENT = 'Your account was restored from a backup. This was not sent.';

/** Added to the revision, so that it is higher than any that a browser or calendar has seen. */
const REVISION_OFFSET = 1_000_000;

/**
 * The tables that are restored. A restore sends nothing: queued messages are skipped, reminders stay off until the tutor
 * turns them on again, and no jobs are restored.
 */
export const RESTORE_SPEC: Readonly<Record<string, TableRestoreSpec>> = {
  tutors: {
    overrides: `jsonb_build_object('deletion_scheduled_at', null, 'revision', t.revision + ${REVISION_OFFSET})`,
  },
  id_sequences: {},
  // The links that cancel the removal of two-step login are not restored.
  login_directory: { overrides: `'{"mfa_removal_due_at": null}'` },
  identities: {
    overrides: `jsonb_build_object('owner_notified_at', coalesce(t.owner_notified_at, now()))`,
  },
  passkeys: {},
  totp_credentials: {},
  recovery_codes: {},
  audit_log: { keepCurrent: true },
  tenant_schedule: {
    // Deletion and the removal of two-step login are cancelled, exports and the calendar connection are lost, and the tutor
    // must turn reminders on again. Notes may have been emailed since.
    condition: `t.kind not in ('account-deletion', 'mfa-removal', 'exports', 'calendar', 'reminders', 'note-emails')`,
    overrides: `case when t.kind = 'daily-digest'
      then jsonb_build_object('next_due_at', greatest(t.next_due_at, now() + interval '1 day')) else '{}' end`,
  },
  subjects: {},
  contacts: {},
  students: {},
  contact_access: {},
  lessons: {},
  lesson_students: {},
  term_calendars: {},
  terms: {},
  rates: {},
  time_off: {},
  sessions: {},
  session_students: {},
  day_changes: {},
  day_change_sessions: {},
  portal_cancellations: {},
  portal_cancelled_seats: {},
  move_requests: {
    // Pending requests are closed, because the lesson may be over. Families can ask again.
    overrides: `case when t.status in ('open', 'suggested') then '{"status": "closed"}'::jsonb else '{}' end`,
  },
  lesson_notes: {},
  homework_done: {},
  agreements: {},
  agreement_acceptances: {},
  accepted_overlaps: {},
  cancellation_policies: {},
  families: {},
  student_payers: {},
  charges: {},
  payments: {},
  allocations: {},
  charge_queries: {},
  instalment_plans: {},
  instalments: {},
  instalment_plan_charges: {},
  invoices: {
    deferredColumns: [
      'issued_at',
      'number',
      'sequence',
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
  // Links replaced since the copy must stay replaced.
  shared_links: { keepCurrent: true },
  idempotency_keys: {},
  reminder_settings: { overrides: `'{"enabled_at": null}'` },
  student_reminders: {},
  messages: {
    overrides: `case when t.state = 'waiting'
      then jsonb_build_object('state', 'skipped', 'failure_reason', '${NOT_SENT}') else '{}' end`,
  },
  message_sessions: {},
  note_emails: {},
  // Opt-outs made since the copy must be respected.
  reminder_opt_outs: { keepCurrent: true },
  suppressions: { keepCurrent: true },
  whatsapp_consents: { keepCurrent: true },
  notifications: { overrides: `jsonb_build_object('mailed_at', coalesce(t.mailed_at, now()))` },
  card_accounts: {},
  stripe_account_index: {},
  // Reconciliation reads their status from the provider.
  checkouts: {},
  card_reversals: {},
  refund_requests: {
    overrides: `case when t.state = 'waiting' then '{"state": "failed"}'::jsonb else '{}' end`,
  },
  calendar_connections: {
    // The token may have been revoked since the copy. After reconnecting, the sync finds the same events.
    overrides: `jsonb_build_object('encrypted_token', null, 'sync_token', null, 'failures', 0, 'next_try_at', null,
      'due_at', null, 'leased_until', null, 'channel_id', null, 'channel_resource', null, 'channel_expires_at', null,
      'failure_reason', case when t.encrypted_token is null then t.failure_reason else 'access_lost' end)`,
  },
  calendar_events: {},
  external_changes: {
    overrides: `case when t.outcome is null then '{"outcome": "dropped"}'::jsonb else '{}' end`,
  },
};

/** Tables with tutor data that are not restored, with the reasons. */
export const NOT_RESTORED: Readonly<Record<string, string>> = {
  logins: 'the tutor must log in again',
  contact_logins: 'families must sign in again',
  contact_feeds: 'families create a new address, because the old one may have been replaced',
  contact_directory: 'filled from the contacts by a trigger',
  mfa_challenges: 'unfinished logins, valid for minutes',
  email_tokens: 'requested again when needed',
  security_email_outbox: 'emails waiting to be sent',
  batches: 'progress of work on many invoices or families; its jobs are not restored',
  batch_items: 'items of that work',
  exports: 'files that expire after a day',
  export_chunks: 'contents of those files',
  calendar_oauth_states: 'unfinished connections, valid for half an hour',
  tutor_moves: 'states of moves to and from other installations',
  calendar_channels: 'watch channels, which are created again when the tutor reconnects',
};

/** Tables without tutor data, which a restore does not change, with a description of their contents. */
export const TABLES_WITHOUT_TUTOR_DATA: Readonly<Record<string, string>> = {
  google_oauth_states: 'unfinished Google logins, not linked to a tutor yet',
  oauth_tickets: 'Google accounts that are not linked yet, valid for minutes',
  passkey_challenges: 'WebAuthn challenges, valid for minutes',
  portal_codes: 'sign-in codes of families, valid for minutes',
  portal_logins: 'logins of families, with all of their tutors',
  address_reports: 'addresses that reported an email, for all tutors',
  whatsapp_opt_outs: 'numbers that replied STOP, for all tutors',
  webhook_events: 'ids of received events, for deduplication',
  rate_limits: 'request counts for visitors',
  failed_logins: 'counts of wrong passwords since the last login',
  schema_migrations: 'applied database migrations',
};
