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

/* Completing, cancelling, reopening and moving, and the charges that follow from them. */

/** All are written down before any money moves: credit goes to the oldest of them. */
export function complete(
  state: LedgerState,
  act: Extract<LedgerCommand, { kind: 'complete' }>,
): void {
  const sessions = act.sessions.map((n) => getScheduledSession(state, n));
  const made: MCharge[] = [];
  for (const session of sessions) {
    const ahead = chargeOfSession(state, session.n);
    const { fee } = session;
    Object.assign(session, { status: 'completed', charged: act.charge && fee !== null });
    if (ahead && !act.charge) creditDownToAmount(state, ahead, 0);
    if (ahead || !act.charge || fee === null) continue;
    made.push(chargeSession(state, session, { kind: 'lesson', amount: fee, invoice: null }));
  }
  for (const { family, currency } of made) allocateFreePayments(state.ledger, family, currency);
}

/** What the policy asks for: too little notice, and not the tutor's own doing. */
function feeFor(state: LedgerState, session: MSession, by: string): number {
  if (by === 'tutor' || session.fee === null) return 0;
  const at = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}:00Z`);
  const notice = (at(`${session.date} ${session.start}`) - at(state.now)) / 3_600_000;
  if (notice >= state.policy.noticeHours) return 0;
  return Math.round((session.fee * state.policy.feePercent) / 100);
}

export function cancel(state: LedgerState, act: Extract<LedgerCommand, { kind: 'cancel' }>): void {
  const session = getScheduledSession(state, act.session);
  const ahead = chargeOfSession(state, act.session);
  const amount = act.fee ? feeFor(state, session, act.by) : 0;
  session.status = 'cancelled';
  session.charged = amount > 0;
  if (ahead) creditDownToAmount(state, ahead, amount);
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
