import type { FamilyDetails } from '@lessonbook/contract/families';
import type { ReactNode } from 'react';
import { createColumnAmountFormatter, firstName } from '../../lib/format.ts';
import { describeBalances } from './describe-family-balances.ts';
import classes from './FamilyBalanceSummary.module.css';
import { RecordPaymentButton } from './RecordPaymentButton.tsx';

interface Props {
  family: FamilyDetails;
  today: string;
  reminderButton: ReactNode;
  invoiceButton: ReactNode;
}

/** The balance with each child's share, and buttons to record a payment, send a reminder or invoice the family. */
export function FamilyBalanceSummary({ family, today, reminderButton, invoiceButton }: Props) {
  const lines = describeBalances(family, today);
  const shares = formatShares(family);
  return (
    <section aria-label="Balance" className={classes.summary}>
      <p className={classes.label}>Balance</p>
      {lines.length === 0 && <p className={classes.figure}>Nothing due</p>}
      {lines.map(({ currency, state, amount, reason }) => (
        <div key={currency} data-state={state}>
          <p className={classes.figure}>{state === 'credit' ? amount : `${amount} due`}</p>
          {reason && <p className={classes.reason}>{reason}</p>}
        </div>
      ))}
      {shares && <p className={classes.shares}>{shares}</p>}
      <div className={classes.actions}>
        <RecordPaymentButton target={{ familyId: family.id }} />
        {family.balances.some(({ owed }) => owed > 0) && reminderButton}
        {invoiceButton}
      </div>
    </section>
  );
}

/** 'Maya £35, Leo £30', if there are several children. */
function formatShares({ children }: FamilyDetails): string | null {
  if (children.length < 2) return null;
  const format = createColumnAmountFormatter(
    children.flatMap(({ balances }) => balances.map(({ owed }) => owed)),
  );
  return (
    children
      .filter(({ balances }) => balances.some(({ owed }) => owed > 0))
      .map(({ name, balances }) =>
        [firstName(name), ...balances.map(({ owed, currency }) => format(owed, currency))].join(
          ' ',
        ),
      )
      .join(', ') || null
  );
}
