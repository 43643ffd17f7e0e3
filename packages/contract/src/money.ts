/** Money is an integer of minor units with a currency; only screens and the spec's `fee` fields use major units. */

export const CURRENCIES = ['GBP', 'USD', 'EUR', 'INR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** 3050 → 30.5 */
export const toMajor = (minor: number): number => minor / 100;

/** 19.99 → 1999, without floating-point error. */
export const toMinor = (major: number): number => Math.round(major * 100);

/** The defaults en-US and USD are required by the specification; no screen uses them. */
export function formatMoney(minor: number, currency: Currency = 'USD', locale = 'en-US'): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(toMajor(minor));
}
