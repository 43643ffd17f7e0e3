import { weekday as weekdayNumber } from '@lessonbook/contract/dates';
import { memoize } from '@lessonbook/contract/memoize';
import { type Currency, toMajor } from '@lessonbook/contract/money';

interface Amount {
  currency: Currency;
  minor: number;
}

/** One total per currency, largest first. */
export function totalsByCurrency(amounts: readonly Amount[]): Amount[] {
  const totals = new Map<Currency, number>();
  for (const { currency, minor } of amounts) {
    totals.set(currency, (totals.get(currency) ?? 0) + minor);
  }
  return [...totals]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((a, b) => b.minor - a.minor);
}

/** '£840', or '£840, €120' for two currencies. */
export const formatTotals = (amounts: readonly Amount[]): string =>
  totalsByCurrency(amounts)
    .map(({ currency, minor }) => formatAmount(minor, currency))
    .join(', ');

const listFormat = memoize(
  (locale: string) => new Intl.ListFormat(locale, { type: 'conjunction' }),
);

/** 'Maya, Noah and Leo' */
export const formatList = (names: readonly string[]): string => listFormat('en-GB').format(names);

/** Dates are `yyyy-MM-dd` strings, formatted in UTC so that no time zone can shift the day. */
function utcTime(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day);
}

/* Hard-coded: browsers write 'Sept', differ in commas, and are slow to load a locale. */
export const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const dayOf = (date: string): number => Number(date.slice(8));
const yearOf = (date: string): string => date.slice(0, 4);
const monthName = (date: string): string => MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
const shortMonth = (date: string): string => monthName(date).slice(0, 3);

/** 'Saturday' */
export const weekdayName = (date: string): string => WEEKDAYS[weekdayNumber(date) - 1] ?? '';

/** 'Sat' */
export const shortWeekdayName = (date: string): string => weekdayName(date).slice(0, 3);

/** 'Saturday 14 November 2026' */
export const formatLongDate = (date: string): string =>
  `${weekdayName(date)} ${dayOf(date)} ${monthName(date)} ${yearOf(date)}`;

/** Browsers still list the old spelling. */
export const formatTimeZone = (zone: string): string =>
  zone === 'Europe/Kiev' ? 'Europe/Kyiv' : zone;

/** '14 November' */
export const formatDayAndMonth = (date: string): string => `${dayOf(date)} ${monthName(date)}`;

/** 'Saturday 14 November' */
export const formatWeekdayAndDate = (date: string): string =>
  `${weekdayName(date)} ${dayOf(date)} ${monthName(date)}`;

/** 'November 2026' */
export const formatMonthYear = (date: string): string => `${monthName(date)} ${yearOf(date)}`;

/** 'Tue 17 Nov'; with the year if it is not the current one. */
export function formatShortDate(date: string, today: string): string {
  const day = `${shortWeekdayName(date)} ${dayOf(date)} ${shortMonth(date)}`;
  return yearOf(date) === yearOf(today) ? day : `${day} ${yearOf(date)}`;
}

/** '17 Nov'; with the year if it is not that of `today`. */
export const formatDayMonth = (date: string, today = date): string =>
  yearOf(date) === yearOf(today) ? `${dayOf(date)} ${shortMonth(date)}` : formatDateWithYear(date);

/** For running text: 'today', 'tomorrow', 'yesterday' or a short date. */
export function formatRelativeDate(date: string, today: string): string {
  const distance = (utcTime(date) - utcTime(today)) / 86_400_000;
  if (distance === 0) return 'today';
  if (distance === 1) return 'tomorrow';
  if (distance === -1) return 'yesterday';
  return formatShortDate(date, today);
}

/** '15 Dec 2026' */
export const formatDateWithYear = (date: string): string =>
  `${dayOf(date)} ${shortMonth(date)} ${yearOf(date)}`;

/** 'Nov 14, 2026', as the specification defines it for the lesson dialog. */
export const formatPickerDate = (date: string): string =>
  `${shortMonth(date)} ${dayOf(date)}, ${yearOf(date)}`;

/** Drops the seconds that the server may add. */
export const formatTime = (time: string): string => time.slice(0, 5);

/** A lesson that lasts until midnight is stored as ending at 23:59. */
export const formatEndTime = (time: string): string =>
  formatTime(time) === '23:59' ? '24:00' : formatTime(time);

/** '16:00–17:00' */
export const formatTimeRange = (start: string, end: string): string =>
  `${formatTime(start)}–${formatEndTime(end)}`;

/** '3 hrs 45 mins', '1 hr', '1,448 hrs' */
export function formatDuration(minutes: number): string {
  const remainder = minutes % 60;
  const rest = pluralize(remainder, 'min');
  if (minutes < 60) return rest;
  const whole = Math.floor(minutes / 60);
  const hours = `${whole.toLocaleString('en-GB')} ${whole === 1 ? 'hr' : 'hrs'}`;
  return remainder === 0 ? hours : `${hours} ${rest}`;
}

/** '£35', or '£35.50' if there are pence. For columns, see `createColumnAmountFormatter`. */
export function formatAmount(
  minor: number,
  currency: Currency,
  showPence = minor % 100 !== 0,
): string {
  return (showPence ? withPence : withoutPence)(currency).format(toMajor(minor));
}

const withPence = memoize((currency: Currency) => numberFormat(currency, 2));
const withoutPence = memoize((currency: Currency) => numberFormat(currency, 0));

const numberFormat = (currency: Currency, digits: number) =>
  new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    // '$', not 'US$', because only one dollar currency is supported.
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** '£', for the prefix of an amount field. */
export const currencySign = (currency: Currency): string =>
  formatAmount(0, currency, false).replace('0', '').trim();

/** For amounts in a column: all show pence if any of them does. */
export function createColumnAmountFormatter(
  amounts: readonly number[],
): (minor: number, currency: Currency) => string {
  const showPence = amounts.some((minor) => minor % 100 !== 0);
  return (minor, currency) => formatAmount(minor, currency, showPence);
}

/** '1 lesson', '2 lessons' */
export const pluralize = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';

/** 'AF' for Ada Fenwick; at most two letters. */
export const initials = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
