import { type Currency, toMajor } from '@lessonbook/contract/money';
import {
  type ManualMethod,
  type PaymentDetails,
  type PaymentFormData,
  PaymentInput,
} from '@lessonbook/contract/payments';
import * as z from 'zod/mini';
import { formatAmountInput, parseMinorUnits } from '../../lib/parse-input.ts';
import { type FormState, useForm } from '../../lib/use-form.ts';
import { type Allocation, allocate, sumOutstanding } from './allocation.ts';
import { useRecordPayment } from './api.ts';

export interface PaymentFormState {
  formData: PaymentFormData;
  form: FormState<PaymentFormValues>;
  allocation: Allocation;
  isBusy: boolean;
  onSubmit: ReturnType<FormState<PaymentFormValues>['onSubmit']>;
}

/** Form state for recording a payment, in a dialog or on a page. */
export function usePaymentForm(
  formData: PaymentFormData,
  onSaved: (payment: PaymentDetails) => void,
): PaymentFormState {
  const form = useForm({
    schema: paymentFormSchema(formData),
    initialValues: toFormValues(formData),
    mode: 'controlled',
  });
  const record = useRecordPayment();
  const { amount, currency } = form.values;
  return {
    formData,
    form,
    allocation: allocate(formData.charges, {
      amount: parseMinorUnits(amount) || 0,
      currency,
      preselectedIds: preselectedCharges(formData, currency).map(({ id }) => id),
    }),
    isBusy: record.isPending,
    onSubmit: form.onSubmit((values) => {
      const body = toInput(values, formData);
      return record.mutateAsync({ body, idempotencyKey: form.keyFor(body) });
    }, onSaved),
  };
}

/** In the order they appear on screen. */
export interface PaymentFormValues {
  amount: string;
  currency: Currency;
  method: ManualMethod;
  date: string;
  note: string;
}

const DEFAULT_METHOD: ManualMethod = 'bank_transfer';

export function toFormValues(formData: PaymentFormData): PaymentFormValues {
  const { currency, today, claim, preselectedChargeIds, lastMethod } = formData;
  // The payer reported a transfer on the payment page.
  const isTransferReported = claim !== null && preselectedChargeIds.length === 0;
  return {
    amount: toAmountText(suggestedAmount(formData, currency)),
    currency,
    method: isTransferReported ? 'bank_transfer' : (lastMethod ?? DEFAULT_METHOD),
    date: today,
    note: '',
  };
}

/** The preselected charges, otherwise the reported transfer, otherwise the full balance. */
export function suggestedAmount(formData: PaymentFormData, currency: Currency): number {
  const preselected = preselectedCharges(formData, currency);
  if (preselected.length > 0) return sumOutstanding(preselected);
  const owed = amountOwedIn(formData, currency);
  return currency === formData.currency ? (formData.claim?.amount ?? owed) : owed;
}

export const preselectedCharges = (formData: PaymentFormData, currency: Currency) =>
  formData.charges.filter(
    (charge) => charge.currency === currency && formData.preselectedChargeIds.includes(charge.id),
  );

export const amountOwedIn = ({ balances }: PaymentFormData, currency: Currency): number =>
  balances.find((balance) => balance.currency === currency)?.owed ?? 0;

/** The currencies of the account's balances and charges. */
export function availableCurrencies({ currency, balances, charges }: PaymentFormData): Currency[] {
  const used = [...balances, ...charges].map((entry) => entry.currency);
  return [...new Set([currency, ...used])];
}

/** Input text for an amount; empty for 0. */
export const toAmountText = (minor: number): string =>
  minor > 0 ? formatAmountInput(toMajor(minor)) : '';

export const toInput = (
  form: PaymentFormValues,
  formData: PaymentFormData,
): z.input<typeof PaymentInput> => ({
  ...form,
  familyId: formData.familyId,
  amount: parseMinorUnits(form.amount) as number,
  chargeIds: preselectedCharges(formData, form.currency).map(({ id }) => id),
});

/** Validates with the contract's schema. */
export const paymentFormSchema = (formData: PaymentFormData) =>
  z.pipe(
    z.transform<PaymentFormValues, z.input<typeof PaymentInput>>((form) => toInput(form, formData)),
    PaymentInput,
  );
