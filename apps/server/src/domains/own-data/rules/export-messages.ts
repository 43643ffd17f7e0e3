import type { Kind } from './export-kind.ts';

export const MESSAGES_KINDS: readonly Kind[] = [
  {
    table: 'messages',
    columns: [
      'id',
      'address',
      'attempts',
      'automatic',
      'channel',
      'created_at',
      'family_id',
      'intent',
      'invoice_id',
      'kind',
      'payment_id',
      'problem',
      'public_id',
      'sent_at',
      'state',
      'subject',
      'text',
      'to_name',
      'vendor_id',
    ],
  },
  {
    table: 'message_sessions',
    columns: ['line', 'message_id', 'session_id', 'student', 'told_at'],
  },
  {
    table: 'suppressions',
    columns: ['address', 'channel', 'created_at', 'reason'],
  },
  {
    table: 'whatsapp_consents',
    columns: ['address', 'ended_at', 'given_at', 'name', 'wording'],
  },
  {
    table: 'notifications',
    columns: [
      'id',
      'created_at',
      'kind',
      'mailed_at',
      'needs_you',
      'occasion',
      'path',
      'read_at',
      'text',
    ],
  },
];
