import { toMinor } from '@lessonbook/contract/money';

/** An amount as people type it, also with a comma. Null when there is none, not a number when it is no amount. */
export function readAmount(text: string): number | null {
  const plain = plainNumber(text);
  return plain === '' ? null : Number(plain);
}

/** The same in minor units. A third decimal is a slip that must not be rounded away: no amount. */
export function readMinor(text: string): number | null {
  if (/\.\d{3}/.test(plainNumber(text))) return Number.NaN;
  const major = readAmount(text);
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
export const amountText = (amount: number | null): string => {
  if (amount === null) return '';
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
};
