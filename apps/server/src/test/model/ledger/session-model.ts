import { creditDownToAmount } from './invoice-model.ts';
import { allocateFreePayments, type MCharge, Rejected, reduceCharge } from './ledger-model.ts';
import {
  chargeOfSession,
  chargeSession,
  getScheduledSession,
  type LedgerCommand,
  type LedgerState,
  type MSession,
  sessionOf,
} from './ledger-state.ts';

/* Completing, cancelling, reopening and moving sessions, with their charges. */

/** Adds all charges before allocating payments, so that credit goes to the oldest charge. */
export function complete(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'complete' }>,
): void {
  const sessions = command.sessions.map((n) => getScheduledSession(state, n));
  const added: MCharge[] = [];
  for (const session of sessions) {
    const prepaid = chargeOfSession(state, session.n);
    const { fee } = session;
    Object.assign(session, { status: 'completed', charged: command.charge && fee !== null });
    if (prepaid && !command.charge) creditDownToAmount(state, prepaid, 0);
    if (prepaid || !command.charge || fee === null) continue;
    added.push(chargeSession(state, session, { kind: 'lesson', amount: fee, invoice: null }));
  }
  for (const { family, currency } of added) allocateFreePayments(state.ledger, family, currency);
}

/** The policy's fee for a late cancellation, unless the tutor cancelled. */
function cancellationFee(state: LedgerState, session: MSession, by: string): number {
  if (by === 'tutor' || session.fee === null) return 0;
  const toMs = (local: string) => Date.parse(`${local.replace(' ', 'T')}:00Z`);
  const notice = (toMs(`${session.date} ${session.start}`) - toMs(state.now)) / 3_600_000;
  if (notice >= state.policy.noticeHours) return 0;
  return Math.round((session.fee * state.policy.feePercent) / 100);
}

export function cancel(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'cancel' }>,
): void {
  const session = getScheduledSession(state, command.session);
  const prepaid = chargeOfSession(state, command.session);
  const amount = command.fee ? cancellationFee(state, session, command.by) : 0;
  session.status = 'cancelled';
  session.charged = amount > 0;
  if (prepaid) creditDownToAmount(state, prepaid, amount);
  else if (amount > 0) {
    const charge = chargeSession(state, session, { kind: 'cancellation', amount, invoice: null });
    allocateFreePayments(state.ledger, charge.family, charge.currency);
  }
}

export function reopen(state: LedgerState, n: number): void {
  const session = sessionOf(state, n);
  if (session.status !== 'completed' && session.status !== 'cancelled') {
    throw new Rejected('conflict', `it is ${session.status}`);
  }
  const charge = chargeOfSession(state, n);
  if (charge && charge.invoice !== null) throw new Rejected('conflict', 'it is on an invoice');
  Object.assign(session, { status: 'scheduled', charged: false });
  if (!charge) return;
  reduceCharge(state.ledger, charge, 'reversal');
  allocateFreePayments(state.ledger, charge.family, charge.currency);
}

export function move(state: LedgerState, n: number, date: string): void {
  const session = getScheduledSession(state, n);
  const charge = chargeOfSession(state, n);
  const replacement = { ...session, n: state.sessions.length + 1, date };
  state.sessions.push(replacement);
  session.status = 'rescheduled';
  if (charge) charge.session = replacement.n;
}
