/** How the rows in one table move to another installation. In the SQL, `t` is a row and `$1` the tutor. */
interface TableMove {
  /** SQL condition for the rows; by default, those with the tutor's id. */
  condition?: string;
  /** SQL expression for a jsonb object that is merged into the row. */
  overrides?: string;
  /** Columns that depend on the installation's keys or address. They are converted and left out of the checksum. */
  converted?: readonly string[];
  /**
   * The key of a table whose rows may belong to other tutors too. Rows that the other installation already has are kept or
   * merged, and every key is looked up instead of comparing checksums.
   */
  sharedKey?: readonly string[];
  onConflict?: string;
  /** The rows are written by a trigger on another table, and are only compared. */
  isFilledByTrigger?: boolean;
}

/** The tables whose rows move. A test fails if a table is neither in this list nor in NOT_MOVED. */
export const MOVE_SPEC: Readonly<Record<string, TableMove>> = {
  tutors: {},
  id_sequences: {},
  login_directory: {},
  logins: {},
  identities: {},
  passkeys: {},
  // Encrypted with the installation's key.
  totp_credentials: { converted: ['encrypted_secret'] },
  recovery_codes: {},
  security_email_outbox: {},
  // The token of an email that has not been sent yet is derived again with the other secret key.
  email_tokens: { converted: ['token_hash'] },
  audit_log: {},
  tenant_schedule: {},
  subjects: {},
  contacts: {},
  contact_directory: { isFilledByTrigger: true },
  contact_access: {},
  contact_logins: {},
  contact_feeds: {},
  students: {},
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
  move_requests: {},
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
  invoices: {},
  invoice_lines: {},
  business_settings: {},
  batches: {},
  batch_items: {},
  exports: {},
  export_chunks: {},
  public_links: {},
  // Tokens made with the old secret key stay valid.
  shared_links: { converted: ['moved_macs'] },
  idempotency_keys: {},
  reminder_settings: {},
  student_reminders: {},
  messages: {},
  message_sessions: {},
  note_emails: {},
  reminder_opt_outs: {},
  suppressions: {},
  whatsapp_consents: {},
  notifications: {},
  card_accounts: {},
  stripe_account_index: {},
  checkouts: {},
  card_reversals: {},
  refund_requests: {},
  calendar_connections: {
    // Google notifies the old address; without a channel, the next sync opens one for the new address.
    overrides: `'{"channel_id": null, "channel_resource": null, "channel_expires_at": null}'`,
    converted: ['encrypted_token', 'channel_id', 'channel_resource', 'channel_expires_at'],
  },
  calendar_events: {},
  external_changes: {},
  // A family is signed in with all of its tutors, so the login continues on both sides.
  portal_logins: {
    condition: `t.address_hash in (select d.address_hash from contact_directory d where d.tutor_id = $1)`,
    // The email about a new login is sent by the installation where it was made.
    overrides: `jsonb_build_object('notified_at', coalesce(t.notified_at, now()))`,
    sharedKey: ['token_hash'],
  },
  address_reports: {
    condition: `t.tutor_hash = sha256(convert_to($1::text, 'UTF8'))`,
    sharedKey: ['address_hash', 'tutor_hash'],
  },
  webhook_events: {
    condition: `t.account_id in (select s.account_id from stripe_account_index s where s.tutor_id = $1)`,
    sharedKey: ['event_id'],
  },
  failed_logins: { condition: `t.account_key = $1::text`, sharedKey: ['account_key'] },
  // The service passes the hashes of the families' numbers, because the numbers must be normalised before they are hashed.
  whatsapp_opt_outs: {
    condition: `t.number_hash = any($2)`,
    sharedKey: ['number_hash'],
    onConflict: `on conflict (number_hash) do update set
      opted_out_at = greatest(whatsapp_opt_outs.opted_out_at, excluded.opted_out_at),
      opted_in_at = greatest(whatsapp_opt_outs.opted_in_at, excluded.opted_in_at)`,
  },
};

/** Tables that do not move, with the reasons. */
export const NOT_MOVED: Readonly<Record<string, string>> = {
  mfa_challenges: 'unfinished logins, valid for minutes',
  calendar_oauth_states: 'unfinished connections; Google returns to the address that started them',
  calendar_channels: 'Google notifies the old address; the next sync opens a new channel',
  google_oauth_states: 'unfinished Google logins, not linked to a tutor yet',
  oauth_tickets: 'Google accounts that are not linked yet, valid for minutes',
  passkey_challenges: 'WebAuthn challenges, valid for minutes',
  portal_codes: 'sign-in codes of families, derived from the secret key and valid for minutes',
  rate_limits: 'request counts; they start again',
  schema_migrations: 'applied database migrations',
  tutor_moves: 'the records of moves, of which each installation has its own',
};
