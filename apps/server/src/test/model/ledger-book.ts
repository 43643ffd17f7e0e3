import type { Currency } from '@lessonbook/contract/money';
import { addCharge, found, isGone, type Ledger, type MCharge, Refused } from './ledger-model.ts';

/* What a tutor has beside the account: sessions, payers, invoices; and what a tutor can do. */

export interface MSession {
  n: number;
  student: number;
  subject: number;
  currency: Currency;
  fee: number | null;
  date: string;
  start: string;
  status: 'scheduled' | 'completed' | 'cancelled' | 'rescheduled';
  charged: boolean;
}

interface MInvoice {
  n: number;
  family: string;
  currency: Currency;
  issuedOn: string;
  lines: { charge: number; amount: number }[];
  void: boolean;
}

export interface MNote {
  n: number;
  invoice: number;
  lines: { charge: number; amount: number }[];
}

export interface LedgerBook {
  ledger: Ledger;
  sessions: MSession[];
  /** Who pays for each student now: "carer 1", "student 4". */
  payers: string[];
  invoices: MInvoice[];
  notes: MNote[];
  policy: { noticeHours: number; feePercent: number };
  /** On the tutor's wall, "2026-11-16 12:00". */
  now: string;
}

export type LineAct = { charge: number } | { session: number } | { item: string; amount: number };

export type Act =
  | { kind: 'complete'; sessions: number[]; charge: boolean }
  | {
      kind: 'cancel';
      session: number;
      by: 'tutor' | 'student' | 'carer';
      fee: boolean;
      /** The tutor's own ways to call a session off; all are free. */
      via: 'call' | 'time off' | 'delete';
    }
  | { kind: 'reopen'; session: number }
  | { kind: 'move'; session: number; date: string }
  | {
      kind: 'pay';
      family: string;
      currency: Currency;
      amount: number;
      on: string;
      named: number[];
    }
  | { kind: 'refund'; payment: number; amount: number }
  | { kind: 'take back'; payment: number }
  | { kind: 'opening'; family: string; currency: Currency; amount: number; on: string }
  | { kind: 'take back opening'; charge: number }
  | { kind: 'invoice'; family: string; currency: Currency; lines: LineAct[] }
  | { kind: 'void'; invoice: number }
  | { kind: 'credit'; invoice: number; lines: { charge: number; amount: number }[] }
  | { kind: 'payer'; student: number; payer: string }
  | { kind: 'wait'; hours: number };

export const today = (book: LedgerBook): string => book.now.slice(0, 10);

export const sessionOf = (book: LedgerBook, n: number): MSession => found(book.sessions[n - 1]);

/** The charge that a session has now. */
export const chargeOfSession = (book: LedgerBook, n: number): MCharge | undefined =>
  book.ledger.charges.find((charge) => charge.session === n && !isGone(charge));

export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function scheduled(book: LedgerBook, n: number): MSession {
  const session = sessionOf(book, n);
  if (session.status !== 'scheduled') throw new Refused('conflict', `it is ${session.status}`);
  return session;
}

const payerOf = (book: LedgerBook, student: number): string => found(book.payers[student - 1]);

export function chargeSession(
  book: LedgerBook,
  session: MSession,
  how: { kind: 'lesson' | 'cancellation'; amount: number; invoice: number | null },
): MCharge {
  const { student, subject, currency } = session;
  const family = payerOf(book, student);
  const about = { family, student, session: session.n, subject, currency, due: session.date };
  return addCharge(book.ledger, { ...about, ...how });
}
