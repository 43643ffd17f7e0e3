import type { Currency } from '@lessonbook/contract/money';
import { money } from './format.ts';

interface Amount {
  currency: Currency;
  minor: number;
}

/** One sum for each currency, the largest first. Currencies are never added. */
export function sumsOf(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<Currency, number>();
  for (const { currency, minor } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0) + minor);
  }
  return [...sums]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((one, other) => other.minor - one.minor);
}

/** '£840', and '£840, €120' where there are two. */
export const sumsText = (amounts: readonly Amount[]): string =>
  sumsOf(amounts)
    .map(({ currency, minor }) => money(minor, currency))
    .join(', ');
