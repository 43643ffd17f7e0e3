import type { Currency } from '@lessonbook/contract/money';
import type { Balance } from '@lessonbook/contract/payments';

interface BalanceSums {
  currency: string;
  owed: number;
  credit: number;
}

/** Allocation leaves either credit or debt, so at least one of the two is zero. */
export const toBalance = ({ currency, owed, credit }: BalanceSums): Balance => ({
  currency: currency as Currency,
  owed,
  credit,
});

export const balanceInCurrency = (balances: readonly BalanceSums[], currency: string): Balance =>
  toBalance(
    balances.find((balance) => balance.currency === currency) ?? { currency, owed: 0, credit: 0 },
  );

/** The suggested currency for the next payment: that of the largest debt, the last payment or the latest lesson. */
export function suggestCurrency(
  balances: readonly BalanceSums[],
  lastPayment: { currency: string } | undefined,
  latestLesson: { currency: string } | undefined,
): Currency {
  const largestDebt = balances
    .filter((balance) => balance.owed > 0)
    .toSorted((a, b) => b.owed - a.owed)[0];
  return (largestDebt?.currency ??
    lastPayment?.currency ??
    latestLesson?.currency ??
    'GBP') as Currency;
}
