import { isDate } from '@lessonbook/contract/dates';
import { parseTypedAmount, type TypedAmount } from '@lessonbook/contract/parse-amount';
import { parseTypedDate } from '@lessonbook/contract/parse-date';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';

const pad = (digits: string): string => digits.padStart(2, '0');

export type DateOrder = 'day-first' | 'month-first';

const NUMERIC_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
const WEEKDAY = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+/i;

/** Parses '2026-11-17', '17/11/2026', '17.11.26' or 'Tue 17 Nov 2026'. Returns null for anything else. */
export function parseDate(text: string, order: DateOrder = 'day-first'): string | null {
  const plain = text.trim().replace(WEEKDAY, '');
  if (isDate(plain)) return plain;
  const [, first = '', second = '', year = ''] = NUMERIC_DATE.exec(plain) ?? [];
  if (year !== '') {
    const [day, month] = order === 'day-first' ? [first, second] : [second, first];
    const date = `${year.padStart(4, '20')}-${pad(month)}-${pad(day)}`;
    return isDate(date) ? date : null;
  }
  // A year is needed: without one, the date would depend on when the file is imported.
  return /\b20\d{2}$/.test(plain) ? parseTypedDate(plain, plain) : null;
}

/** Returns 'month-first' only if every numeric date is valid month first and at least one is not valid day first. */
export function detectDateOrder(texts: readonly string[]): DateOrder {
  const numeric = texts.map((text) => text.trim()).filter((text) => NUMERIC_DATE.test(text));
  const areAllValid = (order: DateOrder) =>
    numeric.every((text) => parseDate(text, order) !== null);
  return !areAllValid('day-first') && areAllValid('month-first') ? 'month-first' : 'day-first';
}

/** Splits '17/11/2026 16:00' and '2026-11-17T16:00:00'. The time is empty if there is none. */
export function splitDateAndTime(text: string): { date: string; time: string } {
  const match = /^(.*?\d{2,4})(?:T|,?\s+)(\d{1,2}[:.]\d{2}.*|\d{1,2}\s*[ap]\.?m\.?)$/i.exec(
    text.trim(),
  );
  return match ? { date: match[1] ?? '', time: match[2] ?? '' } : { date: text.trim(), time: '' };
}

/** Parses '16:00', '9:30', '4pm', '4:15 pm', '1600' or 'noon'. Returns null for anything else. */
export function parseTime(text: string): string | null {
  if (/^(12\s*)?(noon|midday)$/i.test(text.trim())) return '12:00';
  const match =
    /^(\d{1,2})[:.](\d{2})(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text.trim()) ??
    /^(\d{1,2})()\s*([ap])\.?m\.?$/i.exec(text.trim()) ??
    /^([01]\d|2[0-3])([0-5]\d)()$/.exec(text.trim());
  if (!match) return null;
  const [, hours = '', minutes = '', meridiem = ''] = match;
  const is12Hour = meridiem !== '';
  const hour = Number(hours);
  if (Number(minutes) > 59 || hour > (is12Hour ? 12 : 23) || (is12Hour && hour === 0)) return null;
  const offset = meridiem.toLowerCase() === 'p' ? 12 : 0;
  return `${pad(String(is12Hour ? (hour % 12) + offset : hour))}:${minutes || '00'}`;
}

/** Parses '60', '45 min', '1h', '1.5 hours' or '1:30' to minutes. Returns null for anything else. */
export function parseDuration(text: string): number | null {
  const plain = text.trim().toLowerCase();
  const clock = /^(\d{1,2}):(\d{2})(?::00)?$/.exec(plain);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const hours = /^(\d{1,2}(?:[.,]\d{1,2})?)\s*h(?:ours?|rs?)?\s*(?:(\d{1,2})\s*m?(?:ins?)?)?$/.exec(
    plain,
  );
  if (hours)
    return Math.round(Number((hours[1] ?? '').replace(',', '.')) * 60) + Number(hours[2] ?? 0);
  const minutes = /^(\d{1,3})\s*(?:m|mins?|minutes?)?$/.exec(plain);
  return minutes && Number(minutes[1]) > 0 ? Number(minutes[1]) : null;
}

/** Null for a lesson on one date, undefined for anything that is not understood. */
export function parseRepeats(text: string): RecurrencePattern | null | undefined {
  const plain = text.trim().toLowerCase();
  if (/^(|no|none|never|once|one-off|single|does not repeat|false)$/.test(plain)) return null;
  if (/^(weekly|every week|week|1 week|yes|true)$/.test(plain)) return 'weekly';
  if (/^(fortnightly|fortnight|bi-?weekly|every (two|2|other|second) weeks?|2 weeks)$/.test(plain))
    return 'biweekly';
  return /^(monthly|every month|month)$/.test(plain) ? 'monthly' : undefined;
}

/** For comparing names: removes differences in case and spacing. */
export const normalizeName = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Parses '70', '£70.50' or '-12' (in credit). Returns null for empty text, and undefined for anything else. */
export function parseOpeningBalance(text: string): TypedAmount | null | undefined {
  const [, sign = '', plain = ''] = /^([-−–]?)\s*(.*)$/.exec(text.trim()) ?? [];
  if (plain === '') return sign === '' ? null : undefined;
  const amount = parseTypedAmount(plain);
  if (!amount) return undefined;
  if (amount.minor === 0) return null;
  return sign === '' ? amount : { ...amount, minor: -amount.minor };
}

/** Parses '35', '£35.50', '1,250.00' or '35,50'. Returns null for a free lesson and undefined for anything else. */
export function parseFee(text: string): number | null | undefined {
  const plain = text
    .replaceAll(/[£€$₹\s]|gbp|eur|usd/gi, '')
    .replace(/,(?=\d{3}(\D|$))/, '')
    .replace(',', '.');
  if (/^(0+(\.0+)?|free)$/i.test(plain)) return null;
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined;
}
