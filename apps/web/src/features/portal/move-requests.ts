import type { LessonStart, MoveRequestInput } from '@lessonbook/contract/move-requests';
import { portalMoveRequests } from '@lessonbook/contract/move-requests';
import type { PortalLesson, PortalLessons, PortalMoveRequest } from '@lessonbook/contract/portal';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi, isNotFound } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { formatStart } from './portal-format.ts';
import { portalLessonsQuery } from './signed-in-contact-api.ts';
import { useRequestIdempotencyKey } from './use-request-idempotency-key.ts';

/* The signed-in person's requests to move lessons. */

/** Not cached, because other families can book the same times. */
export const freeTimesQuery = (publicId: string, { sessionId, studentId }: PortalLesson) =>
  queryOptions({
    queryKey: ['/api/portal/free-times', publicId, sessionId, studentId],
    queryFn: () =>
      callApi(portalMoveRequests.portalFreeTimes, {
        params: { publicId },
        query: { sessionId, studentId },
      }),
    staleTime: 0,
    gcTime: 0,
  });

const ASK_ERRORS = {
  errorTitle: 'Not sent',
  errorFallback: "We couldn't send your request. Please try again.",
};

interface AskOptions {
  publicId: string;
  tutorName: string;
  lesson: PortalLesson;
  /** False once the sheet has been closed. An error is then shown as a toast instead. */
  isSheetOpen: () => boolean;
}

/** Pending until the lessons have been refetched and, after an error, the free times too. */
export function useAskToMove({ publicId, tutorName, lesson, isSheetOpen }: AskOptions) {
  const client = useQueryClient();
  const keyFor = useRequestIdempotencyKey();
  const meta = {
    ...ASK_ERRORS,
    isErrorShownInline: (error: Error) => isSheetOpen() && !isNotFound(error),
  };
  const ask = useMutation({
    mutationFn: (body: MoveRequestInput) =>
      callApi(portalMoveRequests.askToMove, {
        params: { publicId },
        body,
        idempotencyKey: keyFor(body),
      }),
    meta,
    onError: () =>
      client.invalidateQueries({ queryKey: freeTimesQuery(publicId, lesson).queryKey }),
    onSettled: () => client.invalidateQueries({ queryKey: portalLessonsQuery(publicId).queryKey }),
    onSuccess: () =>
      void toastSuccess(`Sent. The lesson stays as it is until ${tutorName} answers.`),
  });
  return { ...ask, errorMessages: ASK_ERRORS };
}

export const ANSWER_ERRORS = {
  errorTitle: 'Not saved',
  errorFallback: "We couldn't save that. Please try again.",
};

/** Errors are shown in the lesson's row, unless the request no longer exists. */
const ANSWER_META = { ...ANSWER_ERRORS, isErrorShownInline: (error: Error) => !isNotFound(error) };

/** Withdraws the request, or declines what the tutor suggested. */
export function useWithdrawMoveRequest(publicId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: PortalMoveRequest) =>
      callApi(portalMoveRequests.withdrawMoveRequest, { params: { publicId, id } }),
    meta: ANSWER_META,
    onSettled: () => client.invalidateQueries({ queryKey: portalLessonsQuery(publicId).queryKey }),
    onSuccess: (_, { status }) =>
      void toastSuccess(
        `${status === 'open' ? 'Request withdrawn' : 'Suggestion declined'}. The lesson stays as it is.`,
      ),
  });
}

export function useAcceptSuggestion(publicId: string, page: PortalLessons) {
  const client = useQueryClient();
  const keyFor = useRequestIdempotencyKey();
  return useMutation({
    mutationFn: ({ id, start }: { id: number; start: LessonStart }) =>
      callApi(portalMoveRequests.acceptSuggestion, {
        params: { publicId, id },
        body: start,
        idempotencyKey: keyFor({ id, start }),
      }),
    meta: ANSWER_META,
    onSettled: () => client.invalidateQueries({ queryKey: portalLessonsQuery(publicId).queryKey }),
    onSuccess: (_, { start }) => {
      const today = dateInZone(page.tutorTimeZone, systemNow());
      toastSuccess(`Moved to ${formatStart(start, page, today)}.`);
    },
  });
}
