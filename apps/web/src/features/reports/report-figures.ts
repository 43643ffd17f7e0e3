import { addMonthsToDate } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import type { Period } from '@lessonbook/contract/report-periods';
import type { BookedLessons, EarningsReport, LessonReport } from '@lessonbook/contract/reports';
import {
  formatAmount,
  formatDateWithYear,
  formatDuration,
  formatList,
  formatMonthYear,
  pluralize,
} from '../../lib/format.ts';

/** A month or a year in a chart. */
export interface ChartBar {
  /** `yyyy-MM` or `yyyy` */
  key: string;
  value: number;
  /** Stacked on the value: lessons that are booked. */
  booked: number;
  /** Part of the period, or the current month or year if all bars belong to the period. */
  highlighted: boolean;
}

/** A shorter period is extended to this many months. */
const MIN_MONTHS = 6;
/** A longer period is shown by year, so that the bars stay wide enough to see. */
const MAX_MONTHS = 36;

const monthOf = (date: string): string => date.slice(0, 7);
const addMonths = (month: string, months: number): string =>
  monthOf(addMonthsToDate(`${month}-01`, months));
const minMonth = (a: string, b: string): string => (a < b ? a : b);
const maxMonth = (a: string, b: string): string => (a > b ? a : b);

interface MonthValue {
  month: string;
  value: number;
  booked?: number;
}

/** One bar for each month from the first to the last, including those without a value, or for each year. */
function toBars(
  values: readonly MonthValue[],
  { from, to }: { from: string; to: string },
  isHighlighted: (month: string) => boolean,
): ChartBar[] {
  const byMonth = new Map(values.map((entry) => [entry.month, entry]));
  const bars: ChartBar[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) {
    const { value = 0, booked = 0 } = byMonth.get(month) ?? {};
    bars.push({ key: month, value, booked, highlighted: isHighlighted(month) });
  }
  return bars.length > MAX_MONTHS ? groupByYear(bars) : bars;
}

const groupByYear = (months: readonly ChartBar[]): ChartBar[] =>
  [...Map.groupBy(months, ({ key }) => key.slice(0, 4))].map(([key, bars]) => ({
    key,
    value: bars.reduce((sum, { value }) => sum + value, 0),
    booked: bars.reduce((sum, { booked }) => sum + booked, 0),
    highlighted: bars.some(({ highlighted }) => highlighted),
  }));

/**
 * The earnings of a period in one currency up to the current month. A short period is extended backwards with data from
 * the all-time report.
 */
export function earningsBars(
  report: EarningsReport,
  allTime: EarningsReport | undefined,
  currency: Currency,
  today: string,
): ChartBar[] {
  const months = (allTime ?? report).months.filter((entry) => entry.currency === currency);
  const first = months[0]?.month;
  if (first === undefined) return [];
  const current = monthOf(today);
  const to = minMonth(monthOf(report.to ?? today), current);
  const start = report.from === null ? first : monthOf(report.from);
  // Nothing to show before the first earnings.
  const from = maxMonth(first, minMonth(start, addMonths(to, 1 - MIN_MONTHS)));
  return toBars(
    months.map(({ month, net }) => ({ month, value: net })),
    { from, to },
    (month) => (from < start ? month >= start : month === current),
  );
}

/** The minutes of each month of the period, from the first with a lesson to the last. */
export function lessonBars({ months }: LessonReport, today: string): ChartBar[] {
  const [first, last] = [months[0], months.at(-1)];
  if (!first || !last) return [];
  return toBars(
    months.map(({ month, minutes, bookedMinutes }) => ({
      month,
      value: minutes,
      booked: bookedMinutes,
    })),
    { from: first.month, to: last.month },
    (month) => month === monthOf(today),
  );
}

/** 'November 2026' or '2026' */
export const formatBarName = (key: string): string =>
  key.length === 4 ? key : formatMonthYear(`${key}-01`);

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

/** 'Received £320.00, refunded £20.00', or null without refunds. */
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
