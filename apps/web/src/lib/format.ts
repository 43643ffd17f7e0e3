import { weekday as weekdayNumber } from '@lessonbook/contract/dates';
import { memoize } from '@lessonbook/contract/memoize';
import { type Currency, toMajor } from '@lessonbook/contract/money';

interface Amount {
  currency: Currency;
  minor: number;
}

/** One sum for each currency, the largest first. Currencies are never added. */
export function totalsByCurrency(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<Currency, number>();
  for (const { currency, minor } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0) + minor);
  }
  return [...sums]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((one, other) => other.minor - one.minor);
}

/** '£840', and '£840, €120' where there are two. */
export const formatTotals = (amounts: readonly Amount[]): string =>
  totalsByCurrency(amounts)
    .map(({ currency, minor }) => money(minor, currency))
    .join(', ');

const listFormat = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** 'Maya, Noah and Leo' */
export const formatList = (names: readonly string[]): string => listFormat.format(names);

/** Calendar dates are `yyyy-MM-dd` text; they are formatted in UTC, so that no zone can move a day. */
function utcTime(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day);
}

/* Names by hand: browsers write 'Sept', disagree about commas, and take long to begin with a language. */
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
export const weekday = (date: string): string => WEEKDAYS[weekdayNumber(date) - 1] ?? '';

/** 'Sat' */
export const shortWeekday = (date: string): string => weekday(date).slice(0, 3);

/** 'Saturday, 14 November 2026' */
export const longDate = (date: string): string =>
  `${weekday(date)}, ${dayOf(date)} ${monthName(date)} ${yearOf(date)}`;

/** 'November 14' */
export const monthDay = (date: string): string => `${monthName(date)} ${dayOf(date)}`;

/** 'November 2026' */
export const monthYear = (date: string): string => `${monthName(date)} ${yearOf(date)}`;

/** 'Tue 17 Nov'; the year only if it is another one. */
export function shortDate(date: string, today: string): string {
  const day = `${shortWeekday(date)} ${dayOf(date)} ${shortMonth(date)}`;
  return yearOf(date) === yearOf(today) ? day : `${day} ${yearOf(date)}`;
}

/** As in running text: 'today', 'tomorrow' and 'yesterday' say more than a date. */
export function relativeDate(date: string, today: string): string {
  const distance = (utcTime(date) - utcTime(today)) / 86_400_000;
  if (distance === 0) return 'today';
  if (distance === 1) return 'tomorrow';
  if (distance === -1) return 'yesterday';
  return shortDate(date, today);
}

/** '15 Dec 2026' */
export const plainDate = (date: string): string =>
  `${dayOf(date)} ${shortMonth(date)} ${yearOf(date)}`;

/** 'Nov 14, 2026', as pickers show it. */
export const pickerDate = (date: string): string =>
  `${shortMonth(date)} ${dayOf(date)}, ${yearOf(date)}`;

/** The first five characters, whatever the server adds behind. */
export const formatTime = (time: string): string => time.slice(0, 5);

/** '16:00–17:00' */
export const timeRange = (start: string, end: string): string =>
  `${formatTime(start)}–${formatTime(end)}`;

/** '4:00 PM' */
export function formatTime12(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}:${time.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** '3 h 45 min' */
export function formatDuration(minutes: number): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (whole === 0) return `${rest} min`;
  return rest === 0 ? `${whole} h` : `${whole} h ${rest} min`;
}

/** '£35', and '£35.50' when there are pence: an amount by itself. In columns see `moneyColumn`. */
export function money(minor: number, currency: Currency, pence = minor % 100 !== 0): string {
  return (pence ? withPence : withoutPence)(currency).format(toMajor(minor));
}

const withPence = memoize((currency: Currency) => numberFormat(currency, 2));
const withoutPence = memoize((currency: Currency) => numberFormat(currency, 0));

const numberFormat = (currency: Currency, digits: number) =>
  new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    // '$' and not 'US$': there is only one dollar here.
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** '£', as it stands before a field for an amount. */
export const currencySign = (currency: Currency): string =>
  money(0, currency, false).replace('0', '').trim();

/** Amounts below each other: pence in all of them when any has some. */
export function moneyColumn(amounts: readonly number[]): (minor: number, of: Currency) => string {
  const pence = amounts.some((minor) => minor % 100 !== 0);
  return (minor, currency) => money(minor, currency, pence);
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

/** A title is 'Maya Okafor - Maths' unless the tutor wrote another: who comes first, what after. */
export function splitLessonTitle(title: string): { head: string; rest: string } {
  const cut = title.indexOf(' - ');
  return cut < 1
    ? { head: title, rest: '' }
    : { head: title.slice(0, cut), rest: title.slice(cut + 3) };
}
