import type { ExportTable } from './export-table.ts';

export const SECURITY_TABLES: readonly ExportTable[] = [
  {
    table: 'identities',
    columns: ['created_at', 'provider', 'subject'],
    excluded: {
      id: 'only our own name for it',
      owner_notified_at: 'when the mail about it went out, which stands among the notices',
    },
  },
  {
    table: 'passkeys',
    columns: ['created_at', 'last_used_at', 'name', 'transports'],
    excluded: {
      credential_id: 'half of a secret',
      public_id: 'only our own name for it',
      public_key: 'half of a secret',
      counter: 'guards against copies of the key',
    },
  },
  {
    table: 'totp_credentials',
    columns: ['confirmed_at', 'created_at'],
    excluded: {
      encrypted_secret: 'a secret',
      last_counter: 'guards against a code that is used twice',
    },
  },
  {
    table: 'security_email_outbox',
    columns: ['created_at', 'detail', 'email', 'kind'],
    excluded: {
      id: 'only our own name for it',
    },
  },
];
