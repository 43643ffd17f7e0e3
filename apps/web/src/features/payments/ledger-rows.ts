import type { LedgerEntry } from '@lessonbook/contract/families';
import type { Currency } from '@lessonbook/contract/money';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import type { PaymentMethod } from '@lessonbook/contract/payments';
import { firstName, formatShortDate } from '../../lib/format.ts';

/** 'Maths lesson, Maya' or 'Payment, bank transfer' */
export function formatEntry(entry: LedgerEntry): string {
  const detail = entry.studentName ? firstName(entry.studentName) : formatMethod(entry);
  return [entry.description, detail].filter(Boolean).join(', ');
}

/** '12 Nov', with the year if it is not the current one. */
export const formatEntryDate = (date: string, today: string): string =>
  formatShortDate(date, today).replace(/^\w+ /, '');

function formatMethod({ kind, method }: LedgerEntry): string | null {
  if (method === null || (kind !== 'payment' && kind !== 'refund')) return null;
  return (PAYMENT_METHOD_LABELS[method as PaymentMethod] ?? method).toLowerCase();
}

/** The balance after an entry; credit is not shown as a negative number. */
export function formatRunningBalance(
  { balance, currency }: LedgerEntry,
  amount: FormatAmount,
): string {
  if (balance > 0) return `${amount(balance, currency)} due`;
  return balance < 0 ? `${amount(-balance, currency)} in credit` : 'Nothing due';
}

export type FormatAmount = (minor: number, currency: Currency) => string;

/** A payment or a reduced charge. */
export const reducesBalance = ({ amount }: LedgerEntry): boolean => amount < 0;

/** A ledger row: an entry, with its reversal if there is one. */
export interface LedgerRow {
  entry: LedgerEntry;
  reversedBy: LedgerEntry | null;
}

/**
 * Folds an entry and its reversal into one row, at the reversal's position. A write-off is not folded, and neither is an
 * entry or reversal whose counterpart is not loaded.
 */
export function foldReversals(entries: readonly LedgerEntry[]): LedgerRow[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const folded = new Set(
    entries.flatMap(({ kind, reverses }) =>
      kind !== 'write_off' && reverses && byKey.has(reverses) ? [reverses] : [],
    ),
  );
  return entries
    .filter(({ key }) => !folded.has(key))
    .map((entry) => {
      const original =
        entry.reverses && entry.kind !== 'write_off' ? byKey.get(entry.reverses) : undefined;
      return original ? { entry: original, reversedBy: entry } : { entry, reversedBy: null };
    });
}
