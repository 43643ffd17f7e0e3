import type { Currency } from '@lessonbook/contract/money';
import { type Period, periodRange, previousPeriodRange } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { readTimeZone } from '../../accounts/service/profile/profile.ts';
import { netByMonth, sharesByStudentAndSubject, totalsByCurrency } from '../queries/earnings.ts';
import { toBreakdown, toTotals } from '../rules/earnings.ts';

/** Money received less money given back, on the days of the tutor's calendar. */
export async function readEarnings(
  context: Context,
  tutorId: string,
  period: Period,
): Promise<EarningsReport> {
  const today = dateInZone(await readTimeZone(context, tutorId), context.clock.now());
  const range = periodRange(period, today);
  const earlier = previousPeriodRange(period, today);
  const [now, months, parts, before] = await context.db.tutorRead(tutorId, (tx) => [
    totalsByCurrency(tx, tutorId, range),
    netByMonth(tx, tutorId, range),
    sharesByStudentAndSubject(tx, tutorId, range),
    // All time has nothing before it; a range that holds no day answers at once.
    totalsByCurrency(tx, tutorId, earlier ?? { from: today, to: '0001-01-01' }),
  ]);
  return {
    period,
    ...range,
    totals: toTotals(now, earlier && before),
    months: months.map((month) => ({ ...month, currency: month.currency as Currency })),
    students: toBreakdown(parts, now, 'student'),
    subjects: toBreakdown(parts, now, 'subject'),
  };
}
