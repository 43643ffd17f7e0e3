import { CreditNoteInput, type InvoiceLine } from '@lessonbook/contract/invoices';
import { toMajor } from '@lessonbook/contract/money';
import { formatAmountInput, parseMinor } from '../../lib/parse-input.ts';
import { creditableAmount } from './invoice-lines.ts';

/* Not in `invoice-lines.ts`, which is part of the first load of the invoice page. */

/** The amount typed for each selected line, keyed by charge id. */
export type CreditAmounts = Readonly<Record<number, string>>;

export interface CreditLine extends InvoiceLine {
  chargeId: number;
}

/** A credit note reverses charges, so only lines with a charge and an amount left to credit qualify. */
export const creditableLines = (lines: readonly InvoiceLine[]): CreditLine[] =>
  lines.filter((line): line is CreditLine => line.chargeId !== null && creditableAmount(line) > 0);

/** The amount of a line that can still be credited, as input text. */
export const maxCreditText = (line: InvoiceLine): string =>
  formatAmountInput(toMajor(creditableAmount(line)));

/** The error message for an amount, or null if it can be credited. */
export function validateCredit(line: InvoiceLine, text: string): string | null {
  const amount = parseMinor(text);
  if (amount === null || !Number.isInteger(amount)) return 'Please enter an amount';
  if (amount <= 0) return 'The amount must be greater than 0';
  return amount > creditableAmount(line)
    ? `At most ${maxCreditText(line)} is left to credit`
    : null;
}

/** The request body, or null while something is missing or invalid. */
export function toCreditNoteInput(
  lines: readonly CreditLine[],
  credits: CreditAmounts,
  reason: string,
): CreditNoteInput | null {
  const selected = lines.filter(({ chargeId }) => credits[chargeId] !== undefined);
  if (selected.some((line) => validateCredit(line, credits[line.chargeId] ?? ''))) return null;
  const checked = CreditNoteInput.safeParse({
    lines: selected.map(({ chargeId }) => ({
      chargeId,
      amount: parseMinor(credits[chargeId] ?? ''),
    })),
    ...(reason.trim() && { reason }),
  });
  return checked.success ? checked.data : null;
}
