import { randomToken } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import type { RowOf } from '../../../platform/row.ts';

export const cardAccountOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('card_accounts')
    .where('tutor_id', '=', tutorId)
    .select([
      'connect_key as connectKey',
      'account_id as accountId',
      'default_method as defaultMethod',
      'can_take_cards as canTakeCards',
      'payouts_enabled as payoutsEnabled',
    ]);

export type CardAccount = RowOf<ReturnType<typeof cardAccountOf>>;

/** The first key stands: whoever comes second asks the provider for the same account. */
export async function prepareCardAccount(tx: Tx, tutorId: string, now: Date): Promise<CardAccount> {
  await tx
    .insertInto('card_accounts')
    .values({ tutor_id: tutorId, connect_key: randomToken(), created_at: now })
    .onConflict((conflict) => conflict.column('tutor_id').doNothing())
    .execute();
  return cardAccountOf(tx, tutorId).executeTakeFirstOrThrow();
}

export type CardAccountChange = Partial<{
  account_id: string | null;
  connect_key: string;
  default_method: string;
  can_take_cards: boolean;
  payouts_enabled: boolean;
}>;

export async function updateCardAccount(
  tx: Tx,
  tutorId: string,
  change: CardAccountChange,
): Promise<void> {
  await tx.updateTable('card_accounts').set(change).where('tutor_id', '=', tutorId).execute();
}

export async function insertOwner(tx: Tx, accountId: string, tutorId: string): Promise<void> {
  await tx
    .insertInto('card_account_owners')
    .values({ account_id: accountId, tutor_id: tutorId })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
}

export async function ownerOf(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('card_account_owners')
    .where('account_id', '=', accountId)
    .select('tutor_id as tutorId')
    .executeTakeFirst();
  return row?.tutorId ?? null;
}

/** False when this very event was taken before. */
export async function insertEvent(
  tx: Tx,
  event: { id: string; accountId: string; type: string; now: Date },
): Promise<boolean> {
  const taken = await tx
    .insertInto('card_events')
    .values({
      event_id: event.id,
      account_id: event.accountId,
      type: event.type,
      received_at: event.now,
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return taken !== undefined;
}
