import { cancellationFees } from '@lessonbook/contract/waive-cancellation-fee';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/** Reverses or credits what was charged for a cancelled session. */
export function WaiveFeeButton({ id }: { id: number }) {
  const waive = useMutation({
    mutationFn: () => callApi(cancellationFees.waiveCancellationFee, { params: { id } }),
    meta: { errorFallback: "We couldn't remove the charge. Please try again." },
    onSuccess: () => toastSuccess('No longer charged'),
  });
  return (
    <Button variant="default" disabled={waive.isPending} onClick={() => waive.mutate()}>
      Don't charge
    </Button>
  );
}
