import type { Currency } from '@lessonbook/contract/money';

/*
 * An in-memory model of the ledger, based on the product's rules rather than the server's code. It has a double-entry
 * journal (receivable and revenue, bank and receivable) and allocates payments to charges.
 */

export interface ModelCharge {
  n: number;
  family: string;
  student: number | null;
  session: number | null;
  subject: number | null;
  currency: Currency;
  kind: 'lesson' | 'cancellation' | 'item' | 'opening';
  amount: number;
  due: string;
  /** The date whose payers share it, if it is for a lesson. */
  payersDate?: string;
  invoice: number | null;
  /** The sum of its credit notes. */
  credited: number;
  reversed: boolean;
}

export interface ModelPayment {
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

/** The amount of a payment that is allocated to a charge, and the sequence number of the latest increase. */
export interface Allocation {
  payment: number;
  charge: number;
  amount: number;
  lastSequence: number;
}

interface Posting {
  account: string;
  amount: number;
}

export interface Ledger {
  charges: ModelCharge[];
  payments: ModelPayment[];
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

export class RejectedError extends Error {
  readonly code: 'conflict' | 'invalid' | 'not_found';
  constructor(code: RejectedError['code'], reason: string) {
    super(reason);
    this.code = code;
  }
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

export const receivableAccount = (family: string, currency: Currency) =>
  `receivable ${family} ${currency}`;

export function postToJournal(ledger: Ledger, debit: string, credit: string, amount: number): void {
  ledger.journal.push({ account: debit, amount }, { account: credit, amount: -amount });
}

export const accountBalance = (ledger: Ledger, account: string): number =>
  sum(ledger.journal.filter((each) => each.account === account).map((each) => each.amount));

/** Positive if the family owes money, negative if it is in credit. */
export const balanceOf = (ledger: Ledger, family: string, currency: Currency): number =>
  accountBalance(ledger, receivableAccount(family, currency));

export const getCharge = (ledger: Ledger, n: number): ModelCharge => orThrow(ledger.charges[n - 1]);
export const getPayment = (ledger: Ledger, n: number): ModelPayment =>
  orThrow(ledger.payments[n - 1]);

export function orThrow<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Not found in the model');
  return value;
}

/** Reversed, or fully credited. */
export const isFullyReversed = (charge: ModelCharge): boolean =>
  charge.reversed || charge.credited === charge.amount;

const allocatedTo = (ledger: Ledger, charge: ModelCharge): number =>
  sum(ledger.allocations.filter((each) => each.charge === charge.n).map((each) => each.amount));

/** Negative while more is allocated than the remaining value of the charge. */
export const outstandingOf = (ledger: Ledger, charge: ModelCharge): number =>
  (charge.reversed ? 0 : charge.amount - charge.credited) - allocatedTo(ledger, charge);

export function unallocatedOf(ledger: Ledger, payment: ModelPayment): number {
  if (payment.kind === 'refund' || payment.reversed) return 0;
  const allocations = ledger.allocations.filter((each) => each.payment === payment.n);
  return payment.amount - payment.refunded - sum(allocations.map((each) => each.amount));
}

/** The last payment allocated to a fully paid charge; null if the charge is unpaid or fully reversed. */
export function findSettlingPayment(ledger: Ledger, charge: ModelCharge): number | null {
  if (isFullyReversed(charge) || outstandingOf(ledger, charge) !== 0) return null;
  const [last] = sortLatestFirst(ledger.allocations.filter((each) => each.charge === charge.n));
  return last?.payment ?? null;
}

export const sortLatestFirst = (allocations: readonly Allocation[]): Allocation[] =>
  allocations.toSorted((a, b) => b.lastSequence - a.lastSequence);

export const compareByDueDate = (a: ModelCharge, b: ModelCharge): number =>
  a.due.localeCompare(b.due) || a.n - b.n;
const compareByDate = (a: ModelPayment, b: ModelPayment): number =>
  a.paidOn.localeCompare(b.paidOn) || a.n - b.n;

export function allocatePayment(ledger: Ledger, payment: ModelPayment, charge: ModelCharge): void {
  const amount = Math.min(unallocatedOf(ledger, payment), outstandingOf(ledger, charge));
  if (amount <= 0) return;
  ledger.allocationCount += 1;
  const lastSequence = ledger.allocationCount;
  const existing = ledger.allocations.find(
    (each) => each.payment === payment.n && each.charge === charge.n,
  );
  if (existing) Object.assign(existing, { amount: existing.amount + amount, lastSequence });
  else ledger.allocations.push({ payment: payment.n, charge: charge.n, amount, lastSequence });
}

/** Reduces an allocation by an amount. */
export function reduceAllocation(ledger: Ledger, allocation: Allocation, amount: number): void {
  allocation.amount -= amount;
  ledger.allocations = ledger.allocations.filter((each) => each.amount > 0);
}

/** Allocates unallocated payments to unpaid charges, taking the oldest payment and the oldest charge first. */
export function allocateCredit(ledger: Ledger, family: string, currency: Currency): void {
  const isInAccount = (entry: ModelCharge | ModelPayment) =>
    entry.family === family && entry.currency === currency;
  const charges = ledger.charges.filter(isInAccount).toSorted(compareByDueDate);
  if (ledger.order === 'newest first') charges.reverse();
  for (const payment of ledger.payments.filter(isInAccount).toSorted(compareByDate)) {
    for (const charge of charges) allocatePayment(ledger, payment, charge);
  }
}

type NewCharge = Omit<ModelCharge, 'n' | 'credited' | 'reversed'>;

/** The caller allocates payments once all of a command's charges have been added. */
export function addCharge(ledger: Ledger, charge: NewCharge): ModelCharge {
  const added = { n: ledger.charges.length + 1, credited: 0, reversed: false, ...charge };
  ledger.charges.push(added);
  const contraAccount = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivableAccount(charge.family, charge.currency);
  postToJournal(ledger, account, `${contraAccount} ${charge.currency}`, charge.amount);
  return added;
}

/** Reverses a charge or credits part of it. The latest allocations are released first. */
export function reduceCharge(ledger: Ledger, charge: ModelCharge, by: 'reversal' | number): void {
  const amount = by === 'reversal' ? charge.amount - charge.credited : by;
  if (by === 'reversal') charge.reversed = true;
  else charge.credited += amount;
  const contraAccount = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivableAccount(charge.family, charge.currency);
  postToJournal(ledger, `${contraAccount} ${charge.currency}`, account, amount);
  const allocations = ledger.allocations.filter((each) => each.charge === charge.n);
  for (const allocation of sortLatestFirst(allocations)) {
    const excess = -outstandingOf(ledger, charge);
    if (excess > 0) reduceAllocation(ledger, allocation, Math.min(excess, allocation.amount));
  }
}

/** Checks the ledger invariants on the model. */
export function findModelViolation(ledger: Ledger): string | null {
  if (sum(ledger.journal.map((each) => each.amount)) !== 0) return 'the trial balance is not zero';
  for (const { family, currency } of [...ledger.charges, ...ledger.payments]) {
    const isInAccount = (entry: ModelCharge | ModelPayment) =>
      entry.family === family && entry.currency === currency;
    const owed = sum(ledger.charges.filter(isInAccount).map((each) => outstandingOf(ledger, each)));
    const unallocated = sum(
      ledger.payments.filter(isInAccount).map((each) => unallocatedOf(ledger, each)),
    );
    if (owed > 0 && unallocated > 0)
      return `${family} is both in credit and in debt in ${currency}`;
    if (owed - unallocated !== balanceOf(ledger, family, currency)) {
      return `outstanding less unallocated for ${family} in ${currency} does not equal the balance`;
    }
  }
  return null;
}
