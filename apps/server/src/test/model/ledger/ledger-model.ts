import type { Currency } from '@lessonbook/contract/money';

/*
 * An in-memory model of the ledger, based on the product's rules rather than the server's code. It has a double-entry
 * journal (receivable and revenue, bank and receivable) and allocates payments to charges.
 */

export interface MCharge {
  n: number;
  family: string;
  student: number | null;
  session: number | null;
  subject: number | null;
  currency: Currency;
  kind: 'lesson' | 'cancellation' | 'item' | 'opening';
  amount: number;
  due: string;
  invoice: number | null;
  /** The sum of its credit notes. */
  credited: number;
  reversed: boolean;
}

export interface MPayment {
  n: number;
  kind: 'payment' | 'refund';
  family: string;
  currency: Currency;
  /** Negative for a refund. */
  amount: number;
  paidOn: string;
  opening: boolean;
  refunds: number | null;
  refunded: number;
  reversed: boolean;
}

/** The amount of a payment that is allocated to a charge, and the sequence number of the latest addition. */
export interface Allocation {
  payment: number;
  charge: number;
  amount: number;
  last: number;
}

interface Posting {
  account: string;
  amount: number;
}

export interface Ledger {
  charges: MCharge[];
  payments: MPayment[];
  allocations: Allocation[];
  journal: Posting[];
  /** The number of allocations made so far, used to order them. */
  allocationCount: number;
  /** 'newest first' is a seeded bug that the test must detect. */
  order: 'oldest first' | 'newest first';
}

export const emptyLedger = (order: Ledger['order'] = 'oldest first'): Ledger => ({
  charges: [],
  payments: [],
  allocations: [],
  journal: [],
  allocationCount: 0,
  order,
});

export class Rejected extends Error {
  readonly code: 'conflict' | 'invalid' | 'not_found';
  constructor(code: Rejected['code'], reason: string) {
    super(reason);
    this.code = code;
  }
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

export const receivable = (family: string, currency: Currency) =>
  `receivable ${family} ${currency}`;

export function post(ledger: Ledger, debit: string, credit: string, amount: number): void {
  ledger.journal.push({ account: debit, amount }, { account: credit, amount: -amount });
}

export const accountBalance = (ledger: Ledger, account: string): number =>
  sum(ledger.journal.filter((each) => each.account === account).map((each) => each.amount));

/** Positive if the family owes money, negative if it is in credit. */
export const balanceOf = (ledger: Ledger, family: string, currency: Currency): number =>
  accountBalance(ledger, receivable(family, currency));

export const chargeOf = (ledger: Ledger, n: number): MCharge => orThrow(ledger.charges[n - 1]);
export const paymentOf = (ledger: Ledger, n: number): MPayment => orThrow(ledger.payments[n - 1]);

export function orThrow<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Not found in the model');
  return value;
}

/** Reversed, or fully credited. */
export const isFullyReversed = (charge: MCharge): boolean =>
  charge.reversed || charge.credited === charge.amount;

const paidOf = (ledger: Ledger, charge: MCharge): number =>
  sum(ledger.allocations.filter((each) => each.charge === charge.n).map((each) => each.amount));

/** Negative while more is allocated than the remaining value of the charge. */
export const outstandingOf = (ledger: Ledger, charge: MCharge): number =>
  (charge.reversed ? 0 : charge.amount - charge.credited) - paidOf(ledger, charge);

export function unallocatedOf(ledger: Ledger, payment: MPayment): number {
  if (payment.kind === 'refund' || payment.reversed) return 0;
  const used = ledger.allocations.filter((each) => each.payment === payment.n);
  return payment.amount - payment.refunded - sum(used.map((each) => each.amount));
}

/** The payment that settled the charge; null if the charge is unpaid or fully reversed. */
export function paidBy(ledger: Ledger, charge: MCharge): number | null {
  if (isFullyReversed(charge) || outstandingOf(ledger, charge) !== 0) return null;
  const [last] = latestFirst(ledger.allocations.filter((each) => each.charge === charge.n));
  return last?.payment ?? null;
}

