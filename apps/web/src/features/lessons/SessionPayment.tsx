import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import type { Session, SessionRow } from '@lessonbook/contract/sessions';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import { paymentQuery } from '../payments/api.ts';
import classes from './SessionPayment.module.css';

/** 'Paid', 'Unpaid £28', 'Part paid, £21 left', 'Written off', 'Not due yet' or 'No charge'. */
export function PaymentStatus({ session }: { session: SessionRow }) {
  const { status, fee, charged, outstanding, currency } = session;
  if (status === 'scheduled' && fee !== null && charged === null)
    return <span className={classes.none}>Not due yet</span>;
  if (charged === null) return <span className={classes.none}>No charge</span>;
  if (charged === 0) return <span className={classes.none}>Written off</span>;
  if (outstanding) {
    const amount = <b>{formatAmount(outstanding, currency)}</b>;
    return (
      <span className={classes.unpaid}>
        {outstanding === charged ? <>Unpaid {amount}</> : <>Part paid, {amount} left</>}
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

interface Props {
  session: Session;
  today: string;
}

/** The payment status, with the payment or the amount paid so far. */
export function SessionPayment({ session, today }: Props) {
  const { charged, outstanding, currency, paymentId } = session;
  const paidAmount = (charged ?? 0) - (outstanding ?? 0);
  return (
    <>
      <PaymentStatus session={session} />
      {paymentId !== null && <PaymentLink paymentId={paymentId} today={today} />}
      {paidAmount > 0 && !!outstanding && (
        <span className={classes.more}>
          {formatAmount(paidAmount, currency)} of {formatAmount(charged ?? 0, currency)} paid
        </span>
      )}
    </>
  );
}

/** 'Tue 3 Nov, bank transfer'. Shows nothing while loading, because the status is already visible. */
function PaymentLink({ paymentId, today }: { paymentId: number; today: string }) {
  const { data: payment } = useQuery(paymentQuery(paymentId));
  if (!payment) return null;
  return (
    <Link
      to="/families/$id"
      params={{ id: String(payment.familyId) }}
      search={{ payment: paymentId }}
      className={classes.more}
    >
      {formatShortDate(payment.paymentDate, today)},{' '}
      {PAYMENT_METHOD_LABELS[payment.method].toLowerCase()}
    </Link>
  );
}
