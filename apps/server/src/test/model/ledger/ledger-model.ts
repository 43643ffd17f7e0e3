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
  /** For a lesson: the charge is split between the payers on this date. */
  payersDate?: string;
  invoice: number | null;
  /** The sum of its credits. */
  credited: number;
  writtenOff: number;
  reversed: boolean;
}

/** An entry that reduces a charge. The amount is negative if the entry reverses a write-off. */
interface ModelReduction {
  kind: 'reversal' | 'credit' | 'write-off';
  charge: number;
  amount: number;
  date: string;
  /** Null if there is no credit note. */
  creditNote: number | null;
}

interface ModelInstalment {
  due: string;
  amount: number;
  /** Updated by the daily check. */
  isDue: boolean;
  isMissed: boolean;
}

export interface ModelPlan {
  n: number;
  family: string;
  currency: Currency;
  charges: number[];
  instalments: ModelInstalment[];
  ended: boolean;
}

/** A payer's question about a charge. */
export interface ModelQuery {
  n: number;
  charge: number;
  status: 'open' | 'answered' | 'withdrawn';
  isOwed: boolean | null;
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
  refundOf: number | null;
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
  reductions: ModelReduction[];
  plans: ModelPlan[];
  queries: ModelQuery[];
  payments: ModelPayment[];
  allocations: Allocation[];
  journal: Posting[];
  /** The number of allocations so far, used to order them. */
  allocationCount: number;
  /** 'newest first' is a seeded bug that the test must detect. */
  order: 'oldest first' | 'newest first';
  today: string;
  /** The date of the last check, which is done once a day. */
  instalmentsCheckedOn: string | null;
}

/** The date on which each history starts. */
export const FIRST_DAY = '2026-11-16';

