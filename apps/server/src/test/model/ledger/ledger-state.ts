import type { Currency } from '@lessonbook/contract/money';
import {
  addCharge,
  isFullyReversed,
  type Ledger,
  type ModelCharge,
  RejectedError,
  requireDefined,
  sum,
} from './ledger-model.ts';

/* The state outside the ledger: sessions, payers and invoices. */

export interface ModelSeat {
  student: number;
  fee: number | null;
  /** A fee that was not entered is the student's rate or the subject's default fee. */
  source: 'entered' | 'rate' | 'subject';
  /** Cancelled for this student only. */
  cancelled: boolean;
  charged: boolean;
}

/** What a student pays for a subject from a given date, in GBP. */
export interface ModelRate {
  student: number;
  subject: number;
  amount: number;
  unit: 'hour' | 'lesson';
  from: string;
}

/** A rule that the model deliberately gets wrong, to test that the comparison detects it. */
export type WrongRule = 'price rises change charged seats';

/** Who pays for a student from a given date. The first payer pays any remaining pennies. */
export interface ModelPayers {
  from: string;
  shares: { payer: string; percent: number }[];
}

export interface ModelSession {
  n: number;
  /** In the order of the roster. */
  seats: ModelSeat[];
  subject: number;
  currency: Currency;
  date: string;
  start: string;
  status: 'scheduled' | 'completed' | 'cancelled' | 'rescheduled';
  movedFrom: number | null;
  movedTo: number | null;
}

export interface ModelInvoice {
  n: number;
  family: string;
  currency: Currency;
  issuedOn: string;
  lines: { charge: number; amount: number }[];
  void: boolean;
}

export interface ModelCreditNote {
  n: number;
  invoice: number;
  lines: { charge: number; amount: number }[];
}

export interface LedgerState {
  ledger: Ledger;
  sessions: ModelSession[];
  /** Who pays for each student, such as "carer 1" or "student 4", by date. */
  payers: ModelPayers[][];
  /** The contacts of each student; the first is the main contact. */
  contacts: string[][];
  invoices: ModelInvoice[];
  creditNotes: ModelCreditNote[];
  rates: ModelRate[];
  wrongRule: WrongRule | null;
  policy: { noticeHours: number; feePercent: number };
  /** The tutor's local time, such as "2026-11-16 12:00". */
  now: string;
}

export const today = (state: LedgerState): string => state.now.slice(0, 10);

export const getSession = (state: LedgerState, n: number): ModelSession =>
  requireDefined(state.sessions[n - 1]);

export const getSeat = (session: ModelSession, student: number): ModelSeat | undefined =>
  session.seats.find((seat) => seat.student === student);

export const expectedSeats = ({ seats }: ModelSession): ModelSeat[] =>
  seats.filter((seat) => !seat.cancelled);

/** The charges for a seat, one for each payer, except those that have been fully reversed. */
export const getSeatCharges = (state: LedgerState, n: number, student: number): ModelCharge[] =>
  state.ledger.charges.filter(
    (charge) => charge.session === n && charge.student === student && !isFullyReversed(charge),
  );

/** Whether the payer is the main contact of a student. Main contacts may see everything in the portal. */
export const usesPortal = (state: LedgerState, payer: string): boolean =>
  state.contacts.some(([main]) => main === payer);

/** The charges for all seats of a session. */
export const getSessionCharges = (state: LedgerState, n: number): ModelCharge[] =>
  getSession(state, n).seats.flatMap(({ student }) => getSeatCharges(state, n, student));

export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function getScheduledSession(state: LedgerState, n: number): ModelSession {
  const session = getSession(state, n);
  if (session.status !== 'scheduled')
    throw new RejectedError('conflict', `the session is ${session.status}`);
  return session;
}

export interface Share {
  payer: string;
  amount: number;
}

/** Rounds each share down to whole pennies. The first payer also pays the rest. */
function divide(amount: number, weights: readonly { payer: string; weight: number }[]): Share[] {
  const total = sum(weights.map(({ weight }) => weight));
  const shares = weights.map(({ payer, weight }) => ({
    payer,
    amount: (amount * weight - ((amount * weight) % total)) / total,
  }));
  const [first] = shares;
  if (first) first.amount += amount - sum(shares.map((share) => share.amount));
  return shares.filter((share) => share.amount !== 0);
}

export function payersOn(state: LedgerState, student: number, date: string): ModelPayers['shares'] {
  const started = requireDefined(state.payers[student - 1]).filter(({ from }) => from <= date);
  return requireDefined(started.toSorted((a, b) => a.from.localeCompare(b.from)).at(-1)).shares;
}

const isChargedInFull = (seat: ModelSeat, charges: readonly ModelCharge[]): boolean =>
  charges.length > 0 && sum(charges.map(({ amount }) => amount)) >= (seat.fee ?? 0);

/** Several payers, or only some of them, have been charged in advance. */
export const isSplitInAdvance = (seat: ModelSeat, charges: readonly ModelCharge[]): boolean =>
  charges.length > 1 || (charges.length > 0 && !isChargedInFull(seat, charges));

/** How an amount for a seat is shared. Payers who have been charged in advance remain the payers of the seat. */
export function splitSeatAmount(
  state: LedgerState,
  session: ModelSession,
  seat: ModelSeat,
  amount: number,
): Share[] {
  const charges = getSeatCharges(state, session.n, seat.student);
  if (isChargedInFull(seat, charges)) {
    return divide(
      amount,
      charges.map((charge) => ({ payer: charge.family, weight: charge.amount })),
    );
  }
  const shares = payersOn(state, seat.student, payersDateOf(session, charges));
  return divide(
    amount,
    shares.map(({ payer, percent }) => ({ payer, weight: percent })),
  );
}

/** The payers of the first charge share the seat, even if it has been moved since. */
const payersDateOf = (session: ModelSession, charges: readonly ModelCharge[]): string =>
  charges[0]?.payersDate ?? session.date;

/** The shares of the payers who have not been charged yet. */
export function unchargedShares(
  state: LedgerState,
  session: ModelSession,
  seat: ModelSeat,
  amount: number,
): Share[] {
  const charges = getSeatCharges(state, session.n, seat.student);
  if (isChargedInFull(seat, charges)) return [];
  return splitSeatAmount(state, session, seat, amount).filter(
    ({ payer }) => !charges.some((charge) => charge.family === payer),
  );
}

export function chargeShare(
  state: LedgerState,
  session: ModelSession,
  { student }: ModelSeat,
  { payer: family, amount }: Share,
  details: { kind: 'lesson' | 'cancellation'; invoice: number | null },
): ModelCharge {
  const { subject, currency } = session;
  const payersDate = payersDateOf(session, getSeatCharges(state, session.n, student));
  const due = session.date;
  const common = { family, student, session: session.n, subject, currency, due, payersDate };
  return addCharge(state.ledger, { ...common, amount, ...details });
}
