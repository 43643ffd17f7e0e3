import type { Currency } from '@lessonbook/contract/money';
import { formatAmount } from './format.ts';

/** 'Cancelling now costs £17.50, or use your free late cancellation (1 left this term)' */
export function formatCancellationCost(fee: number, currency: Currency, freeLeft: number): string {
  const cost = `Cancelling now costs ${formatAmount(fee, currency)}`;
  if (freeLeft === 0) return cost;
  const free =
    freeLeft === 1 ? 'your free late cancellation' : 'one of your free late cancellations';
  return `${cost}, or use ${free} (${freeLeft} left this term)`;
}
