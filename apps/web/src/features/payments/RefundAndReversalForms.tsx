import { toMajor } from '@lessonbook/contract/money';
import { type PaymentDetails, RefundInput } from '@lessonbook/contract/payments';
import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { formatAmount } from '../../lib/format.ts';
import { formatAmountInput, parseMinorUnits } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { AmountTextInput } from './AmountTextInput.tsx';
import { useRefundPayment, useReversePayment } from './api.ts';
import {
  formatRefundImpact,
  formatRefundReversalImpact,
  formatRefundRoute,
  formatReversalImpact,
  refundableAmount,
} from './format-refund-and-reversal-impact.ts';
import classes from './PaymentDetailsModal.module.css';

/** What to reverse: the payment itself or one of its refunds. */
export interface ReversalTarget {
  id: number;
  /** Null for the payment itself. */
  refundAmount: number | null;
}

interface ReversePaymentFormProps {
  payment: PaymentDetails;
  target: ReversalTarget;
  onBack: () => void;
  onDone: () => void;
}

/** For entries recorded by mistake: the entry stays in the ledger, and a second entry reverses it. */
export function ReversePaymentForm({ payment, target, onBack, onDone }: ReversePaymentFormProps) {
  const reverse = useReversePayment();
  const idempotency = useIdempotencyKey();
  const { id, refundAmount } = target;
  const sentences =
    refundAmount === null
      ? formatReversalImpact(payment)
      : formatRefundReversalImpact(payment, refundAmount);
  return (
    <div className={classes.form}>
      <p className={classes.hint}>
        {refundAmount === null
          ? 'Use this for payments recorded in error. If you returned the money, use Refund.'
          : 'Use this for refunds recorded in error.'}
      </p>
      <ImpactNotice>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </ImpactNotice>
      <ModalActions
        onCancel={onBack}
        cancelLabel="Back"
        confirmLabel={`Reverse ${formatAmount(refundAmount ?? payment.amount, payment.currency)}`}
        busyLabel="Reversing..."
        isBusy={reverse.isPending}
        color="red"
        onConfirm={() =>
          reverse.mutate(
            { params: { id }, idempotencyKey: idempotency.keyFor(id) },
            { onSuccess: onDone },
          )
        }
      />
    </div>
  );
}

interface Props {
  payment: PaymentDetails;
  today: string;
  onBack: () => void;
  onDone: () => void;
}

interface RefundFormValues {
  amount: string;
  date: string;
  note: string;
}

const toInput = (fields: RefundFormValues): z.input<typeof RefundInput> => ({
  ...fields,
  amount: parseMinorUnits(fields.amount) as number,
});

const RefundFormSchema = z.pipe(
  z.transform<RefundFormValues, z.input<typeof RefundInput>>(toInput),
  RefundInput,
);

/** For money that has been returned. A payment recorded by mistake is reversed instead. */
export function RefundForm({ payment, today, onBack, onDone }: Props) {
  const initial = {
    amount: formatAmountInput(toMajor(refundableAmount(payment))),
    date: today,
    note: '',
  };
  const { values, errors, change, onSubmit, keyFor } = useForm({
    schema: RefundFormSchema,
    initialValues: initial,
    mode: 'controlled',
  });
  const refund = useRefundPayment();
  const amount = parseMinorUnits(values.amount) || 0;
  const isCard = payment.method === 'card';
  const save = onSubmit(
    (fields) => {
      const input = { params: { id: payment.id }, body: toInput(fields) };
      return refund.mutateAsync({ ...input, idempotencyKey: keyFor(input) });
    },
    // A card refund is only requested, so the modal stays open to show its progress.
    isCard ? onBack : onDone,
  );

  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <AmountTextInput
        value={values.amount}
        onChange={(text) => change({ amount: text })}
        currency={payment.currency}
        error={errors.amount}
      />
      {/* The provider sets the date of a card refund. */}
      {!isCard && (
        <DateField
          label="Date"
          value={values.date}
          onChange={(date) => change({ date })}
          today={today}
          placeholder="Pick a date"
          required
          error={errors.date}
          path="date"
        />
      )}
      <TextInput
        label="Note"
        value={values.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
        error={errors.note}
        data-path="note"
      />
      {amount > 0 && (
        <ImpactNotice>
          <p>{formatRefundRoute(payment)}</p>
          {formatRefundImpact(payment, amount).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </ImpactNotice>
      )}
      <ModalActions
        onCancel={onBack}
        cancelLabel="Back"
        confirmLabel={amount > 0 ? `Refund ${formatAmount(amount, payment.currency)}` : 'Refund'}
        busyLabel="Saving..."
        isBusy={refund.isPending}
      />
    </form>
  );
}
