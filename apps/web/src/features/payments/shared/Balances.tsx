import type { Balance } from '@lessonbook/contract/payments';
import { money } from '../../../lib/format.ts';
import classes from './Balances.module.css';

interface Props {
  balances: readonly Balance[];
  /** The text shown if all balances are zero. */
  settled: string;
}

/** 'Owes £65' or 'In credit £5', one per currency. */
export function Balances({ balances, settled }: Props) {
  const open = openBalances(balances);
  if (open.length === 0) return <span className={classes.settled}>{settled}</span>;
  return open.map((balance) => (
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
const openBalances = (balances: readonly Balance[]): Balance[] =>
  balances
    .filter(({ owed, credit }) => owed > 0 || credit > 0)
    .toSorted((a, b) => b.owed - a.owed || b.credit - a.credit);

const formatBalance = ({ owed, credit, currency }: Balance): string =>
  owed > 0 ? `Owes ${money(owed, currency)}` : `In credit ${money(credit, currency)}`;

/** The same as plain text, for accessible names. */
export function formatBalances(balances: readonly Balance[], settled: string): string {
  const open = openBalances(balances);
  return open.length === 0 ? settled : open.map(formatBalance).join(', ');
}
