/** Money is an integer of minor units with a currency; only screens and the spec's `fee` fields see major units. */

export const CURRENCIES = ['GBP', 'USD', 'EUR', 'INR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Minor units to the number a form or a card shows: 3050 → 30.5. */
export const toMajor = (minor: number): number => minor / 100;

/** The number from a form to minor units, without the drift of binary fractions: 19.99 → 1999. */
export const toMinor = (major: number): number => Math.round(major * 100);

/** An amount in its own currency. The en-US and USD defaults are the specification's; no screen relies on them. */
export function formatMoney(minor: number, currency: Currency = 'USD', locale = 'en-US'): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(toMajor(minor));
}
