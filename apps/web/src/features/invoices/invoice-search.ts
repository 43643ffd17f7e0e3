import type { InvoiceRow } from '@lessonbook/contract/invoices';

/** Every word must be there somewhere: in the number, the payer's name or a child's. */
export function found(rows: readonly InvoiceRow[], words: string): InvoiceRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ number, familyName, students }) => {
    const text = [number, familyName, ...students].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
