import type { ExportTable } from './export-table-type.ts';

export const MESSAGES_TABLES: readonly ExportTable[] = [
  {
    table: 'messages',
    columns: [
      'id',
      'address',
      'attempts',
      'automatic',
      'channel',
      'created_at',
      'dedupe_key',
      'failure_reason',
      'family_id',
      'invoice_id',
      'kind',
      'lesson_date',
      'payment_id',
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
    columns: ['communicated_starts_at', 'message_id', 'session_id', 'student_name', 'summary'],
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
      'dedupe_key',
      'kind',
      'mailed_at',
      'path',
      'read_at',
      'requires_action',
      'text',
    ],
  },
];
