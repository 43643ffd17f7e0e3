import type { Currency } from '@lessonbook/contract/money';
import {
  addCharge,
  isFullyReversed,
  type Ledger,
  type ModelCharge,
  orThrow,
  RejectedError,
} from './ledger-model.ts';

/* The state apart from the ledger (sessions, payers and invoices), and the commands. */

export interface ModelSession {
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

interface ModelInvoice {
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
  /** Who currently pays for each student, such as "carer 1" or "student 4". */
  payers: string[];
  invoices: ModelInvoice[];
  creditNotes: ModelCreditNote[];
  policy: { noticeHours: number; feePercent: number };
  /** The tutor's local time, such as "2026-11-16 12:00". */
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
      /** 'time off' and 'delete' apply only if the tutor cancels, and never incur a fee. */
      via: 'cancel' | 'time off' | 'delete';
    }
  | { kind: 'reopen'; session: number }
  | { kind: 'move'; session: number; date: string }
  | {
      kind: 'pay';
      family: string;
      currency: Currency;
      amount: number;
      on: string;
      /** The charges that the tutor selected for this payment. */
      chosen: number[];
    }
  | { kind: 'refund'; payment: number; amount: number }
  | { kind: 'reverse payment'; payment: number }
  | { kind: 'opening'; family: string; currency: Currency; amount: number; on: string }
  | { kind: 'reverse opening balance'; charge: number }
  | { kind: 'invoice'; family: string; currency: Currency; lines: LineInput[] }
  | { kind: 'void'; invoice: number }
  | { kind: 'credit'; invoice: number; lines: { charge: number; amount: number }[] }
  | { kind: 'payer'; student: number; payer: string }
  | { kind: 'wait'; hours: number };

export const today = (state: LedgerState): string => state.now.slice(0, 10);

export const getSession = (state: LedgerState, n: number): ModelSession =>
  orThrow(state.sessions[n - 1]);

/** The session's charge, unless it has been fully reversed. */
export const getSessionCharge = (state: LedgerState, n: number): ModelCharge | undefined =>
  state.ledger.charges.find((charge) => charge.session === n && !isFullyReversed(charge));

export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function getScheduledSession(state: LedgerState, n: number): ModelSession {
  const session = getSession(state, n);
  if (session.status !== 'scheduled')
    throw new RejectedError('conflict', `it is ${session.status}`);
  return session;
}

const getPayer = (state: LedgerState, student: number): string =>
  orThrow(state.payers[student - 1]);

export function chargeSession(
  state: LedgerState,
  session: ModelSession,
  details: { kind: 'lesson' | 'cancellation'; amount: number; invoice: number | null },
): ModelCharge {
  const { student, subject, currency } = session;
  const family = getPayer(state, student);
  const common = { family, student, session: session.n, subject, currency, due: session.date };
  return addCharge(state.ledger, { ...common, ...details });
}
