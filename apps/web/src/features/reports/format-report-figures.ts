import type { Currency } from '@lessonbook/contract/money';
import type { Period } from '@lessonbook/contract/report-periods';
import type { BookedLessons, EarningsReport, LessonReport } from '@lessonbook/contract/reports';
import {
  formatAmount,
  formatDateWithYear,
  formatDuration,
  formatList,
  pluralize,
} from '../../lib/format.ts';

const previousPeriodLabels: Record<Period, string> = {
  last_month: 'the month before',
  this_month: 'last month',
  next_month: 'this month',
  last_quarter: 'the quarter before',
  year_to_date: 'at this point last year',
  this_tax_year: 'last tax year',
  last_tax_year: 'the tax year before',
  all_time: '',
  custom: 'the previous period of the same length',
};

/** '£120.00 more than the month before'; null if there is nothing to compare with. */
function formatComparison(
  value: number,
  previous: number | null,
  period: Period,
  format: (difference: number) => string,
): string | null {
  if (previous === null || (value === 0 && previous === 0)) return null;
  if (value === previous) return `The same as ${previousPeriodLabels[period]}`;
  const direction = value > previous ? 'more' : 'less';
  return `${format(Math.abs(value - previous))} ${direction} than ${previousPeriodLabels[period]}`;
}

type Total = EarningsReport['totals'][number];

export const compareEarnings = ({ net, previousNet, currency }: Total, period: Period) =>
  formatComparison(net, previousNet, period, (minor) => formatAmount(minor, currency, true));

export const compareHours = ({ taught, period }: Pick<LessonReport, 'taught' | 'period'>) =>
  formatComparison(taught.minutes, taught.previousMinutes, period, formatDuration);

/** 'Received £320.00, refunded £20.00', or null if there are no refunds. */
export function formatRefunds({ received, refunded, currency }: Total): string | null {
  if (refunded === 0) return null;
  return `Received ${formatAmount(received, currency, true)}, refunded ${formatAmount(refunded, currency, true)}`;
}

interface CurrencyAmount {
  currency: Currency;
  amount: number;
}

/** '£320.00 and €40.00'. Currencies are never added together. */
export const formatAmounts = (amounts: readonly CurrencyAmount[]): string =>
  formatList(amounts.map(({ amount, currency }) => formatAmount(amount, currency, true)));

/** Adds the charged and the booked amounts, in each currency. */
export function addAmounts(
  a: readonly CurrencyAmount[],
  b: readonly CurrencyAmount[],
): CurrencyAmount[] {
  const currencies = [...new Set([...a, ...b].map(({ currency }) => currency))];
  const amountIn = (amounts: readonly CurrencyAmount[], currency: Currency) =>
    amounts.find((each) => each.currency === currency)?.amount ?? 0;
  return currencies.map((currency) => ({
    currency,
    amount: amountIn(a, currency) + amountIn(b, currency),
  }));
}

/** '9 lessons, 9 hrs, £360.00' */
export const formatBooked = ({ lessons, minutes, fees }: BookedLessons): string =>
  [pluralize(lessons, 'lesson'), formatDuration(minutes), formatAmounts(fees)]
    .filter(Boolean)
    .join(', ');

/** '1 Oct 2026 to 31 Oct 2026', or 'All dates'. */
export const formatReportDates = ({ from, to }: { from: string | null; to: string | null }) =>
  from === null || to === null
    ? 'All dates'
    : `${formatDateWithYear(from)} to ${formatDateWithYear(to)}`;

/** 'Attended 7 of 8, 1 cancelled' */
export function formatAttendance(counts: LessonReport['attendance']): string {
  const { attended, late, absent, cancelled } = counts;
  const total = attended + late + absent;
  return [
    total > 0 && `Attended ${attended + late} of ${total}`,
    cancelled > 0 && `${cancelled} cancelled`,
  ]
    .filter(Boolean)
    .join(', ');
}
