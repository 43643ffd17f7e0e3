import type { Kind } from './export-kind.ts';

export const SECURITY_KINDS: readonly Kind[] = [
  {
    table: 'identities',
    columns: ['created_at', 'provider', 'subject'],
    leftOut: {
      id: 'only our own name for it',
      owner_notified_at: 'when the mail about it went out, which stands among the notices',
    },
  },
  {
    table: 'passkeys',
    columns: ['created_at', 'last_used_at', 'name', 'transports'],
    leftOut: {
      credential_id: 'half of a secret',
      public_id: 'only our own name for it',
      public_key: 'half of a secret',
      counter: 'guards against copies of the key',
    },
  },
  {
    table: 'totp_credentials',
    columns: ['confirmed_at', 'created_at'],
    leftOut: {
      encrypted_secret: 'a secret',
      last_counter: 'guards against a code that is used twice',
    },
  },
  {
    table: 'security_email_outbox',
    columns: ['created_at', 'detail', 'email', 'kind'],
    leftOut: {
      id: 'only our own name for it',
    },
  },
];
