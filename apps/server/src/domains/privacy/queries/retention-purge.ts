import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Must run before the account index is deleted, because webhook events have an account id but no tutor id. */
export async function deleteWebhookEventsForTutor(tx: Tx, tutorId: string): Promise<void> {
  await sql`delete from webhook_events e using stripe_account_index o
    where o.account_id = e.account_id and o.tutor_id = ${tutorId}::uuid`.execute(tx);
}

/** Events this old are no longer retried and their signatures are rejected, so deduplication does not need the ids. */
export async function deleteWebhookEventsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('webhook_events').where('received_at', '<', before).execute();
}

/** Old keys are not needed, because requests are only retried within minutes. */
export async function deleteIdempotencyKeysBefore(
  tx: Tx,
  tutorId: string,
  before: Date,
): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('tutor_id', '=', tutorId)
    .where('created_at', '<', before)
    .execute();
}

/** The login itself has expired by then. */
export async function deleteContactLoginsBefore(
  tx: Tx,
  tutorId: string,
  before: Date,
): Promise<void> {
  await tx
    .deleteFrom('contact_logins')
    .where('tutor_id', '=', tutorId)
    .where('last_seen_at', '<', before)
    .execute();
}

/** The database does not allow entries less than two years old to be deleted. */
export async function deleteAuditLogBefore(tx: Tx, tutorId: string, before: Date): Promise<void> {
  await tx
    .deleteFrom('audit_log')
    .where('tutor_id', '=', tutorId)
    .where('occurred_at', '<', before)
    .execute();
}

/** These links match WhatsApp status updates to messages. Updates arrive within a month. */
export async function deleteWhatsAppLinksBefore(
  tx: Tx,
  tutorId: string,
  before: Date,
): Promise<void> {
  await tx
    .deleteFrom('public_links')
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', 'whatsapp')
    .where('created_at', '<', before)
    .execute();
}

/** Stored responses may contain a lesson title, which includes the student's name. */
export async function deleteIdempotencyKeysMatching(
  tx: Tx,
  tutorId: string,
  pattern: string,
): Promise<void> {
  await sql`delete from idempotency_keys
    where tutor_id = ${tutorId}::uuid and reply ~* ${pattern}`.execute(tx);
}

export async function deleteAddressReportsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('address_reports').where('reported_at', '<', before).execute();
}
