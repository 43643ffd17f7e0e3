import type { Tx } from '../../../platform/db/database.ts';

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
