import type { PaymentDetails, PaymentStart } from '@lessonbook/contract/payments';
import { readMinor } from '../../lib/amount.ts';
import { type LiveForm, useLiveForm } from '../../lib/live-form.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useRecordPayment } from './api.ts';
import { type Cover, coverOf } from './cover.ts';
import { formOf, namedOf, type PaymentForm, paymentCheck, toInput } from './payment-form.ts';

export interface PaymentFormState {
  start: PaymentStart;
  form: LiveForm<PaymentForm>;
  cover: Cover;
  isBusy: boolean;
  onSubmit: ReturnType<LiveForm<PaymentForm>['onSubmit']>;
}

/** Recording a payment, in a dialog or on a page of its own. */
export function usePaymentForm(
  start: PaymentStart,
  onSaved: (payment: PaymentDetails) => void,
): PaymentFormState {
  const form = useLiveForm(paymentCheck(start), formOf(start));
  const attempts = useNamedAttempts();
  const record = useRecordPayment();
  const { amount, currency } = form.values;
  return {
    start,
    form,
    cover: coverOf(start.charges, {
      amount: readMinor(amount) || 0,
      currency,
      named: namedOf(start, currency).map(({ id }) => id),
    }),
    isBusy: record.isPending,
    onSubmit: form.onSubmit((values) => {
      const body = toInput(values, start);
      record.mutate(
        { body, attempt: attempts.nameOf(body) },
        { onSuccess: onSaved, onError: form.showRefusal },
      );
    }),
  };
}
