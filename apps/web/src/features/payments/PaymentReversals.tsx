import { toMajor } from '@lessonbook/contract/money';
import { type PaymentDetails, RefundInput } from '@lessonbook/contract/payments';
import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ResponsiveModal.tsx';
import { money } from '../../lib/format.ts';
import { formatAmountInput, parseMinor } from '../../lib/parse-input.ts';
import { useControlledForm } from '../../lib/use-form.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { AmountField } from './AmountField.tsx';
import { useRefundPayment, useReversePayment } from './api.ts';
import classes from './PaymentModal.module.css';
import {
  CARD_REFUND_NOTE,
  formatRefundImpact,
  formatRefundReversalImpact,
  formatReversalImpact,
  refundableAmount,
} from './payment-format.ts';

/** The payment itself or one of its refunds. */
export interface ReversalTarget {
  id: number;
  /** How much a refund was; none for the payment. */
  refund: number | null;
}

interface ReversePaymentFormProps {
  payment: PaymentDetails;
  what: ReversalTarget;
  onBack: () => void;
  onDone: () => void;
}

/** Only for what never happened: the entry stays in the book, with another that undoes it. */
export function ReversePaymentForm({ payment, what, onBack, onDone }: ReversePaymentFormProps) {
  const reverse = useReversePayment();
  const attempts = useIdempotencyKey();
  const { id, refund } = what;
  const sentences =
    refund === null ? formatReversalImpact(payment) : formatRefundReversalImpact(payment, refund);
  return (
    <div className={classes.sheet}>
      <p className={classes.hint}>
        For what was written down by mistake. Money that you gave back is a refund.
      </p>
      <ImpactNotice>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </ImpactNotice>
      <ModalActions
        onCancel={onBack}
        cancel="Back"
        confirm={`Take back ${money(refund ?? payment.amount, payment.currency)}`}
        busy="Taking back..."
        isBusy={reverse.isPending}
        color="red"
        onConfirm={() =>
          reverse.mutate(
            { params: { id }, idempotencyKey: attempts.nameOf(id) },
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
  amount: parseMinor(fields.amount) as number,
});

const RefundFormSchema = z.pipe(
  z.transform<RefundFormValues, z.input<typeof RefundInput>>(toInput),
  RefundInput,
);

/** Money that was really given back; a payment that never came is taken back instead. */
export function RefundForm({ payment, today, onBack, onDone }: Props) {
  const initial = {
    amount: formatAmountInput(toMajor(refundableAmount(payment))),
    date: today,
    note: '',
  };
  const { values, errors, change, onSubmit, showRefusal } = useControlledForm(
    RefundFormSchema,
    initial,
  );
  const refund = useRefundPayment();
  const attempts = useIdempotencyKey();
  const amount = parseMinor(values.amount) || 0;
  const isCard = payment.method === 'card';
  const save = onSubmit((fields) => {
    const input = { params: { id: payment.id }, body: toInput(fields) };
    refund.mutate(
      { ...input, idempotencyKey: attempts.nameOf(input) },
      // What is only asked for is looked at until it is done.
      { onSuccess: isCard ? onBack : onDone, onError: showRefusal },
    );
  });

  return (
    <form className={classes.sheet} onSubmit={save} noValidate>
      <AmountField
        value={values.amount}
        onChange={(text) => change({ amount: text })}
        currency={payment.currency}
        error={errors.amount}
      />
      {/* The day on which it is given back is for the provider to say. */}
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
          {isCard && <p>{CARD_REFUND_NOTE}</p>}
          {formatRefundImpact(payment, amount).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </ImpactNotice>
      )}
      <ModalActions
        onCancel={onBack}
        cancel="Back"
        confirm={amount > 0 ? `Refund ${money(amount, payment.currency)}` : 'Refund'}
        busy="Saving..."
        isBusy={refund.isPending}
      />
    </form>
  );
}