export const latestFirst = (allocations: readonly Allocation[]): Allocation[] =>
  allocations.toSorted((a, b) => b.last - a.last);

export const compareByDueDate = (a: MCharge, b: MCharge): number =>
  a.due.localeCompare(b.due) || a.n - b.n;
const compareByDate = (a: MPayment, b: MPayment): number =>
  a.paidOn.localeCompare(b.paidOn) || a.n - b.n;

export function allocatePayment(ledger: Ledger, payment: MPayment, charge: MCharge): void {
  const amount = Math.min(unallocatedOf(ledger, payment), outstandingOf(ledger, charge));
  if (amount <= 0) return;
  ledger.allocationCount += 1;
  const last = ledger.allocationCount;
  const existing = ledger.allocations.find(
    (each) => each.payment === payment.n && each.charge === charge.n,
  );
  if (existing) Object.assign(existing, { amount: existing.amount + amount, last });
  else ledger.allocations.push({ payment: payment.n, charge: charge.n, amount, last });
}

/** Reduces an allocation by an amount. */
export function release(ledger: Ledger, allocation: Allocation, amount: number): void {
  allocation.amount -= amount;
  ledger.allocations = ledger.allocations.filter((each) => each.amount > 0);
}

/** Allocates unallocated payments to unpaid charges, taking the oldest payment and the oldest charge first. */
export function allocateFreePayments(ledger: Ledger, family: string, currency: Currency): void {
  const ofAccount = (entry: MCharge | MPayment) =>
    entry.family === family && entry.currency === currency;
  const charges = ledger.charges.filter(ofAccount).toSorted(compareByDueDate);
  if (ledger.order === 'newest first') charges.reverse();
  for (const payment of ledger.payments.filter(ofAccount).toSorted(compareByDate)) {
    for (const charge of charges) allocatePayment(ledger, payment, charge);
  }
}

type NewCharge = Omit<MCharge, 'n' | 'credited' | 'reversed'>;

/** The caller allocates payments once all of a command's charges have been added. */
export function addCharge(ledger: Ledger, charge: NewCharge): MCharge {
  const added = { n: ledger.charges.length + 1, credited: 0, reversed: false, ...charge };
  ledger.charges.push(added);
  const other = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivable(charge.family, charge.currency);
  post(ledger, account, `${other} ${charge.currency}`, charge.amount);
  return added;
}

/** Reverses a charge or credits part of it. The latest allocations are released first. */
export function reduceCharge(ledger: Ledger, charge: MCharge, by: 'reversal' | number): void {
  const amount = by === 'reversal' ? charge.amount - charge.credited : by;
  if (by === 'reversal') charge.reversed = true;
  else charge.credited += amount;
  const other = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivable(charge.family, charge.currency);
  post(ledger, `${other} ${charge.currency}`, account, amount);
  const allocations = ledger.allocations.filter((each) => each.charge === charge.n);
  for (const allocation of latestFirst(allocations)) {
    const excess = -outstandingOf(ledger, charge);
    if (excess > 0) release(ledger, allocation, Math.min(excess, allocation.amount));
  }
}

/** Checks the ledger invariants on the model. */
export function findModelViolation(ledger: Ledger): string | null {
  if (sum(ledger.journal.map((each) => each.amount)) !== 0) return 'the trial balance is not zero';
  for (const { family, currency } of [...ledger.charges, ...ledger.payments]) {
    const ofAccount = (entry: MCharge | MPayment) =>
      entry.family === family && entry.currency === currency;
    const owed = sum(ledger.charges.filter(ofAccount).map((each) => outstandingOf(ledger, each)));
    const free = sum(ledger.payments.filter(ofAccount).map((each) => unallocatedOf(ledger, each)));
    if (owed > 0 && free > 0) return `${family} is both in credit and in debt in ${currency}`;
    if (owed - free !== balanceOf(ledger, family, currency)) {
      return `outstanding less unallocated of ${family} in ${currency} is not the balance`;
    }
  }
  return null;
}
