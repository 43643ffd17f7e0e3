import type { Currency } from '@lessonbook/contract/money';

/*
 * A plain account book in memory, written from the product's words and not from the server's code. Every entry is posted
 * twice (receivable against revenue, money against receivable), and beside it stands which money paid which charge.
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
  /** What credit notes took off. */
  noted: number;
  /** Taken back as a whole, by a reversal. */
  reversed: boolean;
}

export interface MPayment {
  n: number;
  kind: 'payment' | 'refund';
  family: string;
  currency: Currency;
  /** A refund is negative. */
  amount: number;
  paidOn: string;
  opening: boolean;
  refunds: number | null;
  refunded: number;
  reversed: boolean;
}

/** How much of a payment stands for a charge, and when the last of it came. */
export interface AllocatedAmount {
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
  standings: AllocatedAmount[];
  journal: Posting[];
  /** Counts allocations, so that the latest is known. */
  clock: number;
  /** The test plants the opposite rule here, to show that it would be seen. */
  order: 'oldest first' | 'newest first';
}

export const emptyLedger = (order: Ledger['order'] = 'oldest first'): Ledger => ({
  charges: [],
  payments: [],
  standings: [],
  journal: [],
  clock: 0,
  order,
});

export class Rejected extends Error {
  readonly code: 'conflict' | 'invalid' | 'not_found';
  constructor(code: Rejected['code'], why: string) {
    super(why);
    this.code = code;
  }
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, one) => total + one, 0);

export const receivable = (family: string, currency: Currency) =>
  `receivable ${family} ${currency}`;

export function post(ledger: Ledger, debit: string, credit: string, amount: number): void {
  ledger.journal.push({ account: debit, amount }, { account: credit, amount: -amount });
}

export const accountBalance = (ledger: Ledger, account: string): number =>
  sum(ledger.journal.filter((one) => one.account === account).map((one) => one.amount));

/** Owed by a family; below nothing is credit. */
export const balanceOf = (ledger: Ledger, family: string, currency: Currency): number =>
  accountBalance(ledger, receivable(family, currency));

export const chargeOf = (ledger: Ledger, n: number): MCharge => orThrow(ledger.charges[n - 1]);
export const paymentOf = (ledger: Ledger, n: number): MPayment => orThrow(ledger.payments[n - 1]);

export function orThrow<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('The model does not have it');
  return one;
}

/** Nothing of it is left: reversed, or credited to the last penny. */
export const isFullyReversed = (charge: MCharge): boolean =>
  charge.reversed || charge.noted === charge.amount;

const paidOf = (ledger: Ledger, charge: MCharge): number =>
  sum(ledger.standings.filter((one) => one.charge === charge.n).map((one) => one.amount));

/** Below nothing while it has more money than it is still worth. */
export const outstandingOf = (ledger: Ledger, charge: MCharge): number =>
  (charge.reversed ? 0 : charge.amount - charge.noted) - paidOf(ledger, charge);

export function unallocatedOf(ledger: Ledger, payment: MPayment): number {
  if (payment.kind === 'refund' || payment.reversed) return 0;
  const used = ledger.standings.filter((one) => one.payment === payment.n);
  return payment.amount - payment.refunded - sum(used.map((one) => one.amount));
}

/** The payment that completed it; none while anything is open or nothing is left of it. */
export function paidBy(ledger: Ledger, charge: MCharge): number | null {
  if (isFullyReversed(charge) || outstandingOf(ledger, charge) !== 0) return null;
  const [last] = latestFirst(ledger.standings.filter((one) => one.charge === charge.n));
  return last?.payment ?? null;
}

export const latestFirst = (standings: readonly AllocatedAmount[]): AllocatedAmount[] =>
  standings.toSorted((a, b) => b.last - a.last);

export const compareByDueDate = (a: MCharge, b: MCharge): number =>
  a.due.localeCompare(b.due) || a.n - b.n;
const compareByDate = (a: MPayment, b: MPayment): number =>
  a.paidOn.localeCompare(b.paidOn) || a.n - b.n;

export function allocatePayment(ledger: Ledger, payment: MPayment, charge: MCharge): void {
  const amount = Math.min(unallocatedOf(ledger, payment), outstandingOf(ledger, charge));
  if (amount <= 0) return;
  ledger.clock += 1;
  const standing = ledger.standings.find(
    (one) => one.payment === payment.n && one.charge === charge.n,
  );
  if (standing) Object.assign(standing, { amount: standing.amount + amount, last: ledger.clock });
  else {
    const [p, c] = [payment.n, charge.n];
    ledger.standings.push({ payment: p, charge: c, amount, last: ledger.clock });
  }
}

/** Takes money off its charge again. */
export function release(ledger: Ledger, standing: AllocatedAmount, amount: number): void {
  standing.amount -= amount;
  ledger.standings = ledger.standings.filter((one) => one.amount > 0);
}

/** Free money pays what is open: the oldest money first, the oldest charge first. */
export function allocateFreePayments(ledger: Ledger, family: string, currency: Currency): void {
  const ours = (one: MCharge | MPayment) => one.family === family && one.currency === currency;
  const charges = ledger.charges.filter(ours).toSorted(compareByDueDate);
  if (ledger.order === 'newest first') charges.reverse();
  for (const payment of ledger.payments.filter(ours).toSorted(compareByDate)) {
    for (const charge of charges) allocatePayment(ledger, payment, charge);
  }
}

type NewCharge = Omit<MCharge, 'n' | 'noted' | 'reversed'>;

/** The caller settles when all of the act is written down. */
export function addCharge(ledger: Ledger, charge: NewCharge): MCharge {
  const made = { n: ledger.charges.length + 1, noted: 0, reversed: false, ...charge };
  ledger.charges.push(made);
  const other = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivable(charge.family, charge.currency);
  post(ledger, account, `${other} ${charge.currency}`, charge.amount);
  return made;
}

/** Takes off all that is left of a charge, or part of it. The latest money comes loose first. */
export function reduceCharge(ledger: Ledger, charge: MCharge, how: 'reversal' | number): void {
  const amount = how === 'reversal' ? charge.amount - charge.noted : how;
  if (how === 'reversal') charge.reversed = true;
  else charge.noted += amount;
  const other = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivable(charge.family, charge.currency);
  post(ledger, `${other} ${charge.currency}`, account, amount);
  for (const one of latestFirst(ledger.standings.filter((any) => any.charge === charge.n))) {
    const tooMuch = -outstandingOf(ledger, charge);
    if (tooMuch > 0) release(ledger, one, Math.min(tooMuch, one.amount));
  }
}

/** What must hold of any such book; the model is held to it as well. */
export function findModelViolation(ledger: Ledger): string | null {
  if (sum(ledger.journal.map((one) => one.amount)) !== 0) return 'the trial balance is not zero';
  for (const { family, currency } of [...ledger.charges, ...ledger.payments]) {
    const ours = (one: MCharge | MPayment) => one.family === family && one.currency === currency;
    const owed = sum(ledger.charges.filter(ours).map((one) => outstandingOf(ledger, one)));
    const free = sum(ledger.payments.filter(ours).map((one) => unallocatedOf(ledger, one)));
    if (owed > 0 && free > 0) return `${family} is both in credit and in debt in ${currency}`;
    if (owed - free !== balanceOf(ledger, family, currency)) {
      return `what is open and free of ${family} in ${currency} is not the balance`;
    }
  }
  return null;
}
