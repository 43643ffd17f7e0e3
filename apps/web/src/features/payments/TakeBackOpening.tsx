import type { LedgerEntry } from '@lessonbook/contract/families';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { money } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useReverseOpening, useReversePayment } from './api.ts';

interface Props {
  entry: LedgerEntry;
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

/** What was owed before the book began is a charge, what had been paid ahead is a payment; to the tutor it is one thing. */
export function TakeBackOpening({ entry, familyId, opened, onClose }: Props) {
  const reverseCharge = useReverseOpening();
  const reversePayment = useReversePayment();
  const attempts = useNamedAttempts();
  const { key, chargeId, paymentId, amount, currency } = entry;

  function takeBack() {
    const attempt = attempts.nameOf(key);
    const answer = { onSuccess: onClose };
    if (chargeId !== null) {
      reverseCharge.mutate({ params: { id: familyId, chargeId }, attempt }, answer);
    } else if (paymentId !== null) {
      reversePayment.mutate({ params: { id: paymentId }, attempt }, answer);
    }
  }

  return (
    <ConfirmSheet
      title="Take back the opening balance?"
      opened={opened}
      onClose={onClose}
      confirm="Take back"
      busy="Taking back..."
      isBusy={reverseCharge.isPending || reversePayment.isPending}
      onConfirm={takeBack}
    >
      <Consequence>
        {amount > 0
          ? `${money(amount, currency)} is no longer owed. What was paid for it goes to other lessons, or stays as credit.`
          : `The credit of ${money(-amount, currency)} goes. Lessons that it paid are unpaid again.`}
      </Consequence>
    </ConfirmSheet>
  );
}
