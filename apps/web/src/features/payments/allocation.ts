import type { Currency } from '@lessonbook/contract/money';
import type { OpenCharge } from '@lessonbook/contract/payments';

/** What a payment would do: how much each charge gets of it, and what nothing needs yet. */
export interface Allocation {
  lines: { charge: OpenCharge; amount: number }[];
  credit: number;
}

interface PaymentAmount {
  /** Minor units. */
  amount: number;
  currency: Currency;
  /** The charges it is meant for. */
  named: readonly number[];
}

/** As the server does it: what is named first, then the oldest due, the rest is credit. Charges come oldest first. */
export function allocate(
  charges: readonly OpenCharge[],
  { amount, currency, named }: PaymentAmount,
): Allocation {
  const open = charges.filter((charge) => charge.currency === currency);
  const isNamed = (charge: OpenCharge) => named.includes(charge.id);
  const inTurn = [...open.filter(isNamed), ...open.filter((charge) => !isNamed(charge))];

  let left = amount;
  const lines: Allocation['lines'] = [];
  for (const charge of inTurn) {
    const part = Math.min(left, charge.outstanding);
    if (part <= 0) continue;
    lines.push({ charge, amount: part });
    left -= part;
  }
  return { lines, credit: Math.max(0, left) };
}

export const sumOutstanding = (charges: readonly { outstanding: number }[]): number =>
  charges.reduce((sum, { outstanding }) => sum + outstanding, 0);
