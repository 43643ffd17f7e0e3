import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import type { PaymentDetails } from '@lessonbook/contract/payments';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Description, DescriptionList } from '../../components/DescriptionList.tsx';
import { createColumnAmountFormatter, formatAmount, formatShortDate } from '../../lib/format.ts';
import { formatCharge, refundableAmount } from './format-refund-and-reversal-impact.ts';
import classes from './PaymentDetailsModal.module.css';
import type { ReversalTarget } from './RefundAndReversalForms.tsx';

interface Props {
  payment: PaymentDetails;
  today: string;
  onReceipt: () => void;
  onRefund: () => void;
  onReverse: (target: ReversalTarget) => void;
}

export function RecordedPaymentDetails({ payment, today, onReceipt, onRefund, onReverse }: Props) {
  const { id, amount, currency, status, method, refunds, pendingRefundAmount } = payment;
  const isCompleted = status === 'completed';
  // A card payment can only be reversed by the provider. If a payment has refunds, only those can be reversed.
  const canReverse = isCompleted && method !== 'card' && payment.refunded === 0;
  const items: Description[] = [
    { name: 'From', value: payment.familyName },
    { name: 'Date', value: formatShortDate(payment.paymentDate, today) },
    { name: 'Method', value: PAYMENT_METHOD_LABELS[method] },
    { name: 'Note', value: payment.note },
    {
      name: 'Covers',
      value: payment.allocations.length > 0 && <AllocationList {...{ payment, today }} />,
    },
    {
      name: 'Credit',
      value: payment.credit > 0 && `${formatAmount(payment.credit, currency)} unused`,
    },
    {
      name: 'Returned',
      value: refunds.length > 0 && <RefundList {...{ payment, today, onReverse }} />,
    },
    {
      name: 'Refund',
      value:
        pendingRefundAmount > 0 &&
        `${formatAmount(pendingRefundAmount, currency, true)} is on its way back`,
    },
  ];
  return (
    <>
      <p className={classes.figure} data-reversed={!isCompleted || undefined}>
        {formatAmount(amount, currency)}
      </p>
      {!isCompleted && <p className={classes.hint}>Reversed</p>}
      <DescriptionList items={items} />
      {isCompleted && (
        <div className={classes.actions}>
          {payment.kind === 'payment' && (
            <Button variant="light" onClick={onReceipt}>
              Send receipt
            </Button>
          )}
          {refundableAmount(payment) > 0 && (
            <Button variant="light" onClick={onRefund}>
              Refund
            </Button>
          )}
          {canReverse && (
            <Button
              variant="subtle"
              color="red"
              onClick={() => onReverse({ id, refundAmount: null })}
            >
              Reverse payment
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** The charges that a payment covers, with links to their sessions and the amounts still outstanding. */
function AllocationList({
  payment: { allocations, currency },
  today,
}: Pick<Props, 'payment' | 'today'>) {
  const format = createColumnAmountFormatter(
    allocations.flatMap((allocation) => [allocation.amount, allocation.outstanding]),
  );
  return (
    <ul className={classes.allocations}>
      {allocations.map((allocation) => (
        <li key={allocation.chargeId}>
          {allocation.sessionId === null ? (
            formatCharge(allocation, today)
          ) : (
            <Link to="/sessions/$id" params={{ id: String(allocation.sessionId) }}>
              {formatCharge(allocation, today)}
            </Link>
          )}
          <span>
            {format(allocation.amount, currency)}
            {allocation.outstanding > 0 && (
              <small>{format(allocation.outstanding, currency)} unpaid</small>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function RefundList({ payment, today, onReverse }: Omit<Props, 'onReceipt' | 'onRefund'>) {
  const { refunds, currency, method } = payment;
  return (
    <ul className={classes.allocations}>
      {refunds.map(({ id, kind, amount, date }) => {
        const how = kind === 'dispute' ? 'disputed' : 'refunded';
        const label = `${formatAmount(Math.abs(amount), currency)} ${how} on ${formatShortDate(date, today)}`;
        return (
          <li key={id}>
            {label}
            {method !== 'card' && (
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                aria-label={`Reverse refund, ${label}`}
                onClick={() => onReverse({ id, refundAmount: Math.abs(amount) })}
              >
                Reverse refund
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
