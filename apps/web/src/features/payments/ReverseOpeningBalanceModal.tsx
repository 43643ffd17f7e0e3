import type { LedgerEntry } from '@lessonbook/contract/families';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useReverseOpeningBalance, useReversePayment } from './api.ts';

interface Props {
  entry: LedgerEntry;
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

/** An opening balance is stored as a charge (owed) or a payment (credit); to the tutor both are the same. */
export function ReverseOpeningBalanceModal({ entry, familyId, opened, onClose }: Props) {
  const reverseCharge = useReverseOpeningBalance();
  const reversePayment = useReversePayment();
  const idempotency = useIdempotencyKey();
  const { key, chargeId, paymentId, amount, currency } = entry;

  function reverse() {
    const idempotencyKey = idempotency.keyFor(key);
    const options = { onSuccess: onClose };
    if (chargeId !== null) {
      reverseCharge.mutate({ params: { id: familyId, chargeId }, idempotencyKey }, options);
    } else if (paymentId !== null) {
      reversePayment.mutate({ params: { id: paymentId }, idempotencyKey }, options);
    }
  }

  return (
    <ConfirmModal
      title="Reverse the opening balance?"
      opened={opened}
      onClose={onClose}
      confirmLabel="Reverse"
      busyLabel="Reversing..."
      isBusy={reverseCharge.isPending || reversePayment.isPending}
      onConfirm={reverse}
    >
      <ImpactNotice>
        {amount > 0
          ? `${formatAmount(amount, currency)} will no longer be owed. What was paid for it will go towards other lessons, or become credit.`
          : `The credit of ${formatAmount(-amount, currency)} will be removed. Lessons it paid for will become unpaid.`}
      </ImpactNotice>
    </ConfirmModal>
  );
}
