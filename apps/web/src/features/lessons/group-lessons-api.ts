import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { type ApiError, callApi } from '../../lib/http.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';
import { notifyFamiliesStore } from './shared/notify-families-store.ts';

type JoinRequest = EndpointInput<typeof groupLessons.joinLesson> & { idempotencyKey: string };

export function useJoinLesson() {
  return useMutation({
    mutationFn: (input: JoinRequest) => callApi(groupLessons.joinLesson, input),
    meta: {
      errorFallback: "The student couldn't be added. Please try again.",
      isErrorShownInline: (error: ApiError) => error.code === 'group_full',
    },
    onSuccess: () => toastSuccess('Student added to the lesson'),
  });
}

export function useLeaveLesson() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof groupLessons.leaveLesson>) =>
      callApi(groupLessons.leaveLesson, input),
    meta: { errorFallback: "The student couldn't be removed. Please try again." },
    onSuccess: () => toastSuccess('Student removed from the lesson'),
  });
}

export const seatCancellationQuery = (
  params: { id: number; studentId: number },
  cancelledBy: 'tutor' | 'student' | 'carer',
) =>
  queryOptions({
    queryKey: ['seat-cancellation', params, cancelledBy],
    queryFn: () =>
      callApi(groupLessons.seatCancellationProposal, { params, query: { cancelledBy } }),
    // The fee depends on the current time, so it is loaded each time the modal opens.
    staleTime: 0,
    gcTime: 0,
  });

export function useCancelSeat() {
  const restore = useRestoreSeat();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof groupLessons.cancelSeat>) =>
      callApi(groupLessons.cancelSeat, input),
    meta: { errorFallback: "The place couldn't be cancelled. Please try again." },
    onSuccess: (_, { params }) =>
      toastUndo('Place cancelled', () => {
        // Families are not notified about a change that has been undone.
        notifyFamiliesStore.close();
        restore.mutate({ params });
      }),
  });
}

export function useRestoreSeat() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof groupLessons.restoreSeat>) =>
      callApi(groupLessons.restoreSeat, input),
    meta: { errorFallback: "The place couldn't be restored. Please try again." },
    onSuccess: () => toastSuccess('Place restored'),
  });
}
