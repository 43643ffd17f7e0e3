import type { InvoiceRow, InvoiceState } from './invoices.ts';

/** Labels for screens. */
export const INVOICE_STATE_LABELS: Record<InvoiceState, string> = {
  draft: 'Draft',
  // 'sent' means issued; the message log records whether it was sent.
  sent: 'Issued',
  part_paid: 'Part paid',
  paid: 'Paid',
  overdue: 'Overdue',
  on_hold: 'On hold',
  written_off: 'Written off',
  void: 'Void',
};

/** Labels for the reasons why the payer is not asked for an amount yet. */
export const HOLD_REASON_LABELS: Record<NonNullable<InvoiceRow['holdReason']>, string> = {
  query: 'Queried',
  dispute: 'Disputed with the bank',
  refund: 'Refunded',
  instalments: 'In instalments',
};

/** The label of a state, with the reason for an invoice that is on hold. */
export const formatInvoiceState = ({
  state,
  holdReason,
}: Pick<InvoiceRow, 'state' | 'holdReason'>): string =>
  state === 'on_hold' && holdReason ? HOLD_REASON_LABELS[holdReason] : INVOICE_STATE_LABELS[state];
