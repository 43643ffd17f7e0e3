import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { lessons, type Scope } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { type ApiError, call } from '../../lib/http.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';
import { completeOptimistically } from './optimistic-complete.ts';
import { notifyFamiliesStore } from './shared/notify-families-store.ts';

/* Queries. Keys start with the path, so that one invalidation covers every query under it. */

export const lessonQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/lessons', id],
    queryFn: () => call(lessons.lesson, { params: { id } }),
  });

export const sessionsQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['/api/sessions', 'range', from, to],
    queryFn: () => call(sessions.listSessions, { query: { from, to } }),
  });

export const sessionsByDateQuery = (date: string) =>
  queryOptions({
    queryKey: ['/api/sessions', 'by-date', date],
    queryFn: () => call(sessions.sessionsByDate, { params: { date } }),
  });

export const sessionQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/sessions', id],
    queryFn: () => call(sessions.session, { params: { id } }),
  });

export const dueSessionsQuery = queryOptions({
  queryKey: ['/api/sessions', 'due'],
  queryFn: () => call(sessions.dueSessions),
});

export const cancellationQuery = (id: number, cancelledBy: 'tutor' | 'student' | 'carer') =>
  queryOptions({
    // Not under '/api/sessions', where a refetch would fail after the cancellation.
    queryKey: ['cancellation', id, cancelledBy],
    queryFn: () => call(sessions.cancellationProposal, { params: { id }, query: { cancelledBy } }),
    // The fee depends on the current time, so it is loaded each time the modal opens.
    staleTime: 0,
    gcTime: 0,
  });

/** Invalidates every query that contains sessions or, because of charges, amounts. */
export function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [
        '/api/sessions',
        '/api/lessons',
        '/api/dashboard',
        '/api/time-off',
        '/api/families',
        '/api/balances',
        '/api/payments',
        '/api/invoices',
        '/api/calendar/external-changes',
        '/api/messages',
      ].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
}

/** The dialog shows overlaps itself, so there is no toast. */
const isOverlapError = (error: ApiError): boolean => error.code === 'overlap';

/* Lessons */

type CreateLessonRequest = EndpointInput<typeof lessons.createLesson> & { idempotencyKey: string };

export function useCreateLesson() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: CreateLessonRequest) => call(lessons.createLesson, input),
    meta: {
      errorFallback: 'Failed to create lesson. Please try again.',
      isErrorShownInline: isOverlapError,
    },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Lesson created successfully');
    },
  });
}

type UpdateLessonRequest = EndpointInput<typeof lessons.updateLesson> & { idempotencyKey: string };

export function useUpdateLesson() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: UpdateLessonRequest) => call(lessons.updateLesson, input),
    meta: {
      errorFallback: 'Failed to update lesson. Please try again.',
      isErrorShownInline: isOverlapError,
    },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Lesson updated successfully');
    },
  });
}

export function useDeleteLesson() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, ...query }: { id: number; scope: Scope; sessionId: number }) =>
      call(lessons.deleteLesson, { params: { id }, query }),
    meta: { errorFallback: 'Failed to delete lesson. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Lesson deleted successfully');
    },
  });
}

/** Dry run of a change, while the tutor chooses its scope. */
export const updatePreviewQuery = (input: EndpointInput<typeof lessons.previewLessonChange>) =>
  queryOptions({
    queryKey: ['/api/lessons', input.params.id, 'preview', input.body],
    queryFn: () => call(lessons.previewLessonChange, input),
    staleTime: 0,
    gcTime: 0,
  });

export const deletePreviewQuery = (id: number, scope: Scope, sessionId: number) =>
  queryOptions({
    queryKey: ['/api/lessons', id, 'delete-preview', scope, sessionId],
    queryFn: () =>
      call(lessons.previewLessonDelete, { params: { id }, query: { scope, sessionId } }),
    staleTime: 0,
    gcTime: 0,
  });

/* Sessions */

