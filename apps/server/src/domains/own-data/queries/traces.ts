import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Events of the card provider are known by account and not by tutor; asked while the accounts are still known. */
export async function deleteCardEvents(tx: Tx, tutorId: string): Promise<void> {
  await sql`delete from card_events e using card_account_owners o
    where o.account_id = e.account_id and o.tutor_id = ${tutorId}::uuid`.execute(tx);
}

/** Answers to repeated clicks may quote a lesson's title. */
export async function forgetAnswers(tx: Tx, tutorId: string, pattern: string): Promise<void> {
  await sql`delete from idempotency_keys
    where tutor_id = ${tutorId}::uuid and reply ~* ${pattern}`.execute(tx);
}
