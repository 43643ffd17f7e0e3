import type { InstalmentPlanInput } from '@lessonbook/contract/arrears';
import { addDaysToDate } from '@lessonbook/contract/dates';
import {
  type InstalmentPlan,
  instalmentDates,
  splitIntoInstalments,
} from '@lessonbook/contract/instalments';
import type { Currency } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import {
  completeWork,
  lockScheduledWork,
  scheduleWork,
} from '../../../platform/queue/tenant-schedule.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { amountOwedReduced, instalmentMissed } from '../events.ts';
import { INSTALMENTS_WORK } from '../job-types.ts';
import {
  allActivePlans,
  endPlan,
  insertPlan,
  markDueInstalments,
  markInstalmentMissed,
  type PlanRecord,
  plansForFamilies,
} from '../queries/instalment-plans.ts';
import { unpaidCharges } from '../queries/unpaid-and-written-off-charges.ts';
import { nextCheckDate, startOfDay, withOutstandingAmounts } from '../rules/instalments.ts';
import { assertFamilyExists } from './assert-family-or-payment-exists.ts';

export { plansForFamilies };

/** Null once everything is paid. */
export function toInstalmentPlan(plan: PlanRecord): InstalmentPlan | null {
  if (plan.outstanding === 0) return null;
  return {
    currency: plan.currency as Currency,
    instalments: withOutstandingAmounts(plan.instalments, plan.outstanding).map(
      ({ dueOn, amount, outstanding, isDue }) => ({ dueOn, amount, outstanding, isDue }),
    ),
  };
}

const MAX_DAYS_AHEAD = 366;

/** The plan covers everything overdue in one currency. Rejected if that is no longer the amount that the tutor was shown. */
export async function agreeInstalments(
  context: Context,
  tutorId: string,
  familyId: number,
  input: InstalmentPlanInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  const { currency, amount, count, frequency, firstOn } = input;
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await assertFamilyExists(tx, tutorId, familyId);
      const timeZone = await getTimeZone(tx, tutorId);
      const today = dateInZone(timeZone, now);
      assertFirstDate(firstOn, today);
      await endPaidPlan(tx, tutorId, familyId, currency, now);
      const overdue = (await unpaidCharges(tx, tutorId, familyId, now).execute()).filter(
        (charge) => charge.currency === currency && charge.isOverdue && !charge.isOnHold,
      );
      const total = overdue.reduce((sum, { outstanding }) => sum + outstanding, 0);
      if (total !== amount)
        throw new AppError(
          'conflict',
          'The overdue amount has changed. Please check it and try again.',
        );
      if (total < count)
        throw new AppError('invalid', 'There are more instalments than pennies to pay.');
      const amounts = splitIntoInstalments(total, count);
      const instalments = instalmentDates(firstOn, count, frequency).map((dueOn, index) => ({
        dueOn,
        amount: amounts[index] as number,
        isDue: dueOn <= today,
        isMissed: false,
      }));
      const chargeIds = overdue.map(({ id }) => id);
      await insertPlan(tx, tutorId, { familyId, currency, chargeIds, instalments, now });
      const next = nextCheckDate(instalments, today);
      if (next) await scheduleWork(tx, tutorId, INSTALMENTS_WORK, startOfDay(timeZone, next));
      // An open checkout may be for more than the payer is now asked to pay.
      await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds: [familyId] });
      const metadata = { familyId, amount, currency, count };
      await recordAudit(tx, tutorId, { action: 'instalments_agreed', at: now, metadata });
      return {};
    }),
  );
}

function assertFirstDate(firstOn: string, today: string): void {
  const message =
    firstOn < today
      ? 'The first instalment cannot be in the past'
      : firstOn > addDaysToDate(today, MAX_DAYS_AHEAD)
        ? 'Please choose a date within a year'
        : null;
  if (message) throw new AppError('invalid', message, { fields: { firstOn: message } });
}

async function endPaidPlan(
  tx: Tx,
  tutorId: string,
  familyId: number,
  currency: Currency,
  now: Date,
): Promise<void> {
  const plans = await plansForFamilies(tx, tutorId, [familyId]).execute();
  const plan = plans.find((each) => each.currency === currency);
  if (!plan) return;
  if (plan.outstanding > 0)
    throw new AppError('conflict', 'There is already a plan. End it first to agree another one.');
  await endPlan(tx, tutorId, plan.id, now);
}

/** The remaining charges are due as they were before the plan. Ending it twice changes nothing. */
export async function endInstalments(
  context: Context,
  tutorId: string,
  familyId: number,
  currency: Currency,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await assertFamilyExists(tx, tutorId, familyId);
    const plans = await plansForFamilies(tx, tutorId, [familyId]).execute();
    const plan = plans.find((each) => each.currency === currency);
    if (!plan) return;
    await endPlan(tx, tutorId, plan.id, now);
    const metadata = { familyId, amount: plan.outstanding, currency };
    await recordAudit(tx, tutorId, { action: 'instalments_ended', at: now, metadata });
  });
}

/** Runs for every tutor with an instalment that is due or may have been missed, with one transaction per tutor. */
export const checkInstalments = (context: Context): Promise<void> =>
  forEachDueTutor(context, INSTALMENTS_WORK, (tutorId) =>
    checkInstalmentsOfTutor(context, tutorId),
  );

/** Idempotent: an instalment is marked as missed, and the tutor notified, in one transaction. */
export async function checkInstalmentsOfTutor(context: Context, tutorId: string): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, INSTALMENTS_WORK);
    const timeZone = await getTimeZone(tx, tutorId);
    const today = dateInZone(timeZone, context.clock.now());
    await markDueInstalments(tx, tutorId, today);
    const plans = await allActivePlans(tx, tutorId).execute();
    for (const { id, familyId, currency, outstanding, instalments } of plans) {
      for (const instalment of withOutstandingAmounts(instalments, outstanding)) {
        const { position, dueOn, isMissed } = instalment;
        if (isMissed || instalment.outstanding === 0 || dueOn >= today) continue;
        await markInstalmentMissed(tx, tutorId, id, position);
        const facts = {
          familyId,
          planId: id,
          position,
          dueOn,
          amount: instalment.outstanding,
          currency,
          isPartPaid: instalment.outstanding < instalment.amount,
        };
        await context.events.publish(tx, instalmentMissed, { tutorId, ...facts });
      }
    }
    const all = plans.flatMap(({ instalments }) => instalments);
    const next = nextCheckDate(all, today);
    const nextAt = next === null ? null : startOfDay(timeZone, next);
    await completeWork(tx, tutorId, INSTALMENTS_WORK, nextAt);
  });
}