/** Reopens the session. Overlaps are accepted, because the session was scheduled at this time until a moment ago. */
export function useUndoToast() {
  const reopen = useReopenSession();
  return (title: string, id: number) =>
    toastUndo(title, () => {
      // Families are not notified about a change that has been undone.
      notifyFamiliesStore.close();
      reopen.mutate({ params: { id }, body: { acceptOverlaps: true } });
    });
}

/** Updates optimistically, and rolls back if the server rejects the change. */
function useOptimisticComplete() {
  const client = useQueryClient();
  const refresh = useRefresh();
  return <Input>(idsOf: (input: Input) => number[]) => ({
    onMutate: (input: Input) => completeOptimistically(client, idsOf(input)),
    onError: (_error: Error, _input: Input, rollback: (() => void) | undefined) => {
      rollback?.();
      void refresh();
    },
  });
}

export function useCompleteSession() {
  const refresh = useRefresh();
  const offerUndo = useUndoToast();
  const optimistic = useOptimisticComplete();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.completeSession>) =>
      call(sessions.completeSession, input),
    meta: { errorFallback: 'Failed to complete the session. Please try again.' },
    ...optimistic((input: EndpointInput<typeof sessions.completeSession>) => [
      Number(input.params.id),
    ]),
    onSuccess: async ({ id }) => {
      await refresh();
      offerUndo('Session completed', id);
    },
  });
}

export function useCompleteSessions() {
  const refresh = useRefresh();
  const reopen = useReopenSessions();
  const optimistic = useOptimisticComplete();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.completeSessions>) =>
      call(sessions.completeSessions, input),
    meta: { errorFallback: 'Failed to complete the sessions. Please try again.' },
    ...optimistic(sessionIdsOf),
    onSuccess: async ({ completed }, input) => {
      await refresh();
      const title = `${pluralize(completed, 'session')} completed`;
      toastUndo(title, () => reopen.mutate(sessionIdsOf(input)));
    },
  });
}

const sessionIdsOf = ({ body }: EndpointInput<typeof sessions.completeSessions>): number[] =>
  body.sessions.map(({ id }) => id);

/** Reopens all of the sessions or none of them. */
function useReopenSessions() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (ids: number[]) => call(sessions.reopenSessions, { body: { ids } }),
    meta: { errorFallback: 'Failed to reopen the sessions. Please try again.' },
    onSuccess: async ({ reopened }) => {
      await refresh();
      toastSuccess(`${pluralize(reopened, 'session')} reopened`);
    },
  });
}

export function useCancelSession() {
  const refresh = useRefresh();
  const offerUndo = useUndoToast();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.cancelSession>) =>
      call(sessions.cancelSession, input),
    meta: { errorFallback: 'Failed to cancel the session. Please try again.' },
    onSuccess: async ({ id }) => {
      await refresh();
      offerUndo('Session cancelled', id);
    },
  });
}

type RescheduleRequest = EndpointInput<typeof sessions.rescheduleSession> & {
  idempotencyKey: string;
};

export function useRescheduleSession() {
  const refresh = useRefresh();
  const undoReschedule = useUndoReschedule();
  return useMutation({
    mutationFn: (input: RescheduleRequest) => call(sessions.rescheduleSession, input),
    meta: {
      errorFallback: 'Failed to move the session. Please try again.',
      isErrorShownInline: isOverlapError,
    },
    onSuccess: async ({ id }) => {
      await refresh();
      toastUndo('Session moved', () => {
        notifyFamiliesStore.close();
        undoReschedule.mutate(id);
      });
    },
  });
}

function useUndoReschedule() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) => call(sessions.undoReschedule, { params: { id } }),
    meta: { errorFallback: 'Failed to move the session back. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Session moved back');
    },
  });
}

export function useReopenSession() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.reopenSession>) =>
      call(sessions.reopenSession, input),
    meta: {
      errorFallback: 'Failed to reopen the session. Please try again.',
      isErrorShownInline: isOverlapError,
    },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Session reopened');
    },
  });
}
