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

/** Recomputes each charge's outstanding amount and the payment that settled it. */
export async function recomputeCharges(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update charges c set
      outstanding = case when c.reversed then 0 else c.amount - c.credited - c.written_off - paid.amount end,
      paid_by_id = case when c.reversed or c.amount - c.credited - c.written_off - paid.amount > 0 then null
        else paid.last_payment_id end
    from unnest(${ids}::int[]) as requested(id),
      lateral (
        select coalesce(sum(by_payment.amount), 0)::int as amount,
          (array_agg(by_payment.payment_id order by by_payment.latest desc) filter (where by_payment.amount > 0))[1]
            as last_payment_id
        from (
          select a.payment_id, sum(a.amount) as amount, max(a.id) filter (where a.amount > 0) as latest
          from allocations a where a.tutor_id = ${tutorId}::uuid and a.charge_id = requested.id
          group by a.payment_id) as by_payment) as paid
    where c.tutor_id = ${tutorId}::uuid and c.id = requested.id`.execute(tx);
}

/** Recomputes the unallocated amount of each payment. */
export async function recomputePayments(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update payments p set unallocated = case when p.reversed or p.kind <> 'payment' then 0
      else p.amount - p.refunded - coalesce((
        select sum(a.amount) from allocations a where a.tutor_id = ${tutorId}::uuid and a.payment_id = p.id), 0) end
    where p.tutor_id = ${tutorId}::uuid and p.id = any(${ids}::int[])`.execute(tx);
}
