import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export interface NewPayment {
  id: number;
  familyId: number;
  kind: 'payment' | 'refund' | 'reversal';
  amount: number;
  currency: string;
  method: string;
  paidOn: string;
  note?: string | null;
  refundsId?: number;
  reversesId?: number;
  createdBy: string;
  now: Date;
}

export async function insertPayment(tx: Tx, tutorId: string, payment: NewPayment): Promise<void> {
  await tx
    .insertInto('payments')
    .values({
      tutor_id: tutorId,
      id: payment.id,
      public_id: randomToken(),
      family_id: payment.familyId,
      kind: payment.kind,
      amount: payment.amount,
      currency: payment.currency,
      method: payment.method,
      paid_on: payment.paidOn,
      note: payment.note ?? null,
      refunds_id: payment.refundsId ?? null,
      reverses_id: payment.reversesId ?? null,
      unallocated: payment.kind === 'payment' ? payment.amount : 0,
      created_by: payment.createdBy,
      created_at: payment.now,
    })
    .execute();
}

const payments = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('payments')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'kind',
      'family_id as familyId',
      'amount',
      'currency',
      'method',
      'paid_on as paidOn',
      'note',
      'refunds_id as refundsId',
      'reversed',
      'refunded',
      'unallocated',
    ]);

export type PaymentRecord = RowOf<ReturnType<typeof payments>>;

export const findPayment = (
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<PaymentRecord | undefined> =>
  payments(tx, tutorId).where('id', '=', id).executeTakeFirst();

/** The families' payments with an unallocated amount, oldest first. */
export const paymentsWithCredit = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<PaymentRecord[]> =>
  payments(tx, tutorId)
    .where('family_id', '=', sql<number>`any(${familyIds}::int[])`)
    .where('unallocated', '>', sql.lit(0))
    .orderBy('paid_on')
    .orderBy('id')
    .execute();

/** Recomputes the refunded amount from the refunds that are not reversed. */
export async function recomputeRefunded(tx: Tx, tutorId: string, paymentId: number): Promise<void> {
  await sql`
    update payments p set refunded = coalesce((
      select -sum(r.amount) from payments r
      where r.tutor_id = ${tutorId}::uuid and r.refunds_id = p.id and not r.reversed), 0),
      -- Zero satisfies the constraint payments_derived_within_amount; recomputePayments sets the real amount afterwards.
      unallocated = 0
    where p.tutor_id = ${tutorId}::uuid and p.id = ${paymentId}::int`.execute(tx);
}

export async function markPaymentReversed(
  tx: Tx,
  tutorId: string,
  paymentId: number,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ reversed: true, unallocated: 0 })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', paymentId)
    .execute();
}
