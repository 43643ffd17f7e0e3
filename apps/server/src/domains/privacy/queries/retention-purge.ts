import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Events of the card provider are known by account and not by tutor; asked while the accounts are still known. */
export async function deleteCardEventsOfTutor(tx: Tx, tutorId: string): Promise<void> {
  await sql`delete from webhook_events e using stripe_account_index o
    where o.account_id = e.account_id and o.tutor_id = ${tutorId}::uuid`.execute(tx);
}

/** Every event is a copy of one that came long ago, or too old to be believed: its id guards against nothing any more. */
export async function deleteCardEventsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('webhook_events').where('received_at', '<', before).execute();
}

/** A click is repeated within minutes; nobody waits for an answer of last week. */
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

/** The database itself lets none go that is younger than two years. */
export async function deleteAuditLogBefore(tx: Tx, tutorId: string, before: Date): Promise<void> {
  await tx
    .deleteFrom('audit_log')
    .where('tutor_id', '=', tutorId)
    .where('occurred_at', '<', before)
    .execute();
}

/** By these WhatsApp's news finds its message, which it does within a month. */
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

/** Answers to repeated clicks may quote a lesson's title. */
export async function deleteIdempotencyKeysMatching(
  tx: Tx,
  tutorId: string,
  pattern: string,
): Promise<void> {
  await sql`delete from idempotency_keys
    where tutor_id = ${tutorId}::uuid and reply ~* ${pattern}`.execute(tx);
}
