import type { LedgerEntry } from '@lessonbook/contract/families';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { formatAmount } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { arrearsQuery, useReverseWriteOff } from './instalments-and-write-offs-api.ts';

interface Props {
  /** The write-off of one charge. */
  entry: LedgerEntry;
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

/** The entry does not say whether it is still in effect, so that is read first. */
export function ReverseWriteOffModal({ entry, familyId, opened, onClose }: Props) {
  const { data, isError, refetch } = useQuery({ ...arrearsQuery(familyId), enabled: opened });
  const reverse = useReverseWriteOff();
  const idempotency = useIdempotencyKey();
  const charge = data?.writtenOff.find(({ id }) => `c${id}` === entry.reverses);
  if (!charge)
    return (
      <ResponsiveModal title="Write-off" opened={opened} onClose={onClose}>
        {data && (
          <>
            <ImpactNotice>This write-off has already been reversed.</ImpactNotice>
            <Button mt="md" fullWidth onClick={onClose}>
              Close
            </Button>
          </>
        )}
        {!data && !isError && <RowSkeleton rows={2} />}
        {!data && isError && (
          <LoadError onRetry={() => void refetch()}>We couldn't load this account.</LoadError>
        )}
      </ResponsiveModal>
    );
  const confirm = () =>
    reverse.mutate(
      {
        params: { id: familyId },
        body: { chargeIds: [charge.id] },
        idempotencyKey: idempotency.keyFor(entry.key),
      },
      { onSuccess: onClose },
    );
  return (
    <ConfirmModal
      title="Reverse the write-off?"
      opened={opened}
      onClose={onClose}
      confirmLabel="Reverse"
      busyLabel="Reversing..."
      isBusy={reverse.isPending}
      onConfirm={confirm}
    >
      <ImpactNotice>
        {formatAmount(charge.writtenOff, charge.currency)} will be owed again. If the account has
        credit, that pays for it first.
      </ImpactNotice>
    </ConfirmModal>
  );
}
