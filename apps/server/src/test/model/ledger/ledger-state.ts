import type { Currency } from '@lessonbook/contract/money';
import {
  addCharge,
  isFullyReversed,
  type Ledger,
  type MCharge,
  orThrow,
  Rejected,
} from './ledger-model.ts';

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

export interface LedgerState {
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

export type LineInput = { charge: number } | { session: number } | { item: string; amount: number };

export type LedgerCommand =
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
  | { kind: 'invoice'; family: string; currency: Currency; lines: LineInput[] }
  | { kind: 'void'; invoice: number }
  | { kind: 'credit'; invoice: number; lines: { charge: number; amount: number }[] }
  | { kind: 'payer'; student: number; payer: string }
  | { kind: 'wait'; hours: number };

export const today = (state: LedgerState): string => state.now.slice(0, 10);

export const sessionOf = (state: LedgerState, n: number): MSession =>
  orThrow(state.sessions[n - 1]);

/** The charge that a session has now. */
export const chargeOfSession = (state: LedgerState, n: number): MCharge | undefined =>
  state.ledger.charges.find((charge) => charge.session === n && !isFullyReversed(charge));

export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function getScheduledSession(state: LedgerState, n: number): MSession {
  const session = sessionOf(state, n);
  if (session.status !== 'scheduled') throw new Rejected('conflict', `it is ${session.status}`);
  return session;
}

const payerOf = (state: LedgerState, student: number): string => orThrow(state.payers[student - 1]);

export function chargeSession(
  state: LedgerState,
  session: MSession,
  how: { kind: 'lesson' | 'cancellation'; amount: number; invoice: number | null },
): MCharge {
  const { student, subject, currency } = session;
  const family = payerOf(state, student);
  const about = { family, student, session: session.n, subject, currency, due: session.date };
  return addCharge(state.ledger, { ...about, ...how });
}
