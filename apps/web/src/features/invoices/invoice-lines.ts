import {
  CreditNoteInput,
  type Invoice,
  type InvoiceDraftUpdate,
  type InvoiceLine,
} from '@lessonbook/contract/invoices';
import { toMajor } from '@lessonbook/contract/money';
import { pluralize } from '../../lib/format.ts';
import { formatAmountInput, parseMinor } from '../../lib/parse-input.ts';

/** What the tutor says about a line, by its charge; one that is not here is not credited. */
export type CreditAmounts = Readonly<Record<number, string>>;

export interface CreditLine extends InvoiceLine {
  chargeId: number;
}

/** A credit note takes back charges, so only a line that has one can stand on it, for what is left of it. */
export const creditableLines = (lines: readonly InvoiceLine[]): CreditLine[] =>
  lines.filter((line): line is CreditLine => line.chargeId !== null && creditableAmount(line) > 0);

/** All that is left of a line, as it stands in its field. */
export const maxCreditText = (line: InvoiceLine): string =>
  formatAmountInput(toMajor(creditableAmount(line)));

/** Why an amount cannot be credited, in words; nothing for one that can. */
export function validateCredit(line: InvoiceLine, text: string): string | null {
  const amount = parseMinor(text);
  if (amount === null || !Number.isInteger(amount)) return 'Please enter an amount';
  if (amount <= 0) return 'The amount must be greater than 0';
  return amount > creditableAmount(line)
    ? `At most ${maxCreditText(line)} is left to credit`
    : null;
}

/** The note as the server wants it, or null while something is missing or wrong. */
export function toCreditNoteInput(
  lines: readonly CreditLine[],
  credits: CreditAmounts,
  reason: string,
): CreditNoteInput | null {
  const ticked = lines.filter(({ chargeId }) => credits[chargeId] !== undefined);
  if (ticked.some((line) => validateCredit(line, credits[line.chargeId] ?? ''))) return null;
  const checked = CreditNoteInput.safeParse({
    lines: ticked.map(({ chargeId }) => ({
      chargeId,
      amount: parseMinor(credits[chargeId] ?? ''),
    })),
    ...(reason.trim() && { reason }),
  });
  return checked.success ? checked.data : null;
}

export interface ChildLines {
  /** None for what belongs to no child. */
  name: string | null;
  lines: InvoiceLine[];
}

/** Lines under their children, in the order they come; what belongs to no child stands last. */
export function groupByChild(lines: readonly InvoiceLine[]): ChildLines[] {
  const groups = new Map<string | null, InvoiceLine[]>();
  for (const line of lines) {
    const group = groups.get(line.studentName);
    if (group) group.push(line);
    else groups.set(line.studentName, [line]);
  }
  return [...groups]
    .map(([name, own]) => ({ name, lines: own }))
    .toSorted((one, other) => Number(one.name === null) - Number(other.name === null));
}

/** By child and date, so that a lesson that is added later stands where it belongs on paper. */
export const sortLines = (lines: readonly InvoiceLine[]): InvoiceLine[] =>
  groupByChild(lines).flatMap(({ lines: own }) =>
    own.toSorted((one, other) => one.date.localeCompare(other.date)),
  );

type LineInput = InvoiceDraftUpdate['lines'][number];

/** What the server wants to hear about a line that is there already. */
export function toLineInput(line: InvoiceLine): LineInput {
  if (line.chargeId !== null) return { chargeId: line.chargeId };
  if (line.sessionId !== null) return { sessionId: line.sessionId };
  return { description: line.description, amount: line.amount };
}

export const sumAmounts = (lines: readonly Pick<InvoiceLine, 'amount'>[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/** What a credit note can still take off. */
export const creditableAmount = ({ amount, credited }: InvoiceLine): number => amount - credited;

/** '2 lessons still to come are charged now.' */
export function formatUpcomingCharges(invoices: readonly Pick<Invoice, 'lines'>[]): string | null {
  const lessons = invoices.flatMap(({ lines }) => lines).filter((line) => line.ahead).length;
  if (lessons === 0) return null;
  return `${pluralize(lessons, 'lesson still to come is', 'lessons still to come are')} charged now.`;
}
