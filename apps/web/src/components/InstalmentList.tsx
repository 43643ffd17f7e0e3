import type { Instalment, InstalmentPlan } from '@lessonbook/contract/instalments';
import { formatAmount } from '../lib/format.ts';
import classes from './InstalmentList.module.css';

interface Props {
  plan: InstalmentPlan;
  formatDate: (date: string) => string;
}

/** The dates and amounts of a plan, with what has been paid and what is due. */
export const InstalmentList = ({ plan: { currency, instalments }, formatDate }: Props) => (
  <ul className={classes.list}>
    {instalments.map((instalment) => (
      <li key={instalment.dueOn} data-paid={instalment.outstanding === 0 || undefined}>
        <span>{formatDate(instalment.dueOn)}</span>
        <small>{describeState(instalment, (minor) => formatAmount(minor, currency, true))}</small>
        <b>{formatAmount(instalment.amount, currency, true)}</b>
      </li>
    ))}
  </ul>
);

function describeState(
  { amount, outstanding, isDue }: Instalment,
  format: (minor: number) => string,
): string {
  if (outstanding === 0) return 'Paid';
  const leftText = outstanding < amount ? `${format(outstanding)} left` : '';
  return [isDue && 'Due now', leftText].filter(Boolean).join(', ');
}
