import type { SessionRow } from '@lessonbook/contract/sessions';
import { IconCheck } from '@tabler/icons-react';
import { money } from '../../lib/format.ts';
import classes from './PaymentState.module.css';

/** 'Paid', 'Unpaid' with what is open, or 'No charge'. */
export function PaymentState({ session }: { session: SessionRow }) {
  const { charged, outstanding, currency } = session;
  if (charged === null || charged === 0) return <span className={classes.none}>No charge</span>;
  if (outstanding) {
    return (
      <span className={classes.unpaid}>
        Unpaid <b>{money(outstanding, currency)}</b>
      </span>
    );
  }
  return (
    <span className={classes.paid}>
      <IconCheck size={15} stroke={2.4} />
      Paid
    </span>
  );
}
