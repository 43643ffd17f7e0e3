import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Allocation } from '../rules/allocate.ts';

export interface AllocationEntry extends Allocation {
  /** The refund that released the allocation. */
  refundId?: number;
}

export async function insertAllocations(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
  entries: readonly AllocationEntry[],
  now: Date,
): Promise<void> {
  await sql`
    insert into allocations (tutor_id, id, payment_id, charge_id, amount, refund_id, created_at)
    select ${tutorId}::uuid, a.id, a.payment_id, a.charge_id, a.amount, a.refund_id, ${now}::timestamptz
    from unnest(${ids}::int[], ${entries.map((entry) => entry.paymentId)}::int[], ${entries.map((entry) => entry.chargeId)}::int[],
      ${entries.map((entry) => entry.amount)}::int[], ${entries.map((entry) => entry.refundId ?? null)}::int[])
      as a(id, payment_id, charge_id, amount, refund_id)`.execute(tx);
}

/** Allocations net of releases, oldest first. */
async function netAllocations(
  tx: Tx,
  tutorId: string,
  column: 'payment_id' | 'charge_id',
  ids: readonly number[],
): Promise<Allocation[]> {
  return tx
    .selectFrom('allocations')
    .where('tutor_id', '=', tutorId)
    .where(column, '=', sql<number>`any(${ids}::int[])`)
    .groupBy(['payment_id', 'charge_id'])
    .having((eb) => eb.fn.sum('amount'), '>', 0)
    .orderBy(sql`max(id) filter (where amount > 0)`)
    .select((eb) => [
      'payment_id as paymentId',
      'charge_id as chargeId',
      eb.fn.sum<number>('amount').as('amount'),
    ])
    .execute();
}

export const allocationsForPayment = (tx: Tx, tutorId: string, paymentId: number) =>
  netAllocations(tx, tutorId, 'payment_id', [paymentId]);

export const allocationsForCharges = (tx: Tx, tutorId: string, chargeIds: readonly number[]) =>
  netAllocations(tx, tutorId, 'charge_id', chargeIds);
