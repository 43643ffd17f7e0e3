import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

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
