import { dayNumber } from '@lessonbook/contract/dates';
import type { DueAmounts, FamilyListItem } from '@lessonbook/contract/families';
import type { Balance } from '@lessonbook/contract/payments';
import {
  formatAmount,
  formatRelativeDate,
  formatShortDate,
  pluralize,
  totalsByCurrency,
} from '../../lib/format.ts';

type BalanceOfFamily = Pick<FamilyListItem, 'balances' | 'due' | 'claim'>;

export interface BalanceLine {
  currency: Balance['currency'];
  /** 'part-overdue' if some of the amount is not due yet. */
  state: 'overdue' | 'part-overdue' | 'due' | 'credit';
  /** '£83' or '£42 in credit' */
  amount: string;
  /** Why the amount is due: '12 days overdue', 'Due Mon 30 Nov', 'Part due Mon 30 Nov', 'Not invoiced yet'. */
  reason: string | null;
}

/** One line per currency, debts first. Empty if nothing is due. */
export function describeBalances(family: BalanceOfFamily, today: string): BalanceLine[] {
  const { balances, due, claim } = family;
  return balances
    .filter(({ owed, credit }) => owed > 0 || credit > 0)
    .toSorted((a, b) => b.owed - a.owed || b.credit - a.credit)
    .map(({ currency, owed, credit }) => {
      if (owed === 0) {
        const amount = `${formatAmount(credit, currency)} in credit`;
        return { currency, state: 'credit', amount, reason: null };
      }
      const amounts = due.find((entry) => entry.currency === currency);
      return {
        currency,
        state: stateOf(amounts?.overdue ?? 0, owed),
        amount: formatAmount(owed, currency),
        reason: claim
          ? `Transfer reported ${formatRelativeDate(claim.claimedOn, today)}`
          : formatReason(amounts, owed, today),
      };
    });
}

function stateOf(overdue: number, owed: number): BalanceLine['state'] {
  if (overdue === 0) return 'due';
  return overdue < owed ? 'part-overdue' : 'overdue';
}

function formatReason(amounts: DueAmounts | undefined, owed: number, today: string): string | null {
  if (!amounts) return null;
  const { overdue, overdueSince, dueOn, uninvoiced, withoutDueDate, currency } = amounts;
  if (overdue > 0 && overdueSince) {
    const days = pluralize(dayNumber(today) - dayNumber(overdueSince), 'day');
    return overdue === owed
      ? `${days} overdue`
      : `${formatAmount(overdue, currency)} overdue by ${days}`;
  }
  if (dueOn) {
    const day = dueOn === today ? 'today' : formatShortDate(dueOn, today);
    return `${withoutDueDate > 0 ? 'Part due' : 'Due'} ${day}`;
  }
  return uninvoiced > 0 ? 'Not invoiced yet' : 'On hold';
}

/** The total due and the overdue part of it across all families, by currency. */
export function totalDue(families: readonly FamilyListItem[]) {
  const owed = families.flatMap(({ balances }) =>
    balances.map((balance) => ({ currency: balance.currency, minor: balance.owed })),
  );
  const overdue = families.flatMap(({ due }) =>
    due.map((amounts) => ({ currency: amounts.currency, minor: amounts.overdue })),
  );
  const format = (amounts: typeof owed) =>
    totalsByCurrency(amounts)
      .filter(({ minor }) => minor > 0)
      .map(({ currency, minor }) => formatAmount(minor, currency));
  return { due: format(owed), overdue: format(overdue) };
}
