/** The label for an entry on screens, invoices and receipts. */
export function formatEntryLabel(entry: {
  kind: string;
  description: string | null;
  subjectName: string | null;
  invoiceId?: number | null;
  amount?: number;
}): string {
  const subject = entry.subjectName;
  switch (entry.kind) {
    case 'lesson':
      return subject ? `${subject} lesson` : 'Lesson';
    case 'cancellation':
      return subject ? `${subject}, late cancellation` : 'Late cancellation';
    case 'travel':
      return 'Travel fee';
    case 'opening':
      return 'Opening balance';
    case 'credit_note': {
      // An amount that is no longer owed has a credit note only if it was on an invoice.
      const label = entry.invoiceId === null ? 'No longer owed' : 'Credit note';
      return subject ? `${label}, ${subject}` : label;
    }
    case 'write_off': {
      const label = (entry.amount ?? 0) > 0 ? 'Write-off reversed' : 'Written off';
      return subject ? `${label}, ${subject}` : label;
    }
    case 'reversal':
      return subject ? `Reversed, ${subject}` : 'Reversed';
    case 'refund':
      return 'Refund';
    case 'dispute':
      return 'Disputed payment';
    case 'payment':
      return 'Payment';
    default:
      return entry.description ?? 'Item';
  }
}
