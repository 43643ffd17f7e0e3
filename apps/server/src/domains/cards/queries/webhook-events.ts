import type { Tx } from '../../../platform/db/database.ts';

export async function insertAccountOwner(
  tx: Tx,
  accountId: string,
  tutorId: string,
): Promise<void> {
  await tx
    .insertInto('stripe_account_index')
    .values({ account_id: accountId, tutor_id: tutorId })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
}

export async function findTutorByAccount(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('stripe_account_index')
    .where('account_id', '=', accountId)
    .select('tutor_id as tutorId')
    .executeTakeFirst();
  return row?.tutorId ?? null;
}

/** Returns false if this event has already been received. */
export async function insertWebhookEvent(
  tx: Tx,
  event: { id: string; accountId: string; type: string; now: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('webhook_events')
    .values({
      event_id: event.id,
      account_id: event.accountId,
      type: event.type,
      received_at: event.now,
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return inserted !== undefined;
}
