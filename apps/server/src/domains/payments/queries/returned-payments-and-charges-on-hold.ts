import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { CURRENT_TUTOR, hasPlans, heldByPlan, valueForCharge } from './instalment-plans.ts';
import { hasOpenQuestion } from './questions-about-charges.ts';

/*
 * Charges reopened by a refund at the card provider or by a dispute. They are on hold until the bank or the tutor has decided:
 * they stay outstanding, but payers are not asked to pay them. Queried charges, and amounts that future instalments will cover,
 * are on hold too.
 */

const UNRESOLVED_STATES = sql`('disputed', 'undecided')`;

const reopenedCharges = (charge: RawBuilder<unknown>, result: RawBuilder<unknown>) => sql`
  (select ${result} from card_reversals r
   join allocations a on a.tutor_id = r.tutor_id and a.refund_id = r.payment_id
   where r.tutor_id = ${charge}.tutor_id and r.state in ${UNRESOLVED_STATES} and a.charge_id = ${charge}.id)`;

const hasHolds = sql<boolean>`(${hasPlans}
  or exists (select from charge_queries where tutor_id = ${CURRENT_TUTOR} and status = 'open')
  or exists (select from card_reversals where tutor_id = ${CURRENT_TUTOR} and state in ${UNRESOLVED_STATES}))`;

/** The part of a charge's outstanding amount that is on hold. `alias` is the alias of the table charges. */
export const heldAmount = (alias: string): RawBuilder<number> =>
  sql<number>`coalesce(${valueForCharge(sql.ref(alias), 'held_amounts', hasHolds)}::int, 0)`;

export type HoldReason = 'query' | 'refund' | 'dispute' | 'instalments';

/** Why a charge is on hold, or null. An open query takes precedence, then a dispute or refund, then instalments. */
export function holdReason(alias: string): RawBuilder<HoldReason | null> {
  const charge = sql.ref(alias);
  return sql<HoldReason | null>`case when ${charge}.outstanding = 0 then null
    when ${hasOpenQuestion(charge)} then 'query'
    else coalesce(${reopenedCharges(charge, sql`min(r.kind)`)}, case when ${heldByPlan(charge)} > 0 then 'instalments' end) end`;
}

export interface ReturnedPaymentRecord {
  paymentId: number;
  kind: string;
  state: string;
  amount: number;
  currency: string;
  date: string;
}

/**
 * Returned card payments of one account or one payment whose charges are still on hold. Several refunds of one payment
 * are combined into one row.
 */
export const returnedPayments = (
  tx: Tx,
  tutorId: string,
  filter: { familyId: number } | { paymentId: number },
) =>
  queryFromSql(
    tx,
    sql<ReturnedPaymentRecord>`
      select e.refunds_id as "paymentId", r.kind, r.state, e.currency, max(e.paid_on) as date,
        sum(least(c.outstanding, -a.amount))::int as amount
      from card_reversals r
      join payments e on e.tutor_id = r.tutor_id and e.id = r.payment_id
      join allocations a on a.tutor_id = r.tutor_id and a.refund_id = r.payment_id
      join charges c on c.tutor_id = a.tutor_id and c.id = a.charge_id
      where r.tutor_id = ${tutorId}::uuid and r.state in ${UNRESOLVED_STATES} and c.outstanding > 0
        and ${'familyId' in filter ? sql`e.family_id = ${filter.familyId}::int` : sql`e.refunds_id = ${filter.paymentId}::int`}
      group by e.refunds_id, r.kind, r.state, e.currency
      order by e.refunds_id, r.kind, r.state`,
  );

/** The charges that undecided reversals of a payment have reopened, with the amounts on hold. */
export const undecidedCharges = async (
  tx: Tx,
  tutorId: string,
  paymentId: number,
): Promise<{ chargeId: number; amount: number; writtenOff: number }[]> =>
  queryFromSql(
    tx,
    sql<{ chargeId: number; amount: number; writtenOff: number }>`
      select c.id as "chargeId", least(c.outstanding, -sum(a.amount))::int as amount, c.written_off as "writtenOff"
      from card_reversals r
      join payments e on e.tutor_id = r.tutor_id and e.id = r.payment_id and e.refunds_id = ${paymentId}::int
      join allocations a on a.tutor_id = r.tutor_id and a.refund_id = r.payment_id
      join charges c on c.tutor_id = a.tutor_id and c.id = a.charge_id
      where r.tutor_id = ${tutorId}::uuid and r.state = 'undecided' and c.outstanding > 0
      group by c.id, c.outstanding, c.written_off order by c.id`,
  ).execute();

export async function resolveReversals(tx: Tx, tutorId: string, paymentId: number): Promise<void> {
  await tx
    .updateTable('card_reversals')
    .set({ state: 'settled' })
    .where('tutor_id', '=', tutorId)
    .where('state', '=', sql.lit('undecided'))
    .where('payment_id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .where('tutor_id', '=', tutorId)
        .where('refunds_id', '=', paymentId)
        .select('id'),
    )
    .execute();
}

/** Whether this reversal has reopened any charges. */
export async function hasReopenedCharges(
  tx: Tx,
  tutorId: string,
  reversalPaymentId: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('allocations')
    .innerJoin('charges', (join) =>
      join
        .onRef('charges.tutor_id', '=', 'allocations.tutor_id')
        .onRef('charges.id', '=', 'allocations.charge_id'),
    )
    .where('allocations.tutor_id', '=', tutorId)
    .where('allocations.refund_id', '=', reversalPaymentId)
    .where('charges.outstanding', '>', sql.lit(0))
    .select('charges.id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
