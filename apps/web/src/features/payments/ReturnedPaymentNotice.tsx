import type { ReturnedPayment } from '@lessonbook/contract/payments';
import { Button } from '@mantine/core';
import { Card } from '../../components/Card.tsx';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import { useSettleReturnedPayment } from './api.ts';
import classes from './ReportedTransferNotice.module.css';

interface Props {
  familyName: string;
  returned: ReturnedPayment;
  today: string;
}

/** A card payment that was refunded in Stripe or disputed. The payer is not asked for it until the tutor has answered. */
export function ReturnedPaymentNotice({ familyName, returned, today }: Props) {
  const settle = useSettleReturnedPayment();
  const { paymentId, kind, state, currency, date } = returned;
  const amount = formatAmount(returned.amount, currency);
  const day = formatShortDate(date, today);
  if (state === 'disputed') {
    return (
      <Card>
        <p className={classes.text}>
          {familyName}'s bank disputed {amount} on {day}. Respond in Stripe.
        </p>
        <p>We won't ask {familyName} for it while the bank decides.</p>
      </Card>
    );
  }
  const answer = (stillOwed: boolean) =>
    settle.mutate({ params: { id: paymentId }, body: { stillOwed } });
  return (
    <Card>
      <p className={classes.text}>
        {kind === 'dispute'
          ? `The bank returned ${amount} to ${familyName} on ${day}.`
          : `${familyName} was refunded ${amount} in Stripe on ${day}.`}{' '}
        Is this amount still owed?
      </p>
      <p>We won't ask {familyName} for it until you answer.</p>
      <div className={classes.actions}>
        <Button variant="light" disabled={settle.isPending} onClick={() => answer(true)}>
          Still owed
        </Button>
        <Button variant="subtle" disabled={settle.isPending} onClick={() => answer(false)}>
          No longer owed
        </Button>
      </div>
    </Card>
  );
}
