import type { ExportTable } from './export-table-type.ts';

export const ACCOUNT_TABLES: readonly ExportTable[] = [
  {
    table: 'tutors',
    columns: [
      'created_at',
      'deletion_scheduled_at',
      'email_notifications',
      'lesson_reminders',
      'name',
      'note_email_hour',
      'payment_notifications',
      'portal_opened_at',
      'public_id',
      'time_zone',
      'trial_ends_at',
    ],
    excluded: {
      revision: 'a change counter',
    },
  },
  {
    table: 'login_directory',
    columns: [
      'access_review_requested_at',
      'devices_valid_after',
      'email',
      'email_verified_at',
      'first_login_at',
      'last_active_at',
      'mfa_removal_due_at',
      'pending_email',
      'username',
    ],
    excluded: {
      username_key: 'the username in normalised form, for lookups',
      email_key: 'the address in normalised form, for lookups',
      password_hash: 'a secret',
      is_demo: 'a setting of the server',
    },
  },
  {
    table: 'logins',
    columns: [
      'created_at',
      'expires_at',
      'last_seen_at',
      'public_id',
      'reauthenticated_at',
      'user_agent',
    ],
    excluded: {
      token_hash: 'a secret',
    },
  },
  {
    table: 'email_tokens',
    columns: ['created_at', 'email', 'expires_at', 'purpose', 'sent_at', 'used_at'],
    excluded: {
      id: 'the token is derived from it',
      token_hash: 'a secret',
    },
  },
  {
    table: 'audit_log',
    columns: ['id', 'action', 'device', 'metadata', 'network', 'occurred_at'],
  },
  {
    table: 'business_settings',
    columns: [
      'account_name',
      'account_number',
      'address',
      'bank_details_changed_at',
      'bic',
      'due_days',
      'email',
      'extra',
      'iban',
      'invoice_note',
      'invoice_prefix',
      'next_credit_note_number',
      'next_invoice_number',
      'payment_instructions',
      'phone',
      'sort_code',
      'trading_name',
    ],
  },
  {
    table: 'cancellation_policies',
    columns: ['created_at', 'free_late_cancellations', 'illness_note', 'starts_on', 'tiers'],
  },
  {
    table: 'reminder_settings',
    columns: [
      'channels',
      'enabled_at',
      'lead_minutes',
      'overdue_days',
      'overdue_enabled',
      'recipient',
      'templates',
    ],
  },
];
