import type { Balance } from '@lessonbook/contract/payments';
import { money } from '../../../lib/format.ts';
import classes from './Balances.module.css';

interface Props {
  balances: readonly Balance[];
  /** What stands there when nothing is open either way. */
  settled: string;
}

/** 'Owes £65' in pen, 'In credit £5' in ok: one for each currency, and never a minus. */
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

/** What is owed before what is paid ahead, the largest first. */
const openBalances = (balances: readonly Balance[]): Balance[] =>
  balances
    .filter(({ owed, credit }) => owed > 0 || credit > 0)
    .toSorted((one, other) => other.owed - one.owed || other.credit - one.credit);

const formatBalance = ({ owed, credit, currency }: Balance): string =>
  owed > 0 ? `Owes ${money(owed, currency)}` : `In credit ${money(credit, currency)}`;

/** The same for whoever hears it. */
export function formatBalances(balances: readonly Balance[], settled: string): string {
  const open = openBalances(balances);
  return open.length === 0 ? settled : open.map(formatBalance).join(', ');
}
