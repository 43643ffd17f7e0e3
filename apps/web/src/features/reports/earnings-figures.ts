import { plusMonths } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import type { Period } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { money } from '../../lib/format.ts';

export interface ChartMonth {
  /** `yyyy-MM` */
  month: string;
  net: number;
  /** Drawn in board: a month of the period, or the current one where all are of the period. */
  strong: boolean;
}

/** One month alone is no chart: fewer than this are shown with those before them. */
const MIN_MONTHS = 6;

const monthOf = (date: string): string => date.slice(0, 7);
const addMonths = (month: string, months: number): string =>
  monthOf(plusMonths(`${month}-01`, months));

/**
 * The months of a period in one currency, those without money too. A short period is shown at the end of the half year
 * before it, which the report of all time knows.
 */
export function chartMonths(
  report: EarningsReport,
  allTime: EarningsReport | undefined,
  currency: Currency,
  today: string,
): ChartMonth[] {
  const months = (allTime ?? report).months.filter((each) => each.currency === currency);
  const known = new Map(months.map(({ month, net }) => [month, net]));
  const first = months[0]?.month;
  if (first === undefined) return [];

  const current = monthOf(today);
  const end = minMonth(monthOf(report.to ?? today), current);
  const start = report.from === null ? first : monthOf(report.from);
  const wanted = minMonth(start, addMonths(end, 1 - MIN_MONTHS));
  // Before the first money of all there is nothing to show.
  const from = wanted < first ? first : wanted;

  const shown: ChartMonth[] = [];
  for (let month = from; month <= end; month = addMonths(month, 1)) {
    const strong = from < start ? month >= start : month === current;
    shown.push({ month, net: known.get(month) ?? 0, strong });
  }
  return shown;
}

const minMonth = (one: string, other: string): string => (one < other ? one : other);

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

/** '£120.00 more than the month before'; all time has nothing before it. */
export function formatComparison(total: Total, period: Period): string | null {
  if (total.before === null || period === 'all_time') return null;
  const difference = total.net - total.before;
  if (difference === 0) return `As much as ${previousPeriodLabels[period]}`;
  const amount = money(Math.abs(difference), total.currency, true);
  return `${amount} ${difference > 0 ? 'more' : 'less'} than ${previousPeriodLabels[period]}`;
}

/** 'Received £320.00, refunded £20.00', when something was given back. */
export function formatRefunds({ received, refunded, currency }: Total): string | null {
  if (refunded === 0) return null;
  return `Received ${money(received, currency, true)}, refunded ${money(refunded, currency, true)}`;
}
