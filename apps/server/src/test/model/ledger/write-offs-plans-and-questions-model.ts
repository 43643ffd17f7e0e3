import { creditCharge } from './invoice-model.ts';
import type { LedgerCommand } from './ledger-commands.ts';
import {
  allocateCredit,
  changeWriteOff,
  findActivePlan,
  getCharge,
  heldAmountOf,
  isQueried,
  type Ledger,
  type ModelCharge,
  type ModelPlan,
  type ModelQuery,
  openChargesOfPlan,
  outstandingOf,
  RejectedError,
  requireDefined,
  sum,
} from './ledger-model.ts';
import { type LedgerState, plusDays, today } from './ledger-state.ts';

/* Write-offs, instalment plans and questions about charges. */

type Command<Kind extends LedgerCommand['kind']> = Extract<LedgerCommand, { kind: Kind }>;

function getFamilyCharges(ledger: Ledger, family: string, numbers: number[]): ModelCharge[] {
  // The product's rules do not define the order within a request; the model uses the order of the charges.
  const charges = numbers.toSorted((a, b) => a - b).map((n) => getCharge(ledger, n));
  if (charges.some((charge) => charge.family !== family))
    throw new RejectedError('not_found', 'not on this account');
  return charges;
}

const totalOutstanding = (ledger: Ledger, charges: readonly ModelCharge[]): number =>
  sum(charges.map((charge) => Math.max(0, outstandingOf(ledger, charge))));

export function writeOff(ledger: Ledger, command: Command<'write off'>): void {
  const charges = getFamilyCharges(ledger, command.family, command.charges);
  const isInCurrency = charges.every(({ currency }) => currency === command.currency);
  if (!isInCurrency || totalOutstanding(ledger, charges) !== command.amount)
    throw new RejectedError('conflict', 'not what is owed');
  for (const charge of charges) changeWriteOff(ledger, charge, outstandingOf(ledger, charge));
}

/** The charges are owed again, and the account's credit is used to pay them. */
export function reverseWriteOff(ledger: Ledger, command: Command<'reverse write-off'>): void {
  const charges = getFamilyCharges(ledger, command.family, command.charges);
  if (charges.some(({ writtenOff }) => writtenOff === 0))
    throw new RejectedError('conflict', 'not written off');
  for (const charge of charges) changeWriteOff(ledger, charge, -charge.writtenOff);
  for (const { family, currency } of charges) allocateCredit(ledger, family, currency);
}

/** The first instalments get the remaining pennies. */
function splitAmount(total: number, count: number): number[] {
  const odd = total % count;
  return Array.from({ length: count }, (_, index) => (total - odd) / count + Number(index < odd));
}

/** On the same day of each month, or on the last day of a shorter month. */
function plusMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const shifted = new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
  return shifted.toISOString().slice(0, 10);
}

const unpaidOfPlan = (ledger: Ledger, plan: ModelPlan): number =>
  totalOutstanding(ledger, openChargesOfPlan(ledger, plan));

const activePlanOfAccount = (
  ledger: Ledger,
  account: { family: string; currency: string },
): ModelPlan | undefined =>
  ledger.plans.find(
    ({ ended, family, currency }) =>
      !ended && family === account.family && currency === account.currency,
  );

/** A plan is for all charges of the account that are overdue and not on hold. */
export const chargesForPlan = (
  state: LedgerState,
  { family, currency }: { family: string; currency: string },
): ModelCharge[] =>
  state.ledger.charges.filter(
    (charge) =>
      charge.family === family &&
      charge.currency === currency &&
      isOverdue(state, charge) &&
      heldAmountOf(state.ledger, charge) === 0,
  );

export function agreePlan(state: LedgerState, command: Command<'agree plan'>): void {
  const { ledger } = state;
  const { family, currency, amount, count, firstOn } = command;
  if (firstOn < today(state)) throw new RejectedError('invalid', 'starts in the past');
  const current = activePlanOfAccount(ledger, command);
  if (current && unpaidOfPlan(ledger, current) > 0)
    throw new RejectedError('conflict', 'there is already a plan');
  if (current) current.ended = true;
  const charges = chargesForPlan(state, command);
  const total = totalOutstanding(ledger, charges);
  if (total !== amount) throw new RejectedError('conflict', 'not what is overdue');
  if (total < count) throw new RejectedError('invalid', 'more instalments than pennies');
  const instalments = splitAmount(total, count).map((part, index) => {
    const due =
      command.frequency === 'weekly' ? plusDays(firstOn, 7 * index) : plusMonths(firstOn, index);
    return { due, amount: part, isDue: due <= today(state), isMissed: false };
  });
  const numbers = charges.map(({ n }) => n);
  const n = ledger.plans.length + 1;
  ledger.plans.push({ n, family, currency, charges: numbers, instalments, ended: false });
}

