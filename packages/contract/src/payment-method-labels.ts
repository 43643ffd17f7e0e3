import type { PaymentMethod } from './payments.ts';

/** Labels for screens and exports. */
export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  cash: 'Cash',
  bank_transfer: 'Bank transfer',
  other: 'Other',
  card: 'Card',
  opening: 'Opening balance',
};
