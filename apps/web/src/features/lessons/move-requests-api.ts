import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { formatTime12 } from '@lessonbook/contract/format-time';
import { type LessonStart, moveRequests } from '@lessonbook/contract/move-requests';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { firstName, formatShortDate } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/* Requests by families to move a lesson, as the tutor sees them. */

export const moveRequestsQuery = queryOptions({
  queryKey: ['/api/move-requests', 'all'],
  queryFn: () => callApi(moveRequests.listMoveRequests, { query: {} }),
});

export const sessionMoveRequestsQuery = (sessionId: number) =>
  queryOptions({
    queryKey: ['/api/move-requests', sessionId],
    queryFn: () => callApi(moveRequests.listMoveRequests, { query: { sessionId } }),
  });

/** 'Fri 27 Nov, 5pm' */
export const formatStart = ({ date, startTime }: LessonStart, today: string): string =>
  `${formatShortDate(date, today)}, ${formatTime12(startTime)}`;

type AcceptRequest = EndpointInput<typeof moveRequests.acceptMoveRequest> & {
  idempotencyKey: string;
};

export function useAcceptMoveRequest(today: string) {
  return useMutation({
    mutationFn: (input: AcceptRequest) => callApi(moveRequests.acceptMoveRequest, input),
    meta: {
      errorFallback: "The lesson couldn't be moved. Please try again.",
      isErrorShownInline: (error) => error.code === 'overlap',
    },
    onSuccess: (_, { body }) =>
      toastSuccess(`Moved to ${formatStart(body, today)}. Messages shows what was sent.`),
  });
}

export function useSuggestTimes(contactName: string) {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof moveRequests.suggestTimes>) =>
      callApi(moveRequests.suggestTimes, input),
    meta: { errorFallback: "The times couldn't be sent. Please try again." },
    onSuccess: () =>
      toastSuccess(`Sent. You'll be notified when ${firstName(contactName)} answers.`),
  });
}

export function useDeclineMoveRequest() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof moveRequests.declineMoveRequest>) =>
      callApi(moveRequests.declineMoveRequest, input),
    meta: { errorFallback: "We couldn't decline the request. Please try again." },
    onSuccess: () => toastSuccess('Declined. The lesson stays as it is.'),
  });
}
