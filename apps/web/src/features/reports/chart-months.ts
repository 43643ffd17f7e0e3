import { plusMonths } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport } from '@lessonbook/contract/reports';

export interface ChartMonth {
  /** `yyyy-MM` */
  month: string;
  net: number;
  /** Drawn in board: a month of the period, or the current one where all are of the period. */
  strong: boolean;
}

/** One month alone is no chart: fewer than this are shown with those before them. */
const FEWEST = 6;

const monthOf = (date: string): string => date.slice(0, 7);
const stepFrom = (month: string, months: number): string =>
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
  const end = earlier(monthOf(report.to ?? today), current);
  const start = report.from === null ? first : monthOf(report.from);
  const wanted = earlier(start, stepFrom(end, 1 - FEWEST));
  // Before the first money of all there is nothing to show.
  const from = wanted < first ? first : wanted;

  const shown: ChartMonth[] = [];
  for (let month = from; month <= end; month = stepFrom(month, 1)) {
    const strong = from < start ? month >= start : month === current;
    shown.push({ month, net: known.get(month) ?? 0, strong });
  }
  return shown;
}

const earlier = (one: string, other: string): string => (one < other ? one : other);
