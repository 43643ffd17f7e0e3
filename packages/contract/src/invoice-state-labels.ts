import type { InvoiceState } from './invoices.ts';

/** Labels for screens. */
export const INVOICE_STATE_LABELS: Record<InvoiceState, string> = {
  draft: 'Draft',
  // 'sent' means issued; the message log records whether it was sent.
  sent: 'Issued',
  part_paid: 'Part paid',
  paid: 'Paid',
  overdue: 'Overdue',
  on_hold: 'Refunded',
  void: 'Void',
};
