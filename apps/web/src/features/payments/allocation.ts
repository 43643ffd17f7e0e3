import type { Currency } from '@lessonbook/contract/money';
import type { OpenCharge } from '@lessonbook/contract/payments';

/** How much of a payment goes to each charge, and the remainder as credit. */
export interface Allocation {
  lines: { charge: OpenCharge; amount: number }[];
  credit: number;
}

interface PaymentAmount {
  /** In minor units. */
  amount: number;
  currency: Currency;
  /** Charges to cover first. */
  preselectedIds: readonly number[];
}

/**
 * Mirrors the server: preselected charges first, then the oldest; the remainder is credit. `charges` is sorted by due
 * date.
 */
export function allocate(
  charges: readonly OpenCharge[],
  { amount, currency, preselectedIds }: PaymentAmount,
): Allocation {
  const chargesInCurrency = charges.filter((charge) => charge.currency === currency);
  const isPreselected = (charge: OpenCharge) => preselectedIds.includes(charge.id);
  const ordered = [
    ...chargesInCurrency.filter(isPreselected),
    ...chargesInCurrency.filter((charge) => !isPreselected(charge)),
  ];

  let remaining = amount;
  const lines: Allocation['lines'] = [];
  for (const charge of ordered) {
    const allocated = Math.min(remaining, charge.outstanding);
    if (allocated <= 0) continue;
    lines.push({ charge, amount: allocated });
    remaining -= allocated;
  }
  return { lines, credit: Math.max(0, remaining) };
}

export const sumOutstanding = (charges: readonly { outstanding: number }[]): number =>
  charges.reduce((sum, { outstanding }) => sum + outstanding, 0);
