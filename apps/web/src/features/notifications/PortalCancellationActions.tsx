import { portalCancellations } from '@lessonbook/contract/portal-management';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

interface Props {
  text: string;
  /** The cancellation, which may cover several lessons. */
  cancellationId: number;
  onDone: () => void;
}

/** The actions for a portal cancellation for which the family is charged a fee. */
export function PortalCancellationActions({ text, cancellationId, onDone }: Props) {
  const waive = useMutation({
    mutationFn: () =>
      callApi(portalCancellations.waivePortalCancellation, { params: { id: cancellationId } }),
    meta: { errorFallback: "We couldn't remove the charge. Please try again." },
    onSuccess: () => toastSuccess('No longer charged'),
  });
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={`Don't charge: ${text}`}
        disabled={waive.isPending || waive.isSuccess}
        onClick={() => waive.mutate()}
      >
        Don't charge
      </Button>
      <Button variant="subtle" size="sm" aria-label={`Done: ${text}`} onClick={onDone}>
        Done
      </Button>
    </>
  );
}
