import type { LedgerEntry } from '@lessonbook/contract/families';
import type { Currency } from '@lessonbook/contract/money';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import type { PaymentMethod } from '@lessonbook/contract/payments';
import { firstName } from '../../lib/format.ts';

/** 'Maths lesson, Maya' and 'Payment, bank transfer': what, and which child. */
export function formatEntry(entry: LedgerEntry): string {
  const more = entry.studentName ? firstName(entry.studentName) : formatMethod(entry);
  return [entry.description, more].filter(Boolean).join(', ');
}

function formatMethod({ kind, method }: LedgerEntry): string | null {
  if (method === null || (kind !== 'payment' && kind !== 'refund')) return null;
  return (PAYMENT_METHOD_LABELS[method as PaymentMethod] ?? method).toLowerCase();
}

/** What the account said after an entry; credit is never a minus. */
export function formatRunningBalance(
  { balance, currency }: LedgerEntry,
  amount: FormatAmount,
): string {
  if (balance > 0) return `${amount(balance, currency)} owed`;
  return balance < 0 ? `${amount(-balance, currency)} in credit` : 'Nothing owed';
}

/** As the column writes its amounts. */
export type FormatAmount = (minor: number, currency: Currency) => string;

/** Money received, or a charge that was lessened: what the payer owes goes down. */
export const reducesBalance = ({ amount }: LedgerEntry): boolean => amount < 0;

/** One line of the account: an entry, or one that was taken back together with what took it back. */
export interface LedgerRow {
  entry: LedgerEntry;
  /** What took the entry back. */
  takenBackBy: LedgerEntry | null;
}

/**
 * A mistake and its correction become one line, at the place of the correction: that is when something happened. Where
 * only one of the two is on the pages that are here, it stands alone.
 */
export function foldReversals(entries: readonly LedgerEntry[]): LedgerRow[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const folded = new Set(
    entries.flatMap(({ reverses }) => (reverses && byKey.has(reverses) ? [reverses] : [])),
  );
  return entries
    .filter(({ key }) => !folded.has(key))
    .map((entry) => {
      const original = entry.reverses ? byKey.get(entry.reverses) : undefined;
      return original ? { entry: original, takenBackBy: entry } : { entry, takenBackBy: null };
    });
}
