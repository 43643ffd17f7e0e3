import {
  allocateFreePayments,
  allocatePayment,
  chargeOf,
  compareByDueDate,
  type Ledger,
  latestFirst,
  type MPayment,
  orThrow,
  paymentOf,
  post,
  Rejected,
  receivable,
  release,
  unallocatedOf,
} from './ledger-model.ts';

/* Payments, refunds and their reversals. */

type NewPayment = Pick<MPayment, 'family' | 'currency' | 'amount' | 'paidOn' | 'opening'>;

/** Allocates the payment to the chosen charges in order of due date, then the rest like any unallocated payment. */
export function recordPayment(ledger: Ledger, input: NewPayment, chosen: readonly number[]): void {
  const payment: MPayment = {
    n: ledger.payments.length + 1,
    kind: 'payment',
    refunds: null,
    refunded: 0,
    reversed: false,
    ...input,
  };
  ledger.payments.push(payment);
  const other = input.opening ? 'opening' : 'bank';
  const account = receivable(input.family, input.currency);
  post(ledger, `${other} ${input.currency}`, account, input.amount);
  for (const charge of chosen.map((n) => chargeOf(ledger, n)).toSorted(compareByDueDate)) {
    allocatePayment(ledger, payment, charge);
  }
  allocateFreePayments(ledger, input.family, input.currency);
}

/** Uses the unallocated amount first, then the most recent allocations. */
export function refund(ledger: Ledger, n: number, amount: number, paidOn: string): void {
  const payment = paymentOf(ledger, n);
  if (payment.kind === 'refund' || payment.reversed)
    throw new Rejected('conflict', 'not a payment');
  if (amount > payment.amount - payment.refunded)
    throw new Rejected('invalid', 'more than is left');
  payment.refunded += amount;
  const allocations = ledger.allocations.filter((each) => each.payment === n);
  for (const allocation of latestFirst(allocations)) {
    const missing = -unallocatedOf(ledger, payment);
    if (missing > 0) release(ledger, allocation, Math.min(missing, allocation.amount));
  }
  const { family, currency } = payment;
  ledger.payments.push({
    ...payment,
    n: ledger.payments.length + 1,
    kind: 'refund',
    amount: -amount,
    paidOn,
    refunds: n,
    refunded: 0,
  });
  post(ledger, receivable(family, currency), `bank ${currency}`, amount);
  allocateFreePayments(ledger, family, currency);
}

/** Undoes a payment or refund that was recorded by mistake. */
export function reversePayment(ledger: Ledger, n: number): void {
  const entry = paymentOf(ledger, n);
  if (entry.reversed) throw new Rejected('conflict', 'already reversed');
  if (entry.refunded > 0) throw new Rejected('conflict', 'part of it was refunded');
  entry.reversed = true;
  const { family, currency } = entry;
  const account = receivable(family, currency);
  if (entry.kind === 'refund') {
    paymentOf(ledger, orThrow(entry.refunds ?? undefined)).refunded += entry.amount;
    post(ledger, `bank ${currency}`, account, -entry.amount);
  } else {
    ledger.allocations = ledger.allocations.filter((each) => each.payment !== n);
    post(ledger, account, `${entry.opening ? 'opening' : 'bank'} ${currency}`, entry.amount);
  }
  allocateFreePayments(ledger, family, currency);
}
