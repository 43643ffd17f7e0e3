import type { LedgerEntry } from '@lessonbook/contract/families';
import { METHOD_NAMES } from '@lessonbook/contract/method-names';
import type { Currency } from '@lessonbook/contract/money';
import type { PaymentMethod } from '@lessonbook/contract/payments';
import { firstName } from '../../lib/format.ts';

/** 'Maths lesson, Maya' and 'Payment, bank transfer': what, and which child. */
export function entryInWords(entry: LedgerEntry): string {
  const more = entry.studentName ? firstName(entry.studentName) : methodInWords(entry);
  return [entry.description, more].filter(Boolean).join(', ');
}

function methodInWords({ kind, method }: LedgerEntry): string | null {
  if (method === null || (kind !== 'payment' && kind !== 'refund')) return null;
  return (METHOD_NAMES[method as PaymentMethod] ?? method).toLowerCase();
}

/** What the account said after an entry; credit is never a minus. */
export function runningBalance({ balance, currency }: LedgerEntry, amount: AmountText): string {
  if (balance > 0) return `${amount(balance, currency)} owed`;
  return balance < 0 ? `${amount(-balance, currency)} in credit` : 'Nothing owed';
}

/** As the column writes its amounts. */
export type AmountText = (minor: number, currency: Currency) => string;

/** Money received, or a charge that was lessened: what the payer owes goes down. */
export const lessens = ({ amount }: LedgerEntry): boolean => amount < 0;
