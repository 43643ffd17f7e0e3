import type { PaymentMethod } from '@lessonbook/contract/payments';

export const METHOD_NAMES: Record<PaymentMethod, string> = {
  cash: 'Cash',
  bank_transfer: 'Bank transfer',
  other: 'Other',
  card: 'Card',
  opening: 'Opening balance',
};
