import type { FamilyListItem } from '@lessonbook/contract/families';
import { describeBalances } from './describe-family-balances.ts';
import classes from './FamilyBalance.module.css';

interface Props {
  family: Pick<FamilyListItem, 'balances' | 'due' | 'claim'>;
  today: string;
}

/** The balance with its reason below, one per currency. */
export function FamilyBalance({ family, today }: Props) {
  const lines = describeBalances(family, today);
  if (lines.length === 0) return <span className={classes.nothing}>Nothing due</span>;
  return lines.map(({ currency, state, amount, reason }) => (
    <span key={currency} className={classes.balance} data-state={state}>
      <b>{amount}</b> {reason && <small>{reason}</small>}
    </span>
  ));
}
