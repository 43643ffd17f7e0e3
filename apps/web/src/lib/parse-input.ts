import { toMinor } from '@lessonbook/contract/money';

/** 'HH:MM' from what people type: '9', '930', '16.30', '4:30 pm'. Null when it is no time. */
export function parseTime(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*h?\s*([ap])?\.?m?\.?$/i.exec(text.trim());
  if (!match) return null;
  const half = match[3]?.toLowerCase();
  const hour = half ? halfDayHour(Number(match[1]), half === 'p') : Number(match[1]);
  const minute = Number(match[2] ?? 0);
  if (hour === null || hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function halfDayHour(hour: number, afternoon: boolean): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (afternoon ? 12 : 0);
}

const LAST_MINUTE = 23 * 60 + 59;

/** The time some minutes later; the day ends at 23:59. */
export function plusMinutes(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const total = Math.min(hour * 60 + minute + minutes, LAST_MINUTE);
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}

/** An amount as people type it, also with a comma. Null when there is none, not a number when it is no amount. */
export function parseAmount(text: string): number | null {
  const plain = plainNumber(text);
  return plain === '' ? null : Number(plain);
}

/** The same in minor units. A third decimal is a slip that must not be rounded away: no amount. */
export function parseMinor(text: string): number | null {
  if (/\.\d{3}/.test(plainNumber(text))) return Number.NaN;
  const major = parseAmount(text);
  return major === null ? null : toMinor(major);
}

/* '1,250' is a large amount and no small one with three decimals. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;

const plainNumber = (text: string): string =>
  text
    .replace(/[\s£$€₹]/g, '')
    .replace(THOUSANDS, '')
    .replace(',', '.');

/** '30', and '32.50' when there are pence: as it stands in a field. */
export const formatAmountInput = (amount: number | null): string => {
  if (amount === null) return '';
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
};
