import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { hasOpenQuestion } from './questions-about-charges.ts';

/*
 * A plan says when the charges in it are due. Payers are asked to pay the charges in order, except for the part that
 * future instalments will cover. An instalment is therefore paid once the outstanding amount of the charges is no more
 * than the total of the later instalments.
 */

/** The outstanding amount of the charges of a plan. Queried charges are left out until the tutor has answered. */
const planOutstanding = (plan: RawBuilder<unknown>) => sql`(
  select coalesce(sum(o.outstanding), 0) from instalment_plan_charges oc
  join charges o on o.tutor_id = oc.tutor_id and o.id = oc.charge_id
  where oc.tutor_id = ${plan}.tutor_id and oc.plan_id = ${plan}.id and o.outstanding > 0 and not ${hasOpenQuestion(sql.ref('o'))})`;

export const CURRENT_TUTOR = sql`(select current_setting('app.tutor_id')::uuid)`;

/** Whether the tutor has a plan that has not ended. */
export const hasPlans = sql<boolean>`exists (
  select from instalment_plans where tutor_id = ${CURRENT_TUTOR} and ended_at is null)`;

/**
 * What a function says about a charge. It returns the values for all charges of the tutor by id (migration 0111), is called at
 * most once per statement, and only if the condition holds, because few tutors need it.
 */
export const valueForCharge = (
  charge: RawBuilder<unknown>,
  functionName: 'held_amounts' | 'held_by_instalments' | 'instalment_due_dates',
  condition: RawBuilder<boolean>,
) => sql<string | null>`((
  select case when ${condition} then ${sql.id(functionName)}(${CURRENT_TUTOR}) end) ->> ${charge}.id::text)`;

/**
 * The part of a charge's outstanding amount that future instalments will cover; 0 while it is queried. `charge` is the alias of
 * the table charges.
 */
export const heldByPlan = (charge: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(${valueForCharge(charge, 'held_by_instalments', hasPlans)}::int, 0)`;

/** The date of the first unpaid instalment; null if there is no plan. */
export const planDueDate = (charge: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`${valueForCharge(charge, 'instalment_due_dates', hasPlans)}::date`;

export interface PlanRecord {
  id: number;
  familyId: number;
  currency: string;
  createdAt: Date;
  /** The outstanding amount of the plan's charges. */
  outstanding: number;
  instalments: {
    position: number;
    dueOn: string;
    amount: number;
    isDue: boolean;
    isMissed: boolean;
  }[];
}

const activePlans = (tx: Tx, tutorId: string, condition: RawBuilder<unknown>) =>
  queryFromSql(
    tx,
    sql<PlanRecord>`
      select plan.id, plan.family_id as "familyId", plan.currency, plan.created_at as "createdAt",
        ${planOutstanding(sql`plan`)}::int8 as outstanding,
        (select jsonb_agg(jsonb_build_object('position', n.position, 'dueOn', n.due_on, 'amount', n.amount, 'isDue', n.is_due,
            'isMissed', n.is_missed) order by n.position)
          from instalments n where n.tutor_id = plan.tutor_id and n.plan_id = plan.id) as instalments
      from instalment_plans plan
      where plan.tutor_id = ${tutorId}::uuid and plan.ended_at is null and ${condition}
      order by plan.family_id, plan.currency`,
  );

/** Includes plans that have been paid in full. */
export const plansForFamilies = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  activePlans(tx, tutorId, sql`plan.family_id = any(${familyIds}::int[])`);

export const allActivePlans = (tx: Tx, tutorId: string) => activePlans(tx, tutorId, sql`true`);

export interface NewPlan {
  familyId: number;
  currency: string;
  chargeIds: readonly number[];
  instalments: readonly { dueOn: string; amount: number; isDue: boolean }[];
  now: Date;
}

/** Returns the id. */
export async function insertPlan(tx: Tx, tutorId: string, plan: NewPlan): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'instalment_plan')) as [number];
  const { familyId, currency, chargeIds, instalments, now } = plan;
  await tx
    .insertInto('instalment_plans')
    .values({ tutor_id: tutorId, id, family_id: familyId, currency, created_at: now })
    .execute();
  await sql`
    insert into instalments (tutor_id, plan_id, position, due_on, amount, is_due)
    select ${tutorId}::uuid, ${id}::int, n.position, n.due_on, n.amount, n.is_due
    from unnest(${instalments.map(({ dueOn }) => dueOn)}::date[], ${instalments.map(({ amount }) => amount)}::int[],
      ${instalments.map(({ isDue }) => isDue)}::bool[]) with ordinality as n(due_on, amount, is_due, position)`.execute(
    tx,
  );
  await sql`
    insert into instalment_plan_charges (tutor_id, plan_id, charge_id)
    select ${tutorId}::uuid, ${id}::int, unnest(${chargeIds}::int[])`.execute(tx);
  return id;
}

export async function endPlan(tx: Tx, tutorId: string, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('instalment_plans')
    .set({ ended_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Marks the instalments of active plans as due once their date has come. */
export async function markDueInstalments(tx: Tx, tutorId: string, today: string): Promise<void> {
  await sql`
    update instalments n set is_due = true from instalment_plans plan
    where n.tutor_id = ${tutorId}::uuid and not n.is_due and n.due_on <= ${today}::date
      and plan.tutor_id = n.tutor_id and plan.id = n.plan_id and plan.ended_at is null`.execute(tx);
}

export async function markInstalmentMissed(
  tx: Tx,
  tutorId: string,
  planId: number,
  position: number,
): Promise<void> {
  await tx
    .updateTable('instalments')
    .set({ is_missed: true })
    .where('tutor_id', '=', tutorId)
    .where('plan_id', '=', planId)
    .where('position', '=', position)
    .execute();
}
