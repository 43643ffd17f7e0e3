import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Webhook events have an account id but no tutor id: run this before the account index is deleted. */
export async function deleteCardEventsOfTutor(tx: Tx, tutorId: string): Promise<void> {
  await sql`delete from webhook_events e using stripe_account_index o
    where o.account_id = e.account_id and o.tutor_id = ${tutorId}::uuid`.execute(tx);
}

/** Events this old are no longer retried, and their signature would be rejected: the id is not needed for deduplication. */
export async function deleteCardEventsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('webhook_events').where('received_at', '<', before).execute();
}

/** Requests are repeated within minutes. */
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

/** The database refuses to delete entries younger than two years. */
export async function deleteAuditLogBefore(tx: Tx, tutorId: string, before: Date): Promise<void> {
  await tx
    .deleteFrom('audit_log')
    .where('tutor_id', '=', tutorId)
    .where('occurred_at', '<', before)
    .execute();
}

/** These links match WhatsApp status updates to messages; the updates arrive within a month. */
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

/** Stored responses may contain a lesson's title, which has the student's name in it. */
export async function deleteIdempotencyKeysMatching(
  tx: Tx,
  tutorId: string,
  pattern: string,
): Promise<void> {
  await sql`delete from idempotency_keys
    where tutor_id = ${tutorId}::uuid and reply ~* ${pattern}`.execute(tx);
}
