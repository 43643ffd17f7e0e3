import { addMonthsToDate } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport, LessonReport } from '@lessonbook/contract/reports';
import { formatMonthYear } from '../../lib/format.ts';

/** A month or a year in a chart. */
export interface ChartBar {
  /** `yyyy-MM` or `yyyy` */
  key: string;
  value: number;
  /** Booked lessons, stacked on top of the value. */
  booked: number;
  /** True for bars in the period or, if all bars are in the period, only for the current month or year. */
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

/** One bar per month from the first to the last, including months without a value, or one bar per year. */
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
