import type { InvoiceState } from '@lessonbook/contract/invoices';

export interface InvoiceStateInput {
  issued: boolean;
  voided: boolean;
  total: number;
  /** Includes what was written off. */
  credited: number;
  writtenOff: number;
  due: number;
  onHold: number;
  dueOn: string | null;
}

/** Derived rather than stored, so that it is always consistent with the invoice and its payments. */
export function deriveInvoiceState(invoice: InvoiceStateInput, today: string): InvoiceState {
  if (!invoice.issued) return 'draft';
  if (invoice.voided) return 'void';
  if (invoice.due === 0) return invoice.writtenOff > 0 ? 'written_off' : 'paid';
  if (invoice.due === invoice.onHold) return 'on_hold';
  if (invoice.dueOn !== null && invoice.dueOn < today) return 'overdue';
  return invoice.due < invoice.total - invoice.credited ? 'part_paid' : 'sent';
}
