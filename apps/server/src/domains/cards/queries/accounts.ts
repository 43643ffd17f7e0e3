import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export const cardAccountOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('card_accounts')
    .where('tutor_id', '=', tutorId)
    .select([
      'idempotency_key as connectKey',
      'account_id as accountId',
      'default_method as defaultMethod',
      'charges_enabled as canTakeCards',
      'payouts_enabled as payoutsEnabled',
    ]);

export type CardAccount = RowOf<ReturnType<typeof cardAccountOf>>;

/** The first key stands: whoever comes second asks the provider for the same account. */
export async function ensureCardAccountRow(
  tx: Tx,
  tutorId: string,
  now: Date,
): Promise<CardAccount> {
  await tx
    .insertInto('card_accounts')
    .values({ tutor_id: tutorId, idempotency_key: randomToken(), created_at: now })
    .onConflict((conflict) => conflict.column('tutor_id').doNothing())
    .execute();
  return cardAccountOf(tx, tutorId).executeTakeFirstOrThrow();
}

export type CardAccountChange = Partial<{
  account_id: string | null;
  idempotency_key: string;
  default_method: string;
  charges_enabled: boolean;
  payouts_enabled: boolean;
}>;

export async function updateCardAccount(
  tx: Tx,
  tutorId: string,
  change: CardAccountChange,
): Promise<void> {
  await tx.updateTable('card_accounts').set(change).where('tutor_id', '=', tutorId).execute();
}

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

/** False when this very event was taken before. */
export async function insertWebhookEvent(
  tx: Tx,
  event: { id: string; accountId: string; type: string; now: Date },
): Promise<boolean> {
  const taken = await tx
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
  return taken !== undefined;
}
