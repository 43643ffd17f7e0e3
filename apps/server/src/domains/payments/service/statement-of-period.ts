import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { balancesBefore, entriesBetween } from '../queries/ledger.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';

export interface StatementOfPeriod {
  /** What was owed at the start; negative for a credit. */
  opening: { currency: Currency; owed: number }[];
  /** Excludes pairs that cancel each other out. */
  entries: {
    date: string;
    /** The student's first name. */
    studentName: string | null;
    description: string;
    invoiceNumber: string | null;
    currency: Currency;
    /** Positive for charges, negative for payments. */
    amount: number;
  }[];
}

/** More entries than any account has in the longest period. */
const MAX_STATEMENT_ENTRIES = 5000;

/** The charges and payments of a period. */
export async function getStatementOfPeriod(
  tx: Tx,
  tutorId: string,
  familyId: number,
  period: { from: string; to: string },
): Promise<StatementOfPeriod> {
  const [opening, entries] = await executeBatch(tx, [
    balancesBefore(tx, tutorId, familyId, period.from),
    entriesBetween(tx, tutorId, familyId, period, MAX_STATEMENT_ENTRIES),
  ]);
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const writeOffs = Map.groupBy(
    entries.filter(({ kind }) => kind === 'write_off'),
    ({ reverses }) => reverses,
  );
  const hidden = new Set([
    ...entries
      // The reversal of a partly credited charge is only for the remainder, so the two do not cancel out.
      .filter(
        ({ kind, reverses, amount }) =>
          kind === 'reversal' && amount === -(byKey.get(reverses ?? '')?.amount ?? 0),
      )
      .flatMap(({ key, reverses }) => [key, reverses]),
    ...[...writeOffs.values()]
      .filter((group) => group.reduce((sum, { amount }) => sum + amount, 0) === 0)
      .flatMap((group) => group.map(({ key }) => key)),
  ]);
  return {
    opening: opening.map(({ currency, owed }) => ({ currency: currency as Currency, owed })),
    entries: entries
      .filter(({ key }) => !hidden.has(key))
      .map((entry) => ({
        date: entry.date,
        studentName: entry.studentName && firstName(entry.studentName),
        description: formatEntryLabel(entry),
        invoiceNumber: entry.invoiceNumber,
        currency: entry.currency as Currency,
        amount: entry.amount,
      })),
  };
}
