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

/* Money that comes, goes, and was written down by mistake. */

type NewPayment = Pick<MPayment, 'family' | 'currency' | 'amount' | 'paidOn' | 'opening'>;

/** Money in: to the charges it names, in the order they are due, then like any free money. */
export function recordPayment(ledger: Ledger, money: NewPayment, named: readonly number[]): void {
  const payment: MPayment = {
    n: ledger.payments.length + 1,
    kind: 'payment',
    refunds: null,
    refunded: 0,
    reversed: false,
    ...money,
  };
  ledger.payments.push(payment);
  const other = money.opening ? 'opening' : 'bank';
  const account = receivable(money.family, money.currency);
  post(ledger, `${other} ${money.currency}`, account, money.amount);
  for (const charge of named.map((n) => chargeOf(ledger, n)).toSorted(compareByDueDate)) {
    allocatePayment(ledger, payment, charge);
  }
  allocateFreePayments(ledger, money.family, money.currency);
}

/** Money given back: what is unused first, then the charge that this payment paid last. */
export function refund(ledger: Ledger, n: number, amount: number, paidOn: string): void {
  const payment = paymentOf(ledger, n);
  if (payment.kind === 'refund' || payment.reversed) throw new Rejected('conflict', 'no payment');
  if (amount > payment.amount - payment.refunded)
    throw new Rejected('invalid', 'more than is left');
  payment.refunded += amount;
  for (const one of latestFirst(ledger.standings.filter((any) => any.payment === n))) {
    const missing = -unallocatedOf(ledger, payment);
    if (missing > 0) release(ledger, one, Math.min(missing, one.amount));
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

/** A payment or a refund that was written down by mistake. */
export function reversePayment(ledger: Ledger, n: number): void {
  const entry = paymentOf(ledger, n);
  if (entry.reversed) throw new Rejected('conflict', 'taken back already');
  if (entry.refunded > 0) throw new Rejected('conflict', 'part of it was refunded');
  entry.reversed = true;
  const { family, currency } = entry;
  const account = receivable(family, currency);
  if (entry.kind === 'refund') {
    paymentOf(ledger, orThrow(entry.refunds ?? undefined)).refunded += entry.amount;
    post(ledger, `bank ${currency}`, account, -entry.amount);
  } else {
    ledger.standings = ledger.standings.filter((one) => one.payment !== n);
    post(ledger, account, `${entry.opening ? 'opening' : 'bank'} ${currency}`, entry.amount);
  }
  allocateFreePayments(ledger, family, currency);
}
