import { creditDownToAmount } from './invoice-model.ts';
import { allocateCredit, type ModelCharge, RejectedError, reduceCharge } from './ledger-model.ts';
import {
  chargeSession,
  getScheduledSession,
  getSession,
  getSessionCharge,
  type LedgerCommand,
  type LedgerState,
  type ModelSession,
} from './ledger-state.ts';

/* Completing, cancelling, reopening and moving sessions, with their charges. */

/** Adds all charges before allocating payments, so that credit goes to the oldest charge. */
export function completeSessions(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'complete' }>,
): void {
  const sessions = command.sessions.map((n) => getScheduledSession(state, n));
  const added: ModelCharge[] = [];
  for (const session of sessions) {
    const prepaid = getSessionCharge(state, session.n);
    const { fee } = session;
    Object.assign(session, { status: 'completed', charged: command.charge && fee !== null });
    if (prepaid && !command.charge) creditDownToAmount(state, prepaid, 0);
    if (prepaid || !command.charge || fee === null) continue;
    added.push(chargeSession(state, session, { kind: 'lesson', amount: fee, invoice: null }));
  }
  for (const { family, currency } of added) allocateCredit(state.ledger, family, currency);
}

/** The policy's fee for a late cancellation, unless the tutor cancelled. */
function cancellationFee(state: LedgerState, session: ModelSession, by: string): number {
  if (by === 'tutor' || session.fee === null) return 0;
  const toMs = (local: string) => Date.parse(`${local.replace(' ', 'T')}:00Z`);
  const notice = (toMs(`${session.date} ${session.start}`) - toMs(state.now)) / 3_600_000;
  if (notice >= state.policy.noticeHours) return 0;
  return Math.round((session.fee * state.policy.feePercent) / 100);
}

export function cancelSession(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'cancel' }>,
): void {
  const session = getScheduledSession(state, command.session);
  const prepaid = getSessionCharge(state, command.session);
  const amount = command.fee ? cancellationFee(state, session, command.by) : 0;
  session.status = 'cancelled';
  session.charged = amount > 0;
  if (prepaid) creditDownToAmount(state, prepaid, amount);
  else if (amount > 0) {
    const charge = chargeSession(state, session, { kind: 'cancellation', amount, invoice: null });
    allocateCredit(state.ledger, charge.family, charge.currency);
  }
}

export function reopenSession(state: LedgerState, n: number): void {
  const session = getSession(state, n);
  if (session.status !== 'completed' && session.status !== 'cancelled') {
    throw new RejectedError('conflict', `it is ${session.status}`);
  }
  const charge = getSessionCharge(state, n);
  if (charge && charge.invoice !== null) throw new RejectedError('conflict', 'it is on an invoice');
  Object.assign(session, { status: 'scheduled', charged: false });
  if (!charge) return;
  reduceCharge(state.ledger, charge, 'reversal');
  allocateCredit(state.ledger, charge.family, charge.currency);
}

export function moveSession(state: LedgerState, n: number, date: string): void {
  const session = getScheduledSession(state, n);
  const charge = getSessionCharge(state, n);
  const replacement = { ...session, n: state.sessions.length + 1, date };
  state.sessions.push(replacement);
  session.status = 'rescheduled';
  if (charge) charge.session = replacement.n;
}