export function endPlan(ledger: Ledger, command: Command<'end plan'>): void {
  const plan = activePlanOfAccount(ledger, command);
  if (plan) plan.ended = true;
}

/** The unpaid part of each instalment. Earlier instalments are paid first. */
export function unpaidPartsOfInstalments(ledger: Ledger, plan: ModelPlan): number[] {
  let unpaid = unpaidOfPlan(ledger, plan);
  const left = plan.instalments.toReversed().map(({ amount }) => {
    const part = Math.min(unpaid, amount);
    unpaid -= part;
    return part;
  });
  return left.toReversed();
}

/** Once a day, marks the instalments that are due, and the unpaid ones whose date has passed. */
export function startDay(ledger: Ledger): void {
  if (ledger.instalmentsCheckedOn === ledger.today) return;
  ledger.instalmentsCheckedOn = ledger.today;
  for (const plan of ledger.plans.filter(({ ended }) => !ended)) {
    const left = unpaidPartsOfInstalments(ledger, plan);
    for (const [index, instalment] of plan.instalments.entries()) {
      if (instalment.due <= ledger.today) instalment.isDue = true;
      if (instalment.due < ledger.today && requireDefined(left[index]) > 0)
        instalment.isMissed = true;
    }
  }
}

/** The date of the first instalment that is not paid; null if there is no plan. */
export function instalmentDueDate(ledger: Ledger, charge: ModelCharge): string | null {
  const plan = findActivePlan(ledger, charge);
  if (!plan) return null;
  const first = unpaidPartsOfInstalments(ledger, plan).findIndex((left) => left > 0);
  return plan.instalments[first]?.due ?? null;
}

/** The due date of the instalment, the invoice or the lesson. A charge that will be invoiced has none. */
export function dueDateOf(state: LedgerState, charge: ModelCharge): string | null {
  const planned = instalmentDueDate(state.ledger, charge);
  if (planned !== null) return planned;
  if (charge.invoice !== null) return invoiceDueDate(state, charge.invoice);
  const wasInvoiced = state.invoices.some(({ family }) => family === charge.family);
  return charge.kind === 'opening' || !wasInvoiced ? charge.due : null;
}

export const invoiceDueDate = (state: LedgerState, invoice: number): string =>
  plusDays(requireDefined(state.invoices[invoice - 1]).issuedOn, 7);

/** An amount that is on hold is not overdue. */
export function isOverdue(state: LedgerState, charge: ModelCharge): boolean {
  const due = dueDateOf(state, charge);
  return requestedAmountOf(state.ledger, charge) > 0 && due !== null && due < today(state);
}

/** The amount that the payer is asked to pay. */
export const requestedAmountOf = (ledger: Ledger, charge: ModelCharge): number =>
  Math.max(0, outstandingOf(ledger, charge)) - heldAmountOf(ledger, charge);

export function askAboutCharge(ledger: Ledger, n: number): void {
  const charge = getCharge(ledger, n);
  if (isQueried(ledger, charge)) throw new RejectedError('conflict', 'there is already a question');
  if (requestedAmountOf(ledger, charge) === 0) throw new RejectedError('conflict', 'not asked for');
  const query = { n: ledger.queries.length + 1, charge: n, isOwed: null };
  ledger.queries.push({ ...query, status: 'open' });
}

export const getQuery = (ledger: Ledger, n: number): ModelQuery =>
  requireDefined(ledger.queries[n - 1]);

export function withdrawQuery(ledger: Ledger, n: number): void {
  const query = getQuery(ledger, n);
  if (query.status === 'answered') throw new RejectedError('conflict', 'the question was answered');
  query.status = 'withdrawn';
}

/** Keeps the charge, or credits its unpaid amount including any written-off part. */
export function answerQuery(state: LedgerState, n: number, isOwed: boolean): void {
  const query = getQuery(state.ledger, n);
  if (query.status !== 'open') throw new RejectedError('conflict', 'the question is not open');
  Object.assign(query, { status: 'answered', isOwed });
  const charge = getCharge(state.ledger, query.charge);
  const unpaid = Math.max(0, outstandingOf(state.ledger, charge)) + charge.writtenOff;
  if (!isOwed && unpaid > 0) creditCharge(state, charge, unpaid);
}
