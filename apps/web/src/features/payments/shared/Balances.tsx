import type { Balance } from '@lessonbook/contract/payments';
import { formatAmount } from '../../../lib/format.ts';
import classes from './Balances.module.css';

interface Props {
  balances: readonly Balance[];
  /** The text shown if all balances are zero. */
  zeroLabel: string;
}

/** 'Owes £65' or '£5 in credit', one per currency. */
export function Balances({ balances, zeroLabel }: Props) {
  const nonZero = nonZeroBalances(balances);
  if (nonZero.length === 0) return <span className={classes.settled}>{zeroLabel}</span>;
  return nonZero.map((balance) => (
    <span
      key={balance.currency}
      className={classes.balance}
      data-owes={balance.owed > 0 || undefined}
    >
      {formatBalance(balance)}
    </span>
  ));
}

/** Debts before credits, largest first. */
const nonZeroBalances = (balances: readonly Balance[]): Balance[] =>
  balances
    .filter(({ owed, credit }) => owed > 0 || credit > 0)
    .toSorted((a, b) => b.owed - a.owed || b.credit - a.credit);

const formatBalance = ({ owed, credit, currency }: Balance): string =>
  owed > 0 ? `Owes ${formatAmount(owed, currency)}` : `${formatAmount(credit, currency)} in credit`;

/** The same as plain text, for accessible names. */
export function formatBalances(balances: readonly Balance[], zeroLabel: string): string {
  const nonZero = nonZeroBalances(balances);
  return nonZero.length === 0 ? zeroLabel : nonZero.map(formatBalance).join(', ');
}
