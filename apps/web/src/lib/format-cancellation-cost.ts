import type { Currency } from '@lessonbook/contract/money';
import { formatAmount } from './format.ts';

/** 'Cancelling now costs £17.50, or use your free late cancellation (1 left this term)' */
export function formatCancellationCost(
  fee: number,
  currency: Currency,
  freeCancellationsLeft: number,
): string {
  const cost = `Cancelling now costs ${formatAmount(fee, currency)}`;
  if (freeCancellationsLeft === 0) return cost;
  const free =
    freeCancellationsLeft === 1
      ? 'your free late cancellation'
      : 'one of your free late cancellations';
  return `${cost}, or use ${free} (${freeCancellationsLeft} left this term)`;
}
