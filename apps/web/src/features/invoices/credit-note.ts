import { CreditNoteInput } from '@lessonbook/contract/invoice-inputs';
import type { InvoiceLine } from '@lessonbook/contract/invoices';
import { toMajor } from '@lessonbook/contract/money';
import { formatAmountInput, parseMinorUnits } from '../../lib/parse-input.ts';
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
  const amount = parseMinorUnits(text);
  if (amount === null || !Number.isInteger(amount)) return 'Please enter an amount';
  if (amount <= 0) return 'The amount must be greater than 0';
  return amount > creditableAmount(line) ? `You can credit up to ${maxCreditText(line)}` : null;
}

/** The request body, or null while something is missing or invalid. */
export function toCreditNoteInput(
  lines: readonly CreditLine[],
  credits: CreditAmounts,
  reason: string,
): CreditNoteInput | null {
  const selectedLines = lines.filter(({ chargeId }) => credits[chargeId] !== undefined);
  if (selectedLines.some((line) => validateCredit(line, credits[line.chargeId] ?? ''))) return null;
  const parsed = CreditNoteInput.safeParse({
    lines: selectedLines.map(({ chargeId }) => ({
      chargeId,
      amount: parseMinorUnits(credits[chargeId] ?? ''),
    })),
    ...(reason.trim() && { reason }),
  });
  return parsed.success ? parsed.data : null;
}
