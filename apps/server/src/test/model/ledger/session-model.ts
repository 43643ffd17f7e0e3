import { creditDownToAmount, creditInFull } from './invoice-model.ts';
import type { CancelledBy, LedgerCommand } from './ledger-commands.ts';
import {
  allocateCredit,
  type ModelCharge,
  RejectedError,
  reduceCharge,
  requireDefined,
} from './ledger-model.ts';
import {
  chargeShare,
  expectedSeats,
  getScheduledSession,
  getSeat,
  getSeatCharges,
  getSession,
  type LedgerState,
  type ModelSeat,
  type ModelSession,
  splitSeatAmount,
  unchargedShares,
} from './ledger-state.ts';
import { repriceSession } from './prices-model.ts';

/* Completing, cancelling, reopening and moving sessions and seats, with their charges. */

interface SeatOfSession {
  session: ModelSession;
  seat: ModelSeat;
}

/** Allocates payments once all charges have been added, so that credit goes to the oldest charge. */
function allocateCreditFor(state: LedgerState, charges: readonly ModelCharge[]): void {
  for (const { family, currency } of charges) allocateCredit(state.ledger, family, currency);
}

export function completeSessions(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'complete' }>,
): void {
  const sessions = command.sessions.map((n) => getScheduledSession(state, n));
  const added: ModelCharge[] = [];
  const waived: SeatOfSession[] = [];
  for (const session of sessions) {
    for (const seat of expectedSeats(session)) {
      const charge = command.exceptions.includes(seat.student) ? !command.charge : command.charge;
      seat.charged = charge && seat.fee !== null;
      if (!seat.charged) waived.push({ session, seat });
      else added.push(...chargeSeat(state, session, seat, seat.fee ?? 0, 'lesson'));
    }
    session.status = 'completed';
  }
  allocateCreditFor(state, added);
  creditPrepaid(state, waived);
}

const chargeSeat = (
  state: LedgerState,
  session: ModelSession,
  seat: ModelSeat,
  amount: number,
  kind: 'lesson' | 'cancellation',
): ModelCharge[] =>
  unchargedShares(state, session, seat, amount).map((share) =>
    chargeShare(state, session, seat, share, { kind, invoice: null }),
  );

/** Credits seats that were invoiced in advance but are not charged after all. */
function creditPrepaid(state: LedgerState, seats: readonly SeatOfSession[]): void {
  const charges = seats.flatMap(({ session, seat }) =>
    getSeatCharges(state, session.n, seat.student),
  );
  creditInFull(
    state,
    charges.filter((charge) => charge.invoice !== null),
  );
}

/** The policy's fee for a late cancellation, unless the tutor cancelled. */
function cancellationFee(
  state: LedgerState,
  session: ModelSession,
  seat: ModelSeat,
  by: CancelledBy,
): number {
  if (by === 'tutor' || seat.fee === null) return 0;
  const toMs = (local: string) => Date.parse(`${local.replace(' ', 'T')}:00Z`);
  const notice = (toMs(`${session.date} ${session.start}`) - toMs(state.now)) / 3_600_000;
  if (notice >= state.policy.noticeHours) return 0;
  return Math.round((seat.fee * state.policy.feePercent) / 100);
}

/** Each payer's share of the fee stays on an invoice that was issued in advance; the rest is credited. */
function settleCancelledSeats(
  state: LedgerState,
  session: ModelSession,
  seats: readonly ModelSeat[],
  command: { by: CancelledBy; fee: boolean },
): void {
  const fees = seats.map((seat) => ({
    seat,
    amount: command.fee ? cancellationFee(state, session, seat, command.by) : 0,
  }));
  for (const { seat, amount } of fees) seat.charged = amount > 0;
  const charged = fees.filter(({ amount }) => amount > 0);
  const credits = charged
    .flatMap(({ seat, amount }) => {
      const shares = splitSeatAmount(state, session, seat, amount);
      return getSeatCharges(state, session.n, seat.student).map((charge) => ({
        charge,
        amount: shares.find(({ payer }) => payer === charge.family)?.amount ?? 0,
      }));
    })
    .toSorted((a, b) => a.charge.n - b.charge.n);
  for (const { charge, amount } of credits) {
    if (charge.invoice !== null) creditDownToAmount(state, charge, amount);
  }
  allocateCreditFor(
    state,
    charged.flatMap(({ seat, amount }) => chargeSeat(state, session, seat, amount, 'cancellation')),
  );
  creditPrepaid(
    state,
    fees.filter(({ amount }) => amount === 0).map(({ seat }) => ({ session, seat })),
  );
}

