import { isDate } from '@lessonbook/contract/dates';

const pad = (digits: string): string => digits.padStart(2, '0');

/** Parses '2026-11-17' or '17/11/2026'. Returns null for anything else. */
export function parseDate(text: string): string | null {
  const dayFirst = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  const [, day = '', month = '', year = ''] = dayFirst ?? [];
  const date = dayFirst ? `${year}-${pad(month)}-${pad(day)}` : text;
  return isDate(date) ? date : null;
}

/** Parses '16:00', '9:30' or '4:15 pm'. Returns null for anything else. */
export function parseTime(text: string): string | null {
  const match = /^(\d{1,2})[:.](\d{2})(?::00)?\s*(am|pm)?$/i.exec(text);
  if (!match) return null;
  const [, hours = '', minutes = '', meridiem = ''] = match;
  const is12Hour = meridiem !== '';
  const hour = Number(hours);
  if (Number(minutes) > 59 || hour > (is12Hour ? 12 : 23) || (is12Hour && hour === 0)) return null;
  const offset = meridiem.toLowerCase() === 'pm' ? 12 : 0;
  return `${pad(String(is12Hour ? (hour % 12) + offset : hour))}:${minutes}`;
}

/** For comparing names: removes differences in case and spacing. */
export const normalizeName = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Parses '35', '£35.50' or '35,50'. Returns null for a free lesson and undefined for anything else. */
export function parseFee(text: string): number | null | undefined {
  const plain = text.replaceAll(/[£€$₹\s]/g, '').replace(',', '.');
  if (/^(0+(\.0+)?|free)$/i.test(plain)) return null;
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined;
}
