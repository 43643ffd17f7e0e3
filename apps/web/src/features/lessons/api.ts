import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { lessons, type Scope } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiError, call } from '../../lib/http.ts';
import { tellStore } from '../../lib/tell.ts';
import { toastDone, toastUndo } from '../../lib/toast.ts';

/* Reading. Keys begin with the address, so that one word makes a whole family of them old. */

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

export const timeOffQuery = queryOptions({
  queryKey: ['/api/time-off'],
  queryFn: () => call(timeOff.listTimeOff),
});

export const policyQuery = queryOptions({
  queryKey: ['/api/settings/policy'],
  queryFn: () => call(timeOff.policy),
});

export const cancellationQuery = (id: number, cancelledBy: 'tutor' | 'student' | 'carer') =>
  queryOptions({
    // Not among the sessions: once one is cancelled there is no proposal for it any more.
    queryKey: ['cancellation', id, cancelledBy],
    queryFn: () => call(sessions.cancellationProposal, { params: { id }, query: { cancelledBy } }),
    // Notice shrinks by the minute: asked anew each time the sheet opens.
    staleTime: 0,
    gcTime: 0,
  });

/** Whatever changes a session shows in calendars, lists, lessons and on the home screen; a charge, wherever money does. */
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
        '/api/calendar/proposals',
      ].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
}

/** The dialog itself shows the overlaps and asks once more. */
const overlapShownInPlace = (error: ApiError): boolean => error.code === 'overlap';

/* Lessons. `attempt` names one try to save: a new one after each change of the form or confirmed overlap. */

type CreateLesson = EndpointInput<typeof lessons.createLesson> & { attempt: string };

export function useCreateLesson() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: CreateLesson) => call(lessons.createLesson, input),
    meta: {
      errorFallback: 'Failed to create lesson. Please try again.',
      errorShownInPlace: overlapShownInPlace,
    },
    onSuccess: async () => {
      await refresh();
      toastDone('Lesson created successfully');
    },
  });
}

type UpdateLesson = EndpointInput<typeof lessons.updateLesson> & { attempt: string };

export function useUpdateLesson() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: UpdateLesson) => call(lessons.updateLesson, input),
    meta: {
      errorFallback: 'Failed to update lesson. Please try again.',
      errorShownInPlace: overlapShownInPlace,
    },
    onSuccess: async () => {
      await refresh();
      toastDone('Lesson updated successfully');
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
      toastDone('Lesson deleted successfully');
    },
  });
}

/** What a change would do, asked while the tutor still chooses. */
export const changePreviewQuery = (input: EndpointInput<typeof lessons.previewLessonChange>) =>
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

/** Back to scheduled. What stood there a moment ago may stand there again, overlap or not. */
export function useUndo() {
  const reopen = useReopenSession();
  return (title: string, id: number) =>
    toastUndo(title, () => {
      // What is taken back is told to nobody.
      tellStore.done();
      reopen.mutate({ params: { id }, body: { acceptOverlaps: true } });
    });
}

export function useCompleteSession() {
  const refresh = useRefresh();
  const offerUndo = useUndo();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.completeSession>) =>
      call(sessions.completeSession, input),
    meta: { errorFallback: 'Failed to complete the session. Please try again.' },
    onSuccess: async ({ id }) => {
      await refresh();
      offerUndo('Session completed', id);
    },
  });
}

export function useCompleteSessions() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.completeSessions>) =>
      call(sessions.completeSessions, input),
    meta: { errorFallback: 'Failed to complete the sessions. Please try again.' },
    onSuccess: async ({ completed }) => {
      await refresh();
      toastDone(completed === 1 ? '1 session completed' : `${completed} sessions completed`);
    },
  });
}

export function useCancelSession() {
  const refresh = useRefresh();
  const offerUndo = useUndo();
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

type Reschedule = EndpointInput<typeof sessions.rescheduleSession> & { attempt: string };

export function useRescheduleSession() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: Reschedule) => call(sessions.rescheduleSession, input),
    meta: {
      errorFallback: 'Failed to move the session. Please try again.',
      errorShownInPlace: overlapShownInPlace,
    },
    onSuccess: async () => {
      await refresh();
      toastDone('Session moved');
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
      errorShownInPlace: overlapShownInPlace,
    },
    onSuccess: async () => {
      await refresh();
      toastDone('Session reopened');
    },
  });
}

/* Time off and the cancellation policy */

export const timeOffPreviewQuery = (body: EndpointInput<typeof timeOff.previewTimeOff>['body']) =>
  queryOptions({
    queryKey: ['/api/time-off', 'preview', body],
    queryFn: () => call(timeOff.previewTimeOff, { body }),
    staleTime: 0,
    gcTime: 0,
  });

type CreateTimeOff = EndpointInput<typeof timeOff.createTimeOff> & { attempt: string };

export function useCreateTimeOff() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: CreateTimeOff) => call(timeOff.createTimeOff, input),
    meta: { errorFallback: 'Failed to save time off. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastDone('Time off saved');
    },
  });
}

export function useDeleteTimeOff() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, restore }: { id: number; restore: boolean }) =>
      call(timeOff.deleteTimeOff, {
        params: { id },
        query: { restore: restore ? 'true' : 'false' },
      }),
    meta: { errorFallback: 'Failed to remove time off. Please try again.' },
    onSuccess: async ({ restored }) => {
      await refresh();
      toastDone('Time off removed', restored > 0 ? `${restored} lessons are back.` : undefined);
    },
  });
}

export function useUpdatePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointInput<typeof timeOff.updatePolicy>['body']) =>
      call(timeOff.updatePolicy, { body }),
    meta: { errorFallback: 'Failed to save the policy. Please try again.' },
    onSuccess: (policy) => {
      client.setQueryData(policyQuery.queryKey, policy);
      toastDone('Cancellation policy saved');
    },
  });
}
