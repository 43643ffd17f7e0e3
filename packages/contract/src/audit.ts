import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { paginationFields } from './schema-fields.ts';

/* The audit log of sensitive actions on an account. */

export const AUDIT_ACTIONS = [
  'login',
  'failed_logins',
  'logins_ended',
  'password_changed',
  'password_reset',
  'email_changed',
  'email_reverted',
  'google_linked',
  'google_unlinked',
  'second_factor_enabled',
  'second_factor_disabled',
  'passkey_added',
  'passkey_removed',
  'recovery_code_used',
  'recovery_codes_regenerated',
  'mfa_removal_requested',
  'mfa_removal_cancelled',
  'mfa_removed',
  'calendar_connected',
  'calendar_disconnected',
  'cards_connected',
  'feed_shown',
  'feed_replaced',
  'bank_details_changed',
  'business_details_changed',
  'message_texts_changed',
  'link_replaced',
  'invoice_voided',
  'prices_raised',
  'students_left',
  'days_changed',
  'days_change_undone',
  'not_arrived_sent',
  'payment_reversed',
  'payment_refunded',
  'charges_written_off',
  'write_off_reversed',
  'instalments_agreed',
  'instalments_ended',
  'export_requested',
  'export_downloaded',
  'students_imported',
  'lessons_imported',
  'contact_access_changed',
  'portal_opened',
  'portal_closed',
  'contact_suspended',
  'contact_unsuspended',
  'contact_signed_out',
  'lessons_cancelled_by_family',
  'move_requested_by_family',
  'lesson_moved_by_family',
  'charge_queried_by_family',
  'contact_changed_by_family',
  'agreement_published',
  'agreement_accepted_by_family',
  'note_withdrawn',
  'note_readers_changed',
  'payers_changed',
  'person_erased',
  'deletion_requested',
  'deletion_cancelled',
  'data_restored',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AuditEntry = z.object({
  id: z.number(),
  at: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** A single sentence describing the action. */
  text: z.string(),
  /** For example 'Firefox on Windows, 203.0.113.7'; null for background jobs. */
  from: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const audit = defineEndpoints({
  listAuditEntries: {
    method: 'GET',
    path: '/api/activity',
    access: 'login',
    summary: 'Sensitive actions on this account, newest first',
    query: z.object(paginationFields),
    reply: z.object({ entries: z.array(AuditEntry) }),
  },
});
