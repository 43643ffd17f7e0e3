import { type Currency, toMajor } from '@lessonbook/contract/money';
import { type ManualMethod, PaymentInput, type PaymentStart } from '@lessonbook/contract/payments';
import * as z from 'zod/mini';
import { amountText, readMinor } from '../../lib/amount.ts';
import { sumOf } from './cover.ts';

/** What the fields hold, in the order of the screen. */
export interface PaymentForm {
  amount: string;
  currency: Currency;
  method: ManualMethod;
  date: string;
  note: string;
}

/** Most families pay by transfer. */
const USUAL: ManualMethod = 'bank_transfer';

export function formOf(start: PaymentStart): PaymentForm {
  const { currency, today, claim, named, lastMethod } = start;
  // What a payer can say on the pay page is that it was transferred.
  const announced = claim !== null && named.length === 0;
  return {
    amount: amountOf(likelyAmount(start, currency)),
    currency,
    method: announced ? 'bank_transfer' : (lastMethod ?? USUAL),
    date: today,
    note: '',
  };
}

/** The lessons it was opened for, else what the payer says was sent, else all that is owed. */
export function likelyAmount(start: PaymentStart, currency: Currency): number {
  const named = namedOf(start, currency);
  if (named.length > 0) return sumOf(named);
  const owed = owedIn(start, currency);
  return currency === start.currency ? (start.claim?.amount ?? owed) : owed;
}

export const namedOf = (start: PaymentStart, currency: Currency) =>
  start.charges.filter((charge) => charge.currency === currency && start.named.includes(charge.id));

export const owedIn = ({ balances }: PaymentStart, currency: Currency): number =>
  balances.find((balance) => balance.currency === currency)?.owed ?? 0;

/** One that was never spoken of is no choice. */
export function currenciesOf({ currency, balances, charges }: PaymentStart): Currency[] {
  const known = [...balances, ...charges].map((each) => each.currency);
  return [...new Set([currency, ...known])];
}

/** As it stands in the field; nothing is an empty field. */
export const amountOf = (minor: number): string => (minor > 0 ? amountText(toMajor(minor)) : '');

export const toInput = (form: PaymentForm, start: PaymentStart): z.input<typeof PaymentInput> => ({
  ...form,
  familyId: start.familyId,
  amount: readMinor(form.amount) as number,
  chargeIds: namedOf(start, form.currency).map(({ id }) => id),
});

/** Checks the text by the contract's own rules. */
export const paymentCheck = (start: PaymentStart) =>
  z.pipe(
    z.transform<PaymentForm, z.input<typeof PaymentInput>>((form) => toInput(form, start)),
    PaymentInput,
  );