export const emptyLedger = (order: Ledger['order'] = 'oldest first'): Ledger => ({
  charges: [],
  reductions: [],
  plans: [],
  queries: [],
  payments: [],
  allocations: [],
  journal: [],
  allocationCount: 0,
  order,
  today: FIRST_DAY,
  instalmentsCheckedOn: null,
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

export const getCharge = (ledger: Ledger, n: number): ModelCharge =>
  requireDefined(ledger.charges[n - 1]);
export const getPayment = (ledger: Ledger, n: number): ModelPayment =>
  requireDefined(ledger.payments[n - 1]);

export function requireDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Not found in the model');
  return value;
}

/** Reversed, or fully credited. */
export const isFullyReversed = (charge: ModelCharge): boolean =>
  charge.reversed || charge.credited === charge.amount;

const allocatedTo = (ledger: Ledger, charge: ModelCharge): number =>
  sum(ledger.allocations.filter((each) => each.charge === charge.n).map((each) => each.amount));

/** The amount that has been neither reversed, credited nor written off. */
export const remainingValue = (charge: ModelCharge): number =>
  charge.reversed ? 0 : charge.amount - charge.credited - charge.writtenOff;

/** Negative while the allocations exceed the remaining value of the charge. */
export const outstandingOf = (ledger: Ledger, charge: ModelCharge): number =>
  remainingValue(charge) - allocatedTo(ledger, charge);

export const isQueried = (ledger: Ledger, { n }: ModelCharge): boolean =>
  ledger.queries.some(({ charge, status }) => charge === n && status === 'open');

export const findActivePlan = (ledger: Ledger, { n }: ModelCharge): ModelPlan | undefined =>
  ledger.plans.find(({ ended, charges }) => !ended && charges.includes(n));

/** The unpaid charges of a plan, oldest first. Queried charges are left out. */
export const openChargesOfPlan = (ledger: Ledger, plan: ModelPlan): ModelCharge[] =>
  plan.charges
    .map((n) => getCharge(ledger, n))
    .filter((charge) => outstandingOf(ledger, charge) > 0 && !isQueried(ledger, charge))
    .toSorted(compareByDueDate);

/** The part of a charge that future instalments will cover. They cover the plan's newest charges. */
function heldByInstalments(ledger: Ledger, charge: ModelCharge): number {
  const plan = findActivePlan(ledger, charge);
  if (!plan) return 0;
  let future = sum(plan.instalments.filter(({ isDue }) => !isDue).map(({ amount }) => amount));
  for (const each of openChargesOfPlan(ledger, plan).toReversed()) {
    const held = Math.min(future, outstandingOf(ledger, each));
    if (each.n === charge.n) return held;
    future -= held;
  }
  return 0;
}

/** The outstanding part of a charge that the payer is not asked to pay yet. */
export function heldAmountOf(ledger: Ledger, charge: ModelCharge): number {
  const outstanding = Math.max(0, outstandingOf(ledger, charge));
  return isQueried(ledger, charge) ? outstanding : heldByInstalments(ledger, charge);
}

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

interface ChargePart {
  charge: ModelCharge;
  amount: number;
}

function allocatePayment(ledger: Ledger, payment: ModelPayment, part: ChargePart): void {
  const amount = Math.min(unallocatedOf(ledger, payment), part.amount);
  if (amount <= 0) return;
  part.amount -= amount;
  ledger.allocationCount += 1;
  const lastSequence = ledger.allocationCount;
  const charge = part.charge.n;
  const existing = ledger.allocations.find(
    (each) => each.payment === payment.n && each.charge === charge,
  );
  if (existing) Object.assign(existing, { amount: existing.amount + amount, lastSequence });
  else ledger.allocations.push({ payment: payment.n, charge, amount, lastSequence });
}

/** Reduces an allocation by an amount. */
export function reduceAllocation(ledger: Ledger, allocation: Allocation, amount: number): void {
  allocation.amount -= amount;
  ledger.allocations = ledger.allocations.filter((each) => each.amount > 0);
}

/** Amounts that are due now are paid before those that future instalments will cover. */
function toParts(ledger: Ledger, charges: readonly ModelCharge[]): ChargePart[] {
  const parts = charges.map((charge) => {
    const held = isQueried(ledger, charge) ? 0 : heldAmountOf(ledger, charge);
    return { charge, held, asked: outstandingOf(ledger, charge) - held };
  });
  return [
    ...parts.map(({ charge, asked: amount }) => ({ charge, amount })),
    ...parts.map(({ charge, held: amount }) => ({ charge, amount })),
  ];
}

/**
 * Allocates unallocated payments to unpaid charges, taking the oldest payment first. The chosen charges are paid first, then the
 * others in order of due date, and queried charges last.
 */
export function allocateCredit(
  ledger: Ledger,
  family: string,
  currency: Currency,
  chosenCharges: readonly number[] = [],
): void {
  const isInAccount = (entry: ModelCharge | ModelPayment) =>
    entry.family === family && entry.currency === currency;
  const charges = ledger.charges
    .filter((charge) => isInAccount(charge) && outstandingOf(ledger, charge) > 0)
    .toSorted(compareByDueDate);
  if (ledger.order === 'newest first') charges.reverse();
  const isChosen = ({ n }: ModelCharge) => chosenCharges.includes(n);
  const others = charges.filter((charge) => !isChosen(charge));
  const parts = [
    ...toParts(ledger, charges.filter(isChosen)),
    ...toParts(
      ledger,
      others.filter((charge) => !isQueried(ledger, charge)),
    ),
    ...toParts(
      ledger,
      others.filter((charge) => isQueried(ledger, charge)),
    ),
  ];
  for (const payment of ledger.payments.filter(isInAccount).toSorted(compareByDate)) {
    for (const part of parts) allocatePayment(ledger, payment, part);
  }
}

type NewCharge = Omit<ModelCharge, 'n' | 'credited' | 'writtenOff' | 'reversed'>;

/** The caller allocates payments once all of a command's charges have been added. */
export function addCharge(ledger: Ledger, charge: NewCharge): ModelCharge {
  const reductions = { credited: 0, writtenOff: 0, reversed: false };
  const added = { n: ledger.charges.length + 1, ...reductions, ...charge };
  ledger.charges.push(added);
  const contraAccount = charge.kind === 'opening' ? 'opening' : 'revenue';
  const account = receivableAccount(charge.family, charge.currency);
  postToJournal(ledger, account, `${contraAccount} ${charge.currency}`, charge.amount);
  return added;
}

/** Writes off part of a charge or, if the amount is negative, reverses a write-off. */
export function changeWriteOff(ledger: Ledger, charge: ModelCharge, amount: number): void {
  if (amount === 0) return;
  charge.writtenOff += amount;
  const { n, family, currency } = charge;
  const entry = { kind: 'write-off', charge: n, amount, date: ledger.today } as const;
  ledger.reductions.push({ ...entry, creditNote: null });
  const account = receivableAccount(family, currency);
  postToJournal(ledger, `written off ${currency}`, account, amount);
}

/**
 * Reverses a charge or credits part of it. A write-off of an amount that is no longer owed is reversed. The latest
 * allocations are released first.
 */
export function reduceCharge(
  ledger: Ledger,
  charge: ModelCharge,
  by: 'reversal' | { amount: number; creditNote: number | null },
): void {
  const amount = by === 'reversal' ? charge.amount - charge.credited : by.amount;
  ledger.reductions.push({
    charge: charge.n,
    amount,
    ...(by === 'reversal'
      ? { kind: 'reversal', date: charge.due, creditNote: null }
      : { kind: 'credit', date: ledger.today, creditNote: by.creditNote }),
  });
  changeWriteOff(ledger, charge, -Math.min(charge.writtenOff, amount));
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
