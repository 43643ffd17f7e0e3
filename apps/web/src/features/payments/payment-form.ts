import { type Currency, toMajor } from '@lessonbook/contract/money';
import {
  type ManualMethod,
  type PaymentDetails,
  type PaymentFormData,
  PaymentInput,
} from '@lessonbook/contract/payments';
import * as z from 'zod/mini';
import { formatAmountInput, parseMinor } from '../../lib/parse-input.ts';
import { type ControlledForm, useControlledForm } from '../../lib/use-form.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { type Allocation, allocate, sumOutstanding } from './allocation.ts';
import { useRecordPayment } from './api.ts';

export interface PaymentFormState {
  start: PaymentFormData;
  form: ControlledForm<PaymentFormValues>;
  allocation: Allocation;
  isBusy: boolean;
  onSubmit: ReturnType<ControlledForm<PaymentFormValues>['onSubmit']>;
}

/** Recording a payment, in a dialog or on a page of its own. */
export function usePaymentForm(
  start: PaymentFormData,
  onSaved: (payment: PaymentDetails) => void,
): PaymentFormState {
  const form = useControlledForm(paymentFormSchema(start), toFormValues(start));
  const attempts = useIdempotencyKey();
  const record = useRecordPayment();
  const { amount, currency } = form.values;
  return {
    start,
    form,
    allocation: allocate(start.charges, {
      amount: parseMinor(amount) || 0,
      currency,
      named: selectedCharges(start, currency).map(({ id }) => id),
    }),
    isBusy: record.isPending,
    onSubmit: form.onSubmit((values) => {
      const body = toInput(values, start);
      record.mutate(
        { body, idempotencyKey: attempts.nameOf(body) },
        { onSuccess: onSaved, onError: form.showRefusal },
      );
    }),
  };
}

/** What the fields hold, in the order of the screen. */
export interface PaymentFormValues {
  amount: string;
  currency: Currency;
  method: ManualMethod;
  date: string;
  note: string;
}

/** Most families pay by transfer. */
const DEFAULT_METHOD: ManualMethod = 'bank_transfer';

export function toFormValues(start: PaymentFormData): PaymentFormValues {
  const { currency, today, claim, preselectedChargeIds, lastMethod } = start;
  // What a payer can say on the pay page is that it was transferred.
  const announced = claim !== null && preselectedChargeIds.length === 0;
  return {
    amount: toAmountText(suggestedAmount(start, currency)),
    currency,
    method: announced ? 'bank_transfer' : (lastMethod ?? DEFAULT_METHOD),
    date: today,
    note: '',
  };
}

/** The lessons it was opened for, else what the payer says was sent, else all that is owed. */
export function suggestedAmount(start: PaymentFormData, currency: Currency): number {
  const named = selectedCharges(start, currency);
  if (named.length > 0) return sumOutstanding(named);
  const owed = owedIn(start, currency);
  return currency === start.currency ? (start.claim?.amount ?? owed) : owed;
}

export const selectedCharges = (start: PaymentFormData, currency: Currency) =>
  start.charges.filter(
    (charge) => charge.currency === currency && start.preselectedChargeIds.includes(charge.id),
  );

export const owedIn = ({ balances }: PaymentFormData, currency: Currency): number =>
  balances.find((balance) => balance.currency === currency)?.owed ?? 0;

/** One that was never spoken of is no choice. */
export function availableCurrencies({ currency, balances, charges }: PaymentFormData): Currency[] {
  const known = [...balances, ...charges].map((each) => each.currency);
  return [...new Set([currency, ...known])];
}

/** As it stands in the field; nothing is an empty field. */
export const toAmountText = (minor: number): string =>
  minor > 0 ? formatAmountInput(toMajor(minor)) : '';

export const toInput = (
  form: PaymentFormValues,
  start: PaymentFormData,
): z.input<typeof PaymentInput> => ({
  ...form,
  familyId: start.familyId,
  amount: parseMinor(form.amount) as number,
  chargeIds: selectedCharges(start, form.currency).map(({ id }) => id),
});

/** Checks the text by the contract's own rules. */
export const paymentFormSchema = (start: PaymentFormData) =>
  z.pipe(
    z.transform<PaymentFormValues, z.input<typeof PaymentInput>>((form) => toInput(form, start)),
    PaymentInput,
  );
