import type { Invoice, InvoiceChange, InvoiceLine } from '@lessonbook/contract/invoices';
import { count } from '../../lib/format.ts';

export interface ChildLines {
  /** None for what belongs to no child. */
  name: string | null;
  lines: InvoiceLine[];
}

/** Lines under their children, in the order they come; what belongs to no child stands last. */
export function byChild(lines: readonly InvoiceLine[]): ChildLines[] {
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
export const inOrder = (lines: readonly InvoiceLine[]): InvoiceLine[] =>
  byChild(lines).flatMap(({ lines: own }) =>
    own.toSorted((one, other) => one.date.localeCompare(other.date)),
  );

type LineInput = InvoiceChange['lines'][number];

/** What the server wants to hear about a line that is there already. */
export function inputOf(line: InvoiceLine): LineInput {
  if (line.chargeId !== null) return { chargeId: line.chargeId };
  if (line.sessionId !== null) return { sessionId: line.sessionId };
  return { description: line.description, amount: line.amount };
}

export const totalOf = (lines: readonly Pick<InvoiceLine, 'amount'>[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/** What a credit note can still take off. */
export const creditable = ({ amount, credited }: InvoiceLine): number => amount - credited;

/** '2 lessons still to come are charged now.' */
export function ahead(invoices: readonly Pick<Invoice, 'lines'>[]): string | null {
  const lessons = invoices.flatMap(({ lines }) => lines).filter((line) => line.ahead).length;
  if (lessons === 0) return null;
  return `${count(lessons, 'lesson still to come is', 'lessons still to come are')} charged now.`;
}
