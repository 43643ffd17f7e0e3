import type { PaymentMethod } from './payments.ts';

/** Labels for screens and exports. */
export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  cash: 'Cash',
  bank_transfer: 'Bank transfer',
  other: 'Other',
  card: 'Card',
  opening: 'Opening balance',
};

const METHOD_PHRASES: Record<string, string> = {
  card: ' by card',
  bank_transfer: ' by bank transfer',
  cash: ' in cash',
};

/** What follows 'Paid' on invoices and payment pages: 'on 16 Nov 2026 by card' or 'from earlier credit'. */
export const formatDateAndMethod = (date: string, method: string): string =>
  method === 'opening' ? 'from earlier credit' : `on ${date}${METHOD_PHRASES[method] ?? ''}`;
