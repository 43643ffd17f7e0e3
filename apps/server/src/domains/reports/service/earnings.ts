import type { Currency } from '@lessonbook/contract/money';
import { type Period, periodRange, previousPeriodRange } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { netByMonth, netByStudentAndSubject, totalsByCurrency } from '../queries/earnings.ts';
import { toBreakdown, toTotals } from '../rules/earnings.ts';

/** Payments minus refunds, using dates in the tutor's time zone. */
export const readEarnings = (
  context: Context,
  tutorId: string,
  period: Period,
): Promise<EarningsReport> =>
  context.db.tutorSnapshot(tutorId, (tx) => getEarnings(context, tx, tutorId, period));

export async function getEarnings(
  context: Context,
  tx: Tx,
  tutorId: string,
  period: Period,
): Promise<EarningsReport> {
  const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
  const range = periodRange(period, today);
  const previousRange = previousPeriodRange(period, today);
  const [current, months, breakdown, previous] = await executeBatch(tx, [
    totalsByCurrency(tx, tutorId, range),
    netByMonth(tx, tutorId, range),
    netByStudentAndSubject(tx, tutorId, range),
    // 'All time' has no previous period, so use an empty range, which returns no rows.
    totalsByCurrency(tx, tutorId, previousRange ?? { from: today, to: '0001-01-01' }),
  ]);
  return {
    period,
    ...range,
    totals: toTotals(current, previousRange && previous),
    months: months.map((month) => ({ ...month, currency: month.currency as Currency })),
    students: toBreakdown(breakdown, current, 'student'),
    subjects: toBreakdown(breakdown, current, 'subject'),
  };
}
