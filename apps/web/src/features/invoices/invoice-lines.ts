import type { InvoiceDraftUpdate } from '@lessonbook/contract/invoice-inputs';
import type { Invoice, InvoiceLine } from '@lessonbook/contract/invoices';
import { pluralize } from '../../lib/format.ts';

export interface ChildLines {
  /** Null for lines that belong to no child. */
  name: string | null;
  lines: InvoiceLine[];
}

/** Groups lines by child in order of appearance. Lines that belong to no child come last. */
export function groupByStudent(lines: readonly InvoiceLine[]): ChildLines[] {
  const groups = new Map<string | null, InvoiceLine[]>();
  for (const line of lines) {
    const group = groups.get(line.studentName);
    if (group) group.push(line);
    else groups.set(line.studentName, [line]);
  }
  return [...groups]
    .map(([name, childLines]) => ({ name, lines: childLines }))
    .toSorted((a, b) => Number(a.name === null) - Number(b.name === null));
}

/** Sorts lines by child and date, so that a lesson added later is printed in the right place. */
export const sortLines = (lines: readonly InvoiceLine[]): InvoiceLine[] =>
  groupByStudent(lines).flatMap(({ lines: childLines }) =>
    childLines.toSorted((a, b) => a.date.localeCompare(b.date)),
  );

type LineInput = InvoiceDraftUpdate['lines'][number];

/** Converts an existing line to its request format. */
export function toLineInput(line: InvoiceLine): LineInput {
  if (line.chargeId !== null) return { chargeId: line.chargeId };
  if (line.sessionId !== null) return { sessionId: line.sessionId, studentId: line.studentId };
  return { description: line.description, amount: line.amount };
}

export const sumAmounts = (lines: readonly Pick<InvoiceLine, 'amount'>[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/** The amount that a credit note can still reverse. */
export const creditableAmount = ({ amount, credited }: InvoiceLine): number => amount - credited;

/** '2 upcoming lessons are charged now.' */
export function formatUpcomingCharges(invoices: readonly Pick<Invoice, 'lines'>[]): string | null {
  const lessons = invoices
    .flatMap(({ lines }) => lines)
    .filter((line) => line.isFutureSession).length;
  if (lessons === 0) return null;
  return `${pluralize(lessons, 'upcoming lesson is', 'upcoming lessons are')} charged now.`;
}
