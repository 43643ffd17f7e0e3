/** The label for an entry on screens, invoices and receipts. */
export function formatEntryLabel(entry: {
  kind: string;
  description: string | null;
  subjectName: string | null;
}): string {
  const subject = entry.subjectName;
  switch (entry.kind) {
    case 'lesson':
      return subject ? `${subject} lesson` : 'Lesson';
    case 'cancellation':
      return subject ? `${subject}, late cancellation` : 'Late cancellation';
    case 'opening':
      return 'Opening balance';
    case 'credit_note':
      return subject ? `Credit note, ${subject}` : 'Credit note';
    case 'reversal':
      return subject ? `Taken back, ${subject}` : 'Taken back';
    case 'refund':
      return 'Refund';
    case 'payment':
      return 'Payment';
    default:
      return entry.description ?? 'Item';
  }
}
