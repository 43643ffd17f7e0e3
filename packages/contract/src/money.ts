/**
 * Amounts are integers in minor units, with a currency; only screens, a lesson's `fee` and a subject's `defaultFee` use
 * major units, because the specification defines those two fields.
 */

import { memoize } from './memoize.ts';

export const CURRENCIES = ['GBP', 'USD', 'EUR', 'INR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** 3050 → 30.5 */
export const toMajor = (minor: number): number => minor / 100;

/** 19.99 → 1999, without floating-point errors. */
export const toMinor = (major: number): number => Math.round(major * 100);

/** Whether an amount in major units has at most two decimals: 19.99, but not 1.005, which `toMinor` would round. */
export const hasWholeMinorUnits = (major: number): boolean =>
  Math.abs(major * 100 - toMinor(major)) < 1e-6;

/** Creating a formatter takes about 50 µs, and a list formats thousands of amounts. */
const moneyFormatFor = memoize((key) => {
  const [locale, currency] = key.split(' ');
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency as string,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
});

/** The specification requires the defaults en-US and USD; no screen uses them. */
export const formatMoney = (minor: number, currency: Currency = 'USD', locale = 'en-US'): string =>
  moneyFormatFor(`${locale} ${currency}`).format(toMajor(minor));
