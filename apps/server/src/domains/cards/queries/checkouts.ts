import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export interface NewCheckout {
  id: number;
  publicId: string;
  accountId: string;
  familyId: number;
  invoiceId: number | null;
  currency: string;
  amount: number;
  chargeIds: readonly number[];
  now: Date;
}

export async function insertCheckout(
  tx: Tx,
  tutorId: string,
  checkout: NewCheckout,
): Promise<void> {
  await tx
    .insertInto('checkouts')
    .values({
      tutor_id: tutorId,
      id: checkout.id,
      public_id: checkout.publicId,
      account_id: checkout.accountId,
      family_id: checkout.familyId,
      invoice_id: checkout.invoiceId,
      currency: checkout.currency,
      amount: checkout.amount,
      charge_ids: sql`${checkout.chargeIds}::int[]`,
      state: 'open',
      created_at: checkout.now,
    })
    .execute();
}

const checkouts = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('checkouts')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'public_id as publicId',
      'account_id as accountId',
      'family_id as familyId',
      'currency',
      'amount',
      'charge_ids as chargeIds',
      'stripe_session_id as stripeSessionId',
      'payment_intent as paymentIntent',
      'state',
      'payment_id as paymentId',
      'created_at as createdAt',
    ]);

export type Checkout = RowOf<ReturnType<typeof checkouts>>;

/** Finds by the provider's id, or by our public id if the response containing the provider's id was lost. */
export const findCheckout = (
  tx: Tx,
  tutorId: string,
  stripeSessionId: string,
  publicId: string | null,
): Promise<Checkout | undefined> =>
  checkouts(tx, tutorId)
    .where((where) =>
      where.or([
        where('stripe_session_id', '=', stripeSessionId),
        where('public_id', '=', publicId ?? ''),
      ]),
    )
    .executeTakeFirst();

export const findCheckoutByPayment = (
  tx: Tx,
  tutorId: string,
  paymentId: number,
): Promise<Checkout | undefined> =>
  checkouts(tx, tutorId).where('payment_id', '=', paymentId).executeTakeFirst();

/** Checkouts that can still be paid or whose payment is pending. */
export const openCheckouts = (tx: Tx, tutorId: string, familyId?: number) =>
  checkouts(tx, tutorId)
    .where('state', 'in', [sql.lit('open'), sql.lit('pending')])
    .$if(familyId !== undefined, (query) => query.where('family_id', '=', familyId ?? 0))
    .orderBy('id');

/** The latest bank debit that failed after the payer had confirmed it. */
export const latestFailedDebit = (tx: Tx, tutorId: string, familyId: number) =>
  tx
    .selectFrom('checkouts')
    .where('tutor_id', '=', tutorId)
    .where('family_id', '=', familyId)
    .where('failed_at', 'is not', null)
    .select(['amount', 'currency', 'failed_at as failedAt'])
    .orderBy('failed_at', 'desc')
    .limit(1);

export type FailedDebit = RowOf<ReturnType<typeof latestFailedDebit>>;

export type CheckoutChange = Partial<{
  stripe_session_id: string;
  payment_intent: string | null;
  state: string;
  payment_id: number;
  failed_at: Date;
}>;

/** Returns the state after the change. */
export async function updateCheckout(
  tx: Tx,
  tutorId: string,
  id: number,
  change: CheckoutChange,
): Promise<string | undefined> {
  const updated = await tx
    .updateTable('checkouts')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .returning('state')
    .executeTakeFirst();
  return updated?.state;
}

export type ReversalState = 'disputed' | 'undecided' | 'settled' | 'undone';

export interface RecordedReversal {
  /** The ledger entry; null if there was nothing left to return. */
  paymentId: number | null;
  state: ReversalState;
}

/** A checkout's refunds and disputes, keyed by the provider's id. */
export async function findReversals(
  tx: Tx,
  tutorId: string,
  checkoutId: number,
): Promise<Map<string, RecordedReversal>> {
  const rows = await tx
    .selectFrom('card_reversals')
    .where('tutor_id', '=', tutorId)
    .where('checkout_id', '=', checkoutId)
    .select(['vendor_id as vendorId', 'payment_id as paymentId', 'state'])
    .execute();
  return new Map(
    rows.map(({ vendorId, paymentId, state }) => [
      vendorId,
      { paymentId, state: state as ReversalState },
    ]),
  );
}

export async function saveReversal(
  tx: Tx,
  tutorId: string,
  entry: RecordedReversal & { vendorId: string; checkoutId: number; kind: string },
): Promise<void> {
  await tx
    .insertInto('card_reversals')
    .values({
      tutor_id: tutorId,
      vendor_id: entry.vendorId,
      checkout_id: entry.checkoutId,
      kind: entry.kind,
      payment_id: entry.paymentId,
      state: entry.state,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tutor_id', 'vendor_id'])
        .doUpdateSet({ payment_id: entry.paymentId, state: entry.state }),
    )
    .execute();
}
