import type { PaymentDetails } from '@lessonbook/contract/payments';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { money } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useReversePayment } from './api.ts';
import classes from './PaymentSheet.module.css';
import { takeBackRefundWords, takeBackWords } from './payment-words.ts';

/** The payment itself or one of its refunds. */
export interface TakingBack {
  id: number;
  /** How much a refund was; none for the payment. */
  refund: number | null;
}

interface Props {
  payment: PaymentDetails;
  what: TakingBack;
  onBack: () => void;
  onDone: () => void;
}

/** Only for what never happened: the entry stays in the book, with another that undoes it. */
export function TakeBackForm({ payment, what, onBack, onDone }: Props) {
  const reverse = useReversePayment();
  const attempts = useNamedAttempts();
  const { id, refund } = what;
  const sentences = refund === null ? takeBackWords(payment) : takeBackRefundWords(payment, refund);
  return (
    <div className={classes.sheet}>
      <p className={classes.hint}>
        For what was written down by mistake. Money that you gave back is a refund.
      </p>
      <Consequence>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Consequence>
      <SheetButtons
        onCancel={onBack}
        cancel="Back"
        confirm={`Take back ${money(refund ?? payment.amount, payment.currency)}`}
        busy="Taking back..."
        isBusy={reverse.isPending}
        color="red"
        onConfirm={() =>
          reverse.mutate({ params: { id }, attempt: attempts.nameOf(id) }, { onSuccess: onDone })
        }
      />
    </div>
  );
}
