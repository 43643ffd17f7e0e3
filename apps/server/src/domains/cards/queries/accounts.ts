import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export const cardAccountByTutor = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('card_accounts')
    .where('tutor_id', '=', tutorId)
    .select([
      'idempotency_key as connectKey',
      'account_id as accountId',
      'default_method as defaultMethod',
      'charges_enabled as canTakeCards',
      'payouts_enabled as payoutsEnabled',
      'sends_receipts as sendsReceipts',
    ]);

export type CardAccount = RowOf<ReturnType<typeof cardAccountByTutor>>;

/** Keeps any existing idempotency key, so that concurrent callers get the same account from the provider. */
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
  return cardAccountByTutor(tx, tutorId).executeTakeFirstOrThrow();
}

export type CardAccountChange = Partial<{
  account_id: string | null;
  idempotency_key: string;
  default_method: string;
  charges_enabled: boolean;
  payouts_enabled: boolean;
  sends_receipts: boolean;
}>;

export async function updateCardAccount(
  tx: Tx,
  tutorId: string,
  change: CardAccountChange,
): Promise<void> {
  await tx.updateTable('card_accounts').set(change).where('tutor_id', '=', tutorId).execute();
}
