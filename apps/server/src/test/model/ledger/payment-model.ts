import {
  allocateCredit,
  getPayment,
  type Ledger,
  type ModelPayment,
  postToJournal,
  RejectedError,
  receivableAccount,
  reduceAllocation,
  requireDefined,
  sortLatestFirst,
  unallocatedOf,
} from './ledger-model.ts';

/* Payments, refunds and their reversals. */

type NewPayment = Pick<ModelPayment, 'family' | 'currency' | 'amount' | 'paidOn' | 'opening'>;

export function recordPayment(
  ledger: Ledger,
  input: NewPayment,
  chosenCharges: readonly number[],
): void {
  const payment: ModelPayment = {
    n: ledger.payments.length + 1,
    kind: 'payment',
    refundOf: null,
    refunded: 0,
    reversed: false,
    ...input,
  };
  ledger.payments.push(payment);
  const contraAccount = input.opening ? 'opening' : 'bank';
  const account = receivableAccount(input.family, input.currency);
  postToJournal(ledger, `${contraAccount} ${input.currency}`, account, input.amount);
  allocateCredit(ledger, input.family, input.currency, chosenCharges);
}

/** Uses the unallocated amount first, then the most recent allocations. */
export function refundPayment(ledger: Ledger, n: number, amount: number, paidOn: string): void {
  const payment = getPayment(ledger, n);
  if (payment.kind === 'refund' || payment.reversed)
    throw new RejectedError('conflict', 'not a payment');
  if (amount > payment.amount - payment.refunded)
    throw new RejectedError('invalid', 'more than the remaining amount');
  payment.refunded += amount;
  const allocations = ledger.allocations.filter((each) => each.payment === n);
  for (const allocation of sortLatestFirst(allocations)) {
    const shortfall = -unallocatedOf(ledger, payment);
    if (shortfall > 0) reduceAllocation(ledger, allocation, Math.min(shortfall, allocation.amount));
  }
  const { family, currency } = payment;
  ledger.payments.push({
    ...payment,
    n: ledger.payments.length + 1,
    kind: 'refund',
    amount: -amount,
    paidOn,
    refundOf: n,
    refunded: 0,
  });
  postToJournal(ledger, receivableAccount(family, currency), `bank ${currency}`, amount);
  allocateCredit(ledger, family, currency);
}

/** Undoes a payment or refund that was recorded by mistake. */
export function reversePayment(ledger: Ledger, n: number): void {
  const entry = getPayment(ledger, n);
  if (entry.reversed) throw new RejectedError('conflict', 'already reversed');
  if (entry.refunded > 0) throw new RejectedError('conflict', 'part of the payment was refunded');
  entry.reversed = true;
  const { family, currency } = entry;
  const account = receivableAccount(family, currency);
  if (entry.kind === 'refund') {
    getPayment(ledger, requireDefined(entry.refundOf ?? undefined)).refunded += entry.amount;
    postToJournal(ledger, `bank ${currency}`, account, -entry.amount);
  } else {
    ledger.allocations = ledger.allocations.filter((each) => each.payment !== n);
    postToJournal(
      ledger,
      account,
      `${entry.opening ? 'opening' : 'bank'} ${currency}`,
      entry.amount,
    );
  }
  allocateCredit(ledger, family, currency);
}
