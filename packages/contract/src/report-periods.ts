import { addDaysToDate, dayNumber } from './dates.ts';

/** The report periods in display order; the first four come from the specification. */
export const PERIODS = [
  'last_month',
  'last_quarter',
  'year_to_date',
  'all_time',
  'this_month',
  'next_month',
  'this_tax_year',
  'last_tax_year',
  'custom',
] as const;
export type Period = (typeof PERIODS)[number];
export type PresetPeriod = Exclude<Period, 'custom'>;

export const PERIOD_LABELS: Record<Period, string> = {
  last_month: 'Last Month',
  last_quarter: 'Last Quarter',
  year_to_date: 'Year to Date',
  all_time: 'All Time',
  this_month: 'This month',
  next_month: 'Next month',
  this_tax_year: 'This tax year',
  last_tax_year: 'Last tax year',
  custom: 'Custom dates',
};

/** Inclusive dates in the tutor's time zone; both null for all time. */
export interface DateRange {
  from: string | null;
  to: string | null;
}

const monthStart = (year: number, month: number): string => {
  // A `month` below 1 or above 12 rolls over into another year.
  const index = year * 12 + (month - 1);
  const yearText = String(Math.floor(index / 12)).padStart(4, '0');
  return `${yearText}-${String((index % 12) + 1).padStart(2, '0')}-01`;
};

const monthsRange = (year: number, month: number, count: number): DateRange => ({
  from: monthStart(year, month),
  to: addDaysToDate(monthStart(year, month + count), -1),
});

/** The UK tax year runs from 6 April to 5 April. */
const taxYearRange = (startYear: number): DateRange => ({
  from: `${startYear}-04-06`,
  to: `${startYear + 1}-04-05`,
});

interface DateParts {
  today: string;
  year: number;
  month: number;
  quarterStartMonth: number;
  taxYearStart: number;
}

function toDateParts(today: string): DateParts {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  const quarterStart = Math.floor((month - 1) / 3) * 3 + 1;
  const taxStart = today >= `${year}-04-06` ? year : year - 1;
  return { today, year, month, quarterStartMonth: quarterStart, taxYearStart: taxStart };
}

const ALL_TIME: DateRange = { from: null, to: null };

/** The range of each period, and the range it is compared with. */
const RANGES: Record<
  PresetPeriod,
  { current: (day: DateParts) => DateRange; previous: (day: DateParts) => DateRange | null }
> = {
  last_month: {
    current: ({ year, month }) => monthsRange(year, month - 1, 1),
    previous: ({ year, month }) => monthsRange(year, month - 2, 1),
  },
  last_quarter: {
    current: ({ year, quarterStartMonth }) => monthsRange(year, quarterStartMonth - 3, 3),
    previous: ({ year, quarterStartMonth }) => monthsRange(year, quarterStartMonth - 6, 3),
  },
  year_to_date: {
    current: ({ year, today }) => ({ from: `${year}-01-01`, to: today }),
    previous: ({ year, today }) => ({ from: `${year - 1}-01-01`, to: oneYearEarlier(today) }),
  },
  all_time: { current: () => ALL_TIME, previous: () => null },
  this_month: {
    current: ({ year, month }) => monthsRange(year, month, 1),
    previous: ({ year, month }) => monthsRange(year, month - 1, 1),
  },
  next_month: {
    current: ({ year, month }) => monthsRange(year, month + 1, 1),
    previous: ({ year, month }) => monthsRange(year, month, 1),
  },
  this_tax_year: {
    current: ({ taxYearStart }) => taxYearRange(taxYearStart),
    previous: ({ taxYearStart }) => taxYearRange(taxYearStart - 1),
  },
  last_tax_year: {
    current: ({ taxYearStart }) => taxYearRange(taxYearStart - 1),
    previous: ({ taxYearStart }) => taxYearRange(taxYearStart - 2),
  },
};

/** 29 February becomes 28 February. */
const oneYearEarlier = (date: string): string =>
  `${Number(date.slice(0, 4)) - 1}${date.endsWith('-02-29') ? '-02-28' : date.slice(4)}`;

export const periodRange = (period: PresetPeriod, today: string): DateRange =>
  RANGES[period].current(toDateParts(today));

export const previousPeriodRange = (period: PresetPeriod, today: string): DateRange | null =>
  RANGES[period].previous(toDateParts(today));

/** The dates belong to `custom` and are ignored otherwise. */
export interface ChosenPeriod {
  period: Period;
  from?: string | undefined;
  to?: string | undefined;
}

export const chosenRange = ({ period, from, to }: ChosenPeriod, today: string): DateRange =>
  period === 'custom' ? { from: from ?? null, to: to ?? null } : periodRange(period, today);

const MAX_COMPARED_DAYS = 3660;

/** The range that a period is compared with; for custom dates, the same number of days before them, up to ten years. */
export function previousChosenRange(chosen: ChosenPeriod, today: string): DateRange | null {
  const { period, from, to } = chosen;
  if (period !== 'custom') return previousPeriodRange(period, today);
  if (from === undefined || to === undefined) return null;
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days > MAX_COMPARED_DAYS) return null;
  return { from: addDaysToDate(from, -days), to: addDaysToDate(from, -1) };
}
