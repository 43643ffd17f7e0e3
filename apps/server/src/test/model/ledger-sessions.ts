import {
  type Act,
  chargeOfSession,
  chargeSession,
  type LedgerBook,
  type MSession,
  scheduled,
  sessionOf,
} from './ledger-book.ts';
import { creditDownTo } from './ledger-invoices.ts';
import { type MCharge, Refused, settle, takeOff } from './ledger-model.ts';

/* Completing, cancelling, reopening and moving, and the charges that follow from them. */

/** All are written down before any money moves: credit goes to the oldest of them. */
export function complete(book: LedgerBook, act: Extract<Act, { kind: 'complete' }>): void {
  const sessions = act.sessions.map((n) => scheduled(book, n));
  const made: MCharge[] = [];
  for (const session of sessions) {
    const ahead = chargeOfSession(book, session.n);
    const { fee } = session;
    Object.assign(session, { status: 'completed', charged: act.charge && fee !== null });
    if (ahead && !act.charge) creditDownTo(book, ahead, 0);
    if (ahead || !act.charge || fee === null) continue;
    made.push(chargeSession(book, session, { kind: 'lesson', amount: fee, invoice: null }));
  }
  for (const { family, currency } of made) settle(book.ledger, family, currency);
}

/** What the policy asks for: too little notice, and not the tutor's own doing. */
function feeFor(book: LedgerBook, session: MSession, by: string): number {
  if (by === 'tutor' || session.fee === null) return 0;
  const at = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}:00Z`);
  const notice = (at(`${session.date} ${session.start}`) - at(book.now)) / 3_600_000;
  if (notice >= book.policy.noticeHours) return 0;
  return Math.round((session.fee * book.policy.feePercent) / 100);
}

export function cancel(book: LedgerBook, act: Extract<Act, { kind: 'cancel' }>): void {
  const session = scheduled(book, act.session);
  const ahead = chargeOfSession(book, act.session);
  const amount = act.fee ? feeFor(book, session, act.by) : 0;
  session.status = 'cancelled';
  session.charged = amount > 0;
  if (ahead) creditDownTo(book, ahead, amount);
  else if (amount > 0) {
    const charge = chargeSession(book, session, { kind: 'cancellation', amount, invoice: null });
    settle(book.ledger, charge.family, charge.currency);
  }
}

export function reopen(book: LedgerBook, n: number): void {
  const session = sessionOf(book, n);
  if (session.status !== 'completed' && session.status !== 'cancelled') {
    throw new Refused('conflict', `it is ${session.status}`);
  }
  const charge = chargeOfSession(book, n);
  if (charge && charge.invoice !== null) throw new Refused('conflict', 'it is on an invoice');
  Object.assign(session, { status: 'scheduled', charged: false });
  if (!charge) return;
  takeOff(book.ledger, charge, 'reversal');
  settle(book.ledger, charge.family, charge.currency);
}

export function move(book: LedgerBook, n: number, date: string): void {
  const session = scheduled(book, n);
  const charge = chargeOfSession(book, n);
  const replacement = { ...session, n: book.sessions.length + 1, date };
  book.sessions.push(replacement);
  session.status = 'rescheduled';
  if (charge) charge.session = replacement.n;
}
