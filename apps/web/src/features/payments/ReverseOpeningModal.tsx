import type { LedgerEntry } from '@lessonbook/contract/families';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { money } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useReverseOpening, useReversePayment } from './api.ts';

interface Props {
  entry: LedgerEntry;
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

/** What was owed before the book began is a charge, what had been paid ahead is a payment; to the tutor it is one thing. */
export function ReverseOpeningModal({ entry, familyId, opened, onClose }: Props) {
  const reverseCharge = useReverseOpening();
  const reversePayment = useReversePayment();
  const attempts = useIdempotencyKey();
  const { key, chargeId, paymentId, amount, currency } = entry;

  function reverse() {
    const idempotencyKey = attempts.nameOf(key);
    const answer = { onSuccess: onClose };
    if (chargeId !== null) {
      reverseCharge.mutate({ params: { id: familyId, chargeId }, idempotencyKey }, answer);
    } else if (paymentId !== null) {
      reversePayment.mutate({ params: { id: paymentId }, idempotencyKey }, answer);
    }
  }

  return (
    <ConfirmModal
      title="Take back the opening balance?"
      opened={opened}
      onClose={onClose}
      confirm="Take back"
      busy="Taking back..."
      isBusy={reverseCharge.isPending || reversePayment.isPending}
      onConfirm={reverse}
    >
      <ImpactNotice>
        {amount > 0
          ? `${money(amount, currency)} is no longer owed. What was paid for it goes to other lessons, or stays as credit.`
          : `The credit of ${money(-amount, currency)} goes. Lessons that it paid are unpaid again.`}
      </ImpactNotice>
    </ConfirmModal>
  );
}
