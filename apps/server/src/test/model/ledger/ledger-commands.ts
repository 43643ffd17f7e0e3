import type { Currency } from '@lessonbook/contract/money';
import type { ModelPayers } from './ledger-state.ts';

export type LineInput =
  | { charge: number }
  | { session: number; student: number }
  | { item: string; amount: number };

export type CancelledBy = 'tutor' | 'student' | 'carer';

export type LedgerCommand =
  | {
      kind: 'complete';
      sessions: number[];
      charge: boolean;
      /** Students of a single session for whom the charge differs. */
      exceptions: number[];
    }
  | { kind: 'cancel seat'; session: number; student: number; by: CancelledBy; fee: boolean }
  | { kind: 'restore seat'; session: number; student: number }
  | { kind: 'contact'; action: 'add' | 'remove'; student: number; contact: string }
  | { kind: 'split'; student: number; from: string; shares: ModelPayers['shares'] }
  | {
      kind: 'cancel';
      session: number;
      by: CancelledBy;
      fee: boolean;
      /** 'time off' and 'delete' apply only if the tutor cancels, and never incur a fee. */
      via: 'cancel' | 'time off' | 'delete';
    }
  | { kind: 'reopen'; session: number }
  | { kind: 'move'; session: number; date: string }
  | { kind: 'undo move'; session: number }
  | {
      kind: 'pay';
      family: string;
      currency: Currency;
      amount: number;
      on: string;
      /** The charges that the tutor selected for this payment. */
      chosenCharges: number[];
    }
  | { kind: 'refund'; payment: number; amount: number }
  | { kind: 'reverse payment'; payment: number }
  | { kind: 'opening'; family: string; currency: Currency; amount: number; on: string }
  | { kind: 'reverse opening balance'; charge: number }
  | { kind: 'invoice'; family: string; currency: Currency; lines: LineInput[] }
  | { kind: 'void'; invoice: number }
  | { kind: 'credit'; invoice: number; lines: { charge: number; amount: number }[] }
  | { kind: 'payer'; student: number; payer: string }
  | {
      kind: 'raise prices';
      /** 0 for all students, or all subjects. */
      student: number;
      subject: number;
      by: { percent: number } | { pennies: number };
      /** The new prices are rounded to this many pennies. */
      step: 1 | 50 | 100;
      from: string;
      /** Otherwise only previewed. */
      save: boolean;
    }
  | {
      kind: 'write off';
      family: string;
      currency: Currency;
      charges: number[];
      /** The total that the tutor was shown. */
      amount: number;
    }
  | { kind: 'reverse write-off'; family: string; charges: number[] }
  | {
      kind: 'agree plan';
      family: string;
      currency: Currency;
      amount: number;
      count: number;
      frequency: 'weekly' | 'monthly';
      firstOn: string;
    }
  | { kind: 'end plan'; family: string; currency: Currency }
  /** The payer asks about the charge in the portal. */
  | { kind: 'ask'; charge: number }
  | { kind: 'withdraw'; query: number }
  | { kind: 'answer'; query: number; isOwed: boolean }
  /** The same request several times concurrently. */
  | { kind: 'repeat'; command: RepeatableCommand; times: number; sameKey: boolean }
  | {
      kind: 'wait';
      hours: number;
      /** Whether the job that marks instalments runs afterwards. In production, it runs every minute. */
      runsJob: boolean;
    };

/** Commands whose endpoints take an idempotency key. */
type RepeatableCommand = Exclude<
  Extract<LedgerCommand, { kind: (typeof REPEATABLE_KINDS)[number] }>,
  { kind: 'repeat' }
>;

const REPEATABLE_KINDS = [
  'pay',
  'refund',
  'reverse payment',
  'opening',
  'reverse opening balance',
  'void',
  'credit',
  'write off',
  'reverse write-off',
  'agree plan',
  'ask',
  'answer',
] as const;

export const isRepeatable = (command: LedgerCommand): command is RepeatableCommand =>
  REPEATABLE_KINDS.some((kind) => kind === command.kind);