export function cancelSession(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'cancel' }>,
): void {
  const session = getScheduledSession(state, command.session);
  session.status = 'cancelled';
  settleCancelledSeats(state, session, expectedSeats(session), command);
}

export function cancelSeat(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'cancel seat' }>,
): void {
  const session = getScheduledSession(state, command.session);
  const seat = getSeat(session, command.student);
  if (!seat || seat.cancelled) throw new RejectedError('not_found', 'not expected');
  if (expectedSeats(session).length === 1)
    throw new RejectedError('conflict', 'no one else is expected');
  settleCancelledSeats(state, session, [seat], command);
  seat.cancelled = true;
}

export function restoreSeat(state: LedgerState, n: number, student: number): void {
  const session = getScheduledSession(state, n);
  const seat = getSeat(session, student);
  if (!seat?.cancelled) throw new RejectedError('conflict', 'the seat is not cancelled');
  reverseSeats(state, session, [seat]);
  seat.cancelled = false;
  repriceSession(state, session);
}

export function reopenSession(state: LedgerState, n: number): void {
  const session = getSession(state, n);
  if (session.status !== 'completed' && session.status !== 'cancelled') {
    throw new RejectedError('conflict', `the session is ${session.status}`);
  }
  reverseSeats(state, session, expectedSeats(session));
  session.status = 'scheduled';
  repriceSession(state, session);
}

function reverseSeats(state: LedgerState, session: ModelSession, seats: ModelSeat[]): void {
  const charges = seats.flatMap(({ student }) => getSeatCharges(state, session.n, student));
  if (charges.some((charge) => charge.invoice !== null))
    throw new RejectedError('conflict', 'a charge is on an invoice');
  for (const seat of seats) seat.charged = false;
  for (const charge of charges) reduceCharge(state.ledger, charge, 'reversal');
  allocateCreditFor(state, charges);
}

/** A seat that was cancelled stays with the old session, and so do its charges. */
export function moveSession(state: LedgerState, n: number, date: string): void {
  const session = getScheduledSession(state, n);
  const seats = expectedSeats(session);
  const replacement: ModelSession = {
    ...structuredClone(session),
    n: state.sessions.length + 1,
    seats: structuredClone(seats),
    date,
    movedFrom: n,
    movedTo: null,
  };
  state.sessions.push(replacement);
  session.status = 'rescheduled';
  session.movedTo = replacement.n;
  for (const charge of seats.flatMap(({ student }) => getSeatCharges(state, n, student)))
    charge.session = replacement.n;
  for (const each of [session, replacement]) repriceSession(state, each);
}

/** Rejected if the students or entered fees have changed since the move. A charged seat keeps its fee. */
export function undoMove(state: LedgerState, n: number): void {
  const replacement = getScheduledSession(state, n);
  const original = state.sessions.find((session) => session.n === replacement.movedFrom);
  if (original?.status !== 'rescheduled' || original.movedTo !== n)
    throw new RejectedError('conflict', 'the session was not moved');
  if (comparableSeats(original) !== comparableSeats(replacement))
    throw new RejectedError('conflict', 'the session has changed');
  for (const { student, fee, source } of expectedSeats(replacement)) {
    const charges = getSeatCharges(state, n, student);
    for (const charge of charges) charge.session = original.n;
    if (charges.length > 0)
      Object.assign(requireDefined(getSeat(original, student)), { fee, source });
  }
  Object.assign(original, { status: 'scheduled', movedTo: null });
  Object.assign(replacement, { status: 'rescheduled', movedTo: original.n });
  for (const session of [original, replacement]) repriceSession(state, session);
}

const comparableSeats = (session: ModelSession): string =>
  JSON.stringify(
    expectedSeats(session).map(({ student, fee, source }) => [
      student,
      source === 'entered' ? fee : 'rate',
    ]),
  );
