import { addMonthsToDate } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import type { Period } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { formatAmount } from '../../lib/format.ts';

export interface ChartMonth {
  /** `yyyy-MM` */
  month: string;
  net: number;
  /** A month of the period, or the current month if all shown months belong to the period. */
  highlighted: boolean;
}

/** A shorter period is extended to this many months. */
const MIN_MONTHS = 6;

const monthOf = (date: string): string => date.slice(0, 7);
const addMonths = (month: string, months: number): string =>
  monthOf(addMonthsToDate(`${month}-01`, months));

/**
 * The months of a period in one currency, including months without earnings. A short period is extended backwards with
 * data from the all-time report.
 */
export function chartMonths(
  report: EarningsReport,
  allTime: EarningsReport | undefined,
  currency: Currency,
  today: string,
): ChartMonth[] {
  const months = (allTime ?? report).months.filter((entry) => entry.currency === currency);
  const netByMonth = new Map(months.map(({ month, net }) => [month, net]));
  const first = months[0]?.month;
  if (first === undefined) return [];

  const current = monthOf(today);
  const end = minMonth(monthOf(report.to ?? today), current);
  const start = report.from === null ? first : monthOf(report.from);
  const extendedStart = minMonth(start, addMonths(end, 1 - MIN_MONTHS));
  // Nothing to show before the first earnings.
  const from = extendedStart < first ? first : extendedStart;

  const shownMonths: ChartMonth[] = [];
  for (let month = from; month <= end; month = addMonths(month, 1)) {
    const highlighted = from < start ? month >= start : month === current;
    shownMonths.push({ month, net: netByMonth.get(month) ?? 0, highlighted });
  }
  return shownMonths;
}

const minMonth = (a: string, b: string): string => (a < b ? a : b);

type Total = EarningsReport['totals'][number];

const previousPeriodLabels: Record<Period, string> = {
  last_month: 'the month before',
  this_month: 'last month',
  last_quarter: 'the quarter before',
  year_to_date: 'by this day last year',
  this_tax_year: 'last tax year',
  last_tax_year: 'the tax year before',
  all_time: '',
};

/** '£120.00 more than the month before'; null for all time. */
export function formatComparison(total: Total, period: Period): string | null {
  if (total.previousNet === null || period === 'all_time') return null;
  const difference = total.net - total.previousNet;
  if (difference === 0) return `As much as ${previousPeriodLabels[period]}`;
  const amount = formatAmount(Math.abs(difference), total.currency, true);
  return `${amount} ${difference > 0 ? 'more' : 'less'} than ${previousPeriodLabels[period]}`;
}

/** 'Received £320.00, refunded £20.00', or null without refunds. */
export function formatRefunds({ received, refunded, currency }: Total): string | null {
  if (refunded === 0) return null;
  return `Received ${formatAmount(received, currency, true)}, refunded ${formatAmount(refunded, currency, true)}`;
}
