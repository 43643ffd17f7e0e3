import { toMinor } from '@lessonbook/contract/money';

/** 'HH:mm' from common formats: '9', '930', '16.30', '4:30 pm'. '24:00' is the last minute. Null if it is not a time. */
export function parseTime(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*h?\s*([ap])?\.?m?\.?$/i.exec(text.trim());
  if (!match) return null;
  const meridiem = match[3]?.toLowerCase();
  const hour = meridiem ? to24Hour(Number(match[1]), meridiem === 'p') : Number(match[1]);
  const minute = Number(match[2] ?? 0);
  if (hour === 24 && minute === 0) return '23:59';
  if (hour === null || hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function to24Hour(hour: number, isPm: boolean): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (isPm ? 12 : 0);
}

const LAST_MINUTE = 23 * 60 + 59;

/** Adds minutes to a time, up to 23:59. */
export function addMinutesToTime(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const total = Math.min(hour * 60 + minute + minutes, LAST_MINUTE);
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}

/** Parses an amount, which may have a decimal comma. Null if empty, NaN if it is not an amount. */
export function parseAmount(text: string): number | null {
  const plain = normalizeNumber(text);
  return plain === '' ? null : Number(plain);
}

/** As `parseAmount`, but in minor units. NaN for a third decimal, which is probably a typo and must not be rounded away. */
export function parseMinorUnits(text: string): number | null {
  if (/\.\d{3}/.test(normalizeNumber(text))) return Number.NaN;
  const major = parseAmount(text);
  return major === null ? null : toMinor(major);
}

/* '1,250' has a thousands separator, not three decimals. */
const THOUSANDS_SEPARATOR = /(?<=\d),(?=\d{3}(?!\d))/g;

const normalizeNumber = (text: string): string =>
  text
    .replace(/[\s£$€₹]/g, '')
    .replace(THOUSANDS_SEPARATOR, '')
    .replace(',', '.');

/** The value of an amount field: '30', or '32.50' if there are pence. */
export const formatAmountInput = (amount: number | null): string => {
  if (amount === null) return '';
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
};
