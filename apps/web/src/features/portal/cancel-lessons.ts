import { type PortalCancelInput, portal } from '@lessonbook/contract/portal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { portalLessonsQuery } from './signed-in-contact-api.ts';
import { useRequestIdempotencyKey } from './use-request-idempotency-key.ts';

/** The lesson was moved, was cancelled elsewhere or is no longer visible, so another attempt would not help. */
export const isLessonGone = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'conflict');

export const isFeeChanged = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'fee_changed';

interface CancelOptions {
  publicId: string;
  tutorName: string;
  /** False once the sheet has been closed. An error is then shown as a toast instead. */
  isSheetOpen: () => boolean;
}

/** Pending until the lessons have been refetched, even after an error. */
export function useCancelLessons({ publicId, tutorName, isSheetOpen }: CancelOptions) {
  const client = useQueryClient();
  const keyFor = useRequestIdempotencyKey();
  const { queryKey } = portalLessonsQuery(publicId);
  return useMutation({
    mutationFn: (body: PortalCancelInput) => {
      const idempotencyKey = keyFor(body);
      return callApi(portal.cancelPortalLessons, { params: { publicId }, body, idempotencyKey });
    },
    meta: {
      ...CANCEL_ERRORS,
      isErrorShownInline: (error) => isSheetOpen() && !isLessonGone(error),
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
    onSuccess: () => void toastSuccess(`Cancelled. ${tutorName} has been notified.`),
  });
}

export const CANCEL_ERRORS = {
  errorTitle: 'Not cancelled',
  errorFallback: "We couldn't cancel this. Please try again.",
};
