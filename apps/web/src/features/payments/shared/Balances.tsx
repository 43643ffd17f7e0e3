import type { Balance } from '@lessonbook/contract/payments';
import { formatAmount } from '../../../lib/format.ts';
import classes from './Balances.module.css';

interface Props {
  balances: readonly Balance[];
  /** The text shown if all balances are zero. */
  zeroLabel: string;
  /** Says 'Family owes £65' beside one child, so that each sibling does not seem to owe the whole amount. */
  isFamily?: boolean;
}

/** 'Owes £65' or '£5 in credit', one per currency. */
export function Balances({ balances, zeroLabel, isFamily = false }: Props) {
  const nonZero = nonZeroBalances(balances);
  if (nonZero.length === 0) return <span className={classes.settled}>{zeroLabel}</span>;
  return nonZero.map((balance) => (
    <span
      key={balance.currency}
      className={classes.balance}
      data-owes={balance.owed > 0 || undefined}
    >
      {formatBalance(balance, isFamily)}
    </span>
  ));
}

/** Debts before credits, largest first. */
const nonZeroBalances = (balances: readonly Balance[]): Balance[] =>
  balances
    .filter(({ owed, credit }) => owed > 0 || credit > 0)
    .toSorted((a, b) => b.owed - a.owed || b.credit - a.credit);

function formatBalance({ owed, credit, currency }: Balance, isFamily: boolean): string {
  if (owed > 0) return `${isFamily ? 'Family owes' : 'Owes'} ${formatAmount(owed, currency)}`;
  const inCredit = `${formatAmount(credit, currency)} in credit`;
  return isFamily ? `Family is ${inCredit}` : inCredit;
}

/** The same as plain text, for accessible names. */
export function formatBalances({ balances, zeroLabel, isFamily = false }: Props): string {
  const nonZero = nonZeroBalances(balances);
  return nonZero.map((balance) => formatBalance(balance, isFamily)).join(', ') || zeroLabel;
}
