import type { Currency } from '@lessonbook/contract/money';
import { type Period, rangeBefore, rangeOfPeriod } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import { byMonth, shares, totals } from '../queries/earnings.ts';
import { sharesOf, totalsOf } from '../rules/earnings.ts';

/** Money received less money given back, on the days of the tutor's calendar. */
export async function readEarnings(
  context: Context,
  tutorId: string,
  period: Period,
): Promise<EarningsReport> {
  const today = dateIn(await readTimeZone(context, tutorId), context.clock.now());
  const range = rangeOfPeriod(period, today);
  const earlier = rangeBefore(period, today);
  const [now, months, parts, before] = await context.db.readTutor(tutorId, (tx) => [
    totals(tx, tutorId, range),
    byMonth(tx, tutorId, range),
    shares(tx, tutorId, range),
    // All time has nothing before it; a range that holds no day answers at once.
    totals(tx, tutorId, earlier ?? { from: today, to: '0001-01-01' }),
  ]);
  return {
    period,
    ...range,
    totals: totalsOf(now, earlier && before),
    months: months.map((month) => ({ ...month, currency: month.currency as Currency })),
    students: sharesOf(parts, now, 'student'),
    subjects: sharesOf(parts, now, 'subject'),
  };
}
