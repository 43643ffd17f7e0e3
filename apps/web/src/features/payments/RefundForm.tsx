import { toMajor } from '@lessonbook/contract/money';
import { type PaymentDetails, RefundInput } from '@lessonbook/contract/payments';
import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { DateField } from '../../components/DateField.tsx';
import { amountText, readMinor } from '../../lib/amount.ts';
import { money } from '../../lib/format.ts';
import { useLiveForm } from '../../lib/live-form.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { AmountField } from './AmountField.tsx';
import { useRefundPayment } from './api.ts';
import classes from './PaymentSheet.module.css';
import { CARD_REFUND, leftOf, refundWords } from './payment-words.ts';

interface Props {
  payment: PaymentDetails;
  today: string;
  onBack: () => void;
  onDone: () => void;
}

interface Fields {
  amount: string;
  date: string;
  note: string;
}

const toInput = (fields: Fields): z.input<typeof RefundInput> => ({
  ...fields,
  amount: readMinor(fields.amount) as number,
});

const RefundCheck = z.pipe(z.transform<Fields, z.input<typeof RefundInput>>(toInput), RefundInput);

/** Money that was really given back; a payment that never came is taken back instead. */
export function RefundForm({ payment, today, onBack, onDone }: Props) {
  const initial = { amount: amountText(toMajor(leftOf(payment))), date: today, note: '' };
  const { values, errors, change, onSubmit, showRefusal } = useLiveForm(RefundCheck, initial);
  const refund = useRefundPayment();
  const attempts = useNamedAttempts();
  const amount = readMinor(values.amount) || 0;
  const isCard = payment.method === 'card';
  const save = onSubmit((fields) => {
    const input = { params: { id: payment.id }, body: toInput(fields) };
    refund.mutate(
      { ...input, attempt: attempts.nameOf(input) },
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
        <Consequence>
          {isCard && <p>{CARD_REFUND}</p>}
          {refundWords(payment, amount).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Consequence>
      )}
      <SheetButtons
        onCancel={onBack}
        cancel="Back"
        confirm={amount > 0 ? `Refund ${money(amount, payment.currency)}` : 'Refund'}
        busy="Saving..."
        isBusy={refund.isPending}
      />
    </form>
  );
}
