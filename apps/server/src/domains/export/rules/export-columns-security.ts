import type { ExportTable } from './export-table-type.ts';

export const SECURITY_TABLES: readonly ExportTable[] = [
  {
    table: 'identities',
    columns: ['created_at', 'provider', 'subject'],
    excluded: {
      id: 'internal id',
      owner_notified_at: 'when the notification email was sent',
    },
  },
  {
    table: 'passkeys',
    columns: ['created_at', 'last_used_at', 'name', 'transports'],
    excluded: {
      credential_id: 'part of the credential',
      public_id: 'internal id',
      public_key: 'part of the credential',
      counter: 'detects cloned keys',
    },
  },
  {
    table: 'totp_credentials',
    columns: ['confirmed_at', 'created_at'],
    excluded: {
      encrypted_secret: 'a secret',
      last_counter: 'prevents reuse of a code',
    },
  },
  {
    table: 'security_email_outbox',
    columns: ['created_at', 'detail', 'email', 'kind'],
    excluded: {
      id: 'internal id',
    },
  },
];
