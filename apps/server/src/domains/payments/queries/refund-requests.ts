import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export async function insertRefundRequest(
  tx: Tx,
  tutorId: string,
  request: { id: number; paymentId: number; amount: number; note: string | null; now: Date },
): Promise<void> {
  await tx
    .insertInto('refund_requests')
    .values({
      tutor_id: tutorId,
      id: request.id,
      public_id: randomToken(),
      payment_id: request.paymentId,
      amount: request.amount,
      note: request.note,
      state: 'waiting',
      created_at: request.now,
    })
    .execute();
}

/** The total of refunds that have been requested but not completed. */
export const pendingRefundTotal = (tx: Tx, tutorId: string, paymentId: number) =>
  tx
    .selectFrom('refund_requests')
    .where('tutor_id', '=', tutorId)
    .where('payment_id', '=', paymentId)
    .where('state', '=', sql.lit('waiting'))
    .select(sql<number>`coalesce(sum(amount), 0)::int`.as('amount'));

const requests = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('refund_requests')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'public_id as publicId',
      'payment_id as paymentId',
      'amount',
      'note',
      'state',
      'vendor_id as vendorId',
    ]);

export type RefundRequest = RowOf<ReturnType<typeof requests>>;

export const findRefundRequest = (
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<RefundRequest | undefined> =>
  requests(tx, tutorId).where('id', '=', id).executeTakeFirst();

export async function pendingRefundRequestIds(tx: Tx, tutorId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('refund_requests')
    .where('tutor_id', '=', tutorId)
    .where('state', '=', sql.lit('waiting'))
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

export const findRefundRequestByPublicId = (
  tx: Tx,
  tutorId: string,
  publicId: string,
): Promise<RefundRequest | undefined> =>
  requests(tx, tutorId).where('public_id', '=', publicId).executeTakeFirst();

/** Called once the provider has accepted the refund. */
export async function setRefundRequestVendorId(
  tx: Tx,
  tutorId: string,
  id: number,
  vendorId: string,
): Promise<void> {
  await tx
    .updateTable('refund_requests')
    .set({ vendor_id: vendorId })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

export async function setRefundRequestState(
  tx: Tx,
  tutorId: string,
  id: number,
  state: 'done' | 'failed',
): Promise<void> {
  await tx
    .updateTable('refund_requests')
    .set({ state })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
