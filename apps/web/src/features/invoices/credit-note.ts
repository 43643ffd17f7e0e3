import { CreditNoteInput, type InvoiceLine } from '@lessonbook/contract/invoices';
import { toMajor } from '@lessonbook/contract/money';
import { amountText, readMinor } from '../../lib/amount.ts';
import { creditable } from './invoice-lines.ts';

/** What the tutor says about a line, by its charge; one that is not here is not credited. */
export type Credits = Readonly<Record<number, string>>;

export interface CreditLine extends InvoiceLine {
  chargeId: number;
}

/** A credit note takes back charges, so only a line that has one can stand on it, for what is left of it. */
export const creditLines = (lines: readonly InvoiceLine[]): CreditLine[] =>
  lines.filter((line): line is CreditLine => line.chargeId !== null && creditable(line) > 0);

/** All that is left of a line, as it stands in its field. */
export const fullCredit = (line: InvoiceLine): string => amountText(toMajor(creditable(line)));

/** Why an amount cannot be credited, in words; nothing for one that can. */
export function problemWith(line: InvoiceLine, text: string): string | null {
  const amount = readMinor(text);
  if (amount === null || !Number.isInteger(amount)) return 'Please enter an amount';
  if (amount <= 0) return 'The amount must be greater than 0';
  return amount > creditable(line) ? `At most ${fullCredit(line)} is left to credit` : null;
}

/** The note as the server wants it, or null while something is missing or wrong. */
export function creditNoteOf(
  lines: readonly CreditLine[],
  credits: Credits,
  reason: string,
): CreditNoteInput | null {
  const ticked = lines.filter(({ chargeId }) => credits[chargeId] !== undefined);
  if (ticked.some((line) => problemWith(line, credits[line.chargeId] ?? ''))) return null;
  const checked = CreditNoteInput.safeParse({
    lines: ticked.map(({ chargeId }) => ({
      chargeId,
      amount: readMinor(credits[chargeId] ?? ''),
    })),
    ...(reason.trim() && { reason }),
  });
  return checked.success ? checked.data : null;
}
