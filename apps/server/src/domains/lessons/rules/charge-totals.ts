import type { Currency } from '@lessonbook/contract/money';

interface ChargedRow {
  currency: Currency;
  charged: number | null;
  outstanding: number | null;
}

/** Charged and outstanding amounts, with one entry per currency. */
export function totalsByCurrency(
  rows: readonly ChargedRow[],
): { currency: Currency; charged: number; outstanding: number }[] {
  const totals = new Map<Currency, { charged: number; outstanding: number }>();
  for (const { currency, charged, outstanding } of rows) {
    if (charged === null) continue;
    const total = totals.get(currency) ?? { charged: 0, outstanding: 0 };
    total.charged += charged;
    total.outstanding += outstanding ?? 0;
    totals.set(currency, total);
  }
  return [...totals].map(([currency, total]) => ({ currency, ...total }));
}
