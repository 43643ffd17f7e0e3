import { plusDays } from './dates.ts';

/** The report periods in display order; the first four come from the specification. */
export const PERIODS = [
  'last_month',
  'last_quarter',
  'year_to_date',
  'all_time',
  'this_month',
  'this_tax_year',
  'last_tax_year',
] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_LABELS: Record<Period, string> = {
  last_month: 'Last Month',
  last_quarter: 'Last Quarter',
  year_to_date: 'Year to Date',
  all_time: 'All Time',
  this_month: 'This Month',
  this_tax_year: 'This tax year',
  last_tax_year: 'Last tax year',
};

/** Inclusive dates in the tutor's time zone; both null for all time. */
export interface DateRange {
  from: string | null;
  to: string | null;
}

const monthStart = (year: number, month: number): string => {
  // A `month` below 1 or above 12 falls into another year.
  const index = year * 12 + (month - 1);
  const text = String(Math.floor(index / 12)).padStart(4, '0');
  return `${text}-${String((index % 12) + 1).padStart(2, '0')}-01`;
};

const months = (year: number, month: number, count: number): DateRange => ({
  from: monthStart(year, month),
  to: plusDays(monthStart(year, month + count), -1),
});

/** The UK tax year runs from 6 April to 5 April. */
const taxYear = (startYear: number): DateRange => ({
  from: `${startYear}-04-06`,
  to: `${startYear + 1}-04-05`,
});

interface DayParts {
  today: string;
  year: number;
  month: number;
  quarterStart: number;
  taxStart: number;
}

function toDayParts(today: string): DayParts {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  const quarterStart = Math.floor((month - 1) / 3) * 3 + 1;
  const taxStart = today >= `${year}-04-06` ? year : year - 1;
  return { today, year, month, quarterStart, taxStart };
}

const ALL: DateRange = { from: null, to: null };

/** The range of each period, and the range it is compared with. */
const RANGES: Record<
  Period,
  { now: (day: DayParts) => DateRange; before: (day: DayParts) => DateRange | null }
> = {
  last_month: {
    now: ({ year, month }) => months(year, month - 1, 1),
    before: ({ year, month }) => months(year, month - 2, 1),
  },
  last_quarter: {
    now: ({ year, quarterStart }) => months(year, quarterStart - 3, 3),
    before: ({ year, quarterStart }) => months(year, quarterStart - 6, 3),
  },
  year_to_date: {
    now: ({ year, today }) => ({ from: `${year}-01-01`, to: today }),
    before: ({ year, today }) => ({ from: `${year - 1}-01-01`, to: yearBefore(today) }),
  },
  all_time: { now: () => ALL, before: () => null },
  this_month: {
    now: ({ year, month }) => months(year, month, 1),
    before: ({ year, month }) => months(year, month - 1, 1),
  },
  this_tax_year: {
    now: ({ taxStart }) => taxYear(taxStart),
    before: ({ taxStart }) => taxYear(taxStart - 1),
  },
  last_tax_year: {
    now: ({ taxStart }) => taxYear(taxStart - 1),
    before: ({ taxStart }) => taxYear(taxStart - 2),
  },
};

/** 29 February becomes 28 February. */
const yearBefore = (date: string): string =>
  `${Number(date.slice(0, 4)) - 1}${date.endsWith('-02-29') ? '-02-28' : date.slice(4)}`;

export const periodRange = (period: Period, today: string): DateRange =>
  RANGES[period].now(toDayParts(today));

export const previousPeriodRange = (period: Period, today: string): DateRange | null =>
  RANGES[period].before(toDayParts(today));
