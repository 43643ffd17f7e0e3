import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { lessons, type Scope } from '@lessonbook/contract/lessons';
import { sessionMessages } from '@lessonbook/contract/list-messages-about-session';
import { sessions } from '@lessonbook/contract/sessions';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { type ApiError, callApi } from '../../lib/http.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';
import { completeOptimistically } from './optimistic-complete.ts';
import { notifyFamiliesStore } from './shared/notify-families-store.ts';

/* Queries. Data keys start with the API path. Preview keys do not, so that previews are not refetched after a change. */

export const lessonQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/lessons', id],
    queryFn: () => callApi(lessons.lesson, { params: { id } }),
  });

export const sessionsQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['/api/sessions', 'range', from, to],
    queryFn: () => callApi(sessions.listSessions, { query: { from, to } }),
  });

export const sessionsByDateQuery = (date: string) =>
  queryOptions({
    queryKey: ['/api/sessions', 'by-date', date],
    queryFn: () => callApi(sessions.sessionsByDate, { params: { date } }),
  });

export const sessionQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/sessions', id],
    queryFn: () => callApi(sessions.session, { params: { id } }),
  });

/** The students of a session with their contacts. */
export const sessionStudentsQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/sessions', id, 'students'],
    queryFn: () => callApi(sessions.sessionStudents, { params: { id } }),
  });

/** Messages about a session, and its planned reminders. */
export const sessionMessagesQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/sessions', id, 'messages'],
    queryFn: () => callApi(sessionMessages.sessionMessages, { params: { id } }),
  });

export const dueSessionsQuery = queryOptions({
  queryKey: ['/api/sessions', 'due'],
  queryFn: () => callApi(sessions.dueSessions),
});

export const cancellationQuery = (id: number, cancelledBy: 'tutor' | 'student' | 'carer') =>
  queryOptions({
    queryKey: ['cancellation', id, cancelledBy],
    queryFn: () =>
      callApi(sessions.cancellationProposal, { params: { id }, query: { cancelledBy } }),
    // The fee depends on the current time, so it is loaded each time the modal opens.
    staleTime: 0,
    gcTime: 0,
  });

/** The dialog shows overlaps itself, so there is no toast. */
const isOverlapError = (error: ApiError): boolean => error.code === 'overlap';

const isConflictError = (error: ApiError): boolean =>
  isOverlapError(error) || error.code === 'group_full';

/* Lessons */

type WithKey<Input> = Input & { idempotencyKey: string };

type CreateLessonRequest = WithKey<EndpointInput<typeof lessons.createLesson>>;

export function useCreateLesson() {
  return useMutation({
    mutationFn: (input: CreateLessonRequest) => callApi(lessons.createLesson, input),
    meta: {
      errorFallback: 'Failed to create lesson. Please try again.',
      isErrorShownInline: isConflictError,
    },
    onSuccess: ({ consequences: { skipped } }) =>
      toastSuccess('Lesson created successfully', formatSkipped(skipped.length)),
  });
}

const formatSkipped = (count: number): string | undefined =>
  count === 0
    ? undefined
    : `${pluralize(count, 'lesson is', 'lessons are')} skipped because of your time off.`;

type UpdateLessonInput = EndpointInput<typeof lessons.updateLesson>;

type UpdateLessonRequest = WithKey<UpdateLessonInput> & {
  /** The values before lessons were moved, used to undo the move. */
  previous?: UpdateLessonInput['body'];
};

export function useUpdateLesson() {
  const undo = useUndoLessonMove();
  return useMutation({
    mutationFn: ({ previous: _, ...input }: UpdateLessonRequest) =>
      callApi(lessons.updateLesson, input),
    meta: {
      errorFallback: "We couldn't save the lesson. Please try again.",
      isErrorShownInline: isOverlapError,
    },
    onSuccess: ({ lessonId, sessionId, consequences }, { previous }) => {
      const title = 'Lesson updated successfully';
      if (!previous || sessionId === null) {
        toastSuccess(title);
        return;
      }
      const restoreSessionIds = consequences.skipped.map((session) => session.sessionId);
      const undoInput = {
        params: { id: lessonId },
        body: { ...previous, restoreSessionIds, acceptOverlaps: true },
        idempotencyKey: crypto.randomUUID(),
      };
      toastUndo(
        title,
        () => {
          // Families are not notified about a change that has been undone.
          notifyFamiliesStore.close();
          undo(sessionId, undoInput);
        },
        `${pluralize(consequences.changed, 'lesson')} moved.`,
      );
    },
  });
}

/** Moving one session created a new session, so the reschedule is undone; a series is moved back instead. */
function useUndoLessonMove() {
  const undoReschedule = useUndoReschedule();
  const moveBack = useMutation({
    mutationFn: (input: WithKey<UpdateLessonInput>) => callApi(lessons.updateLesson, input),
    meta: { errorFallback: "The lessons couldn't be moved back. Please try again." },
    onSuccess: () => toastSuccess('Lessons moved back'),
  });
  return (sessionId: number, input: WithKey<UpdateLessonInput>) =>
    input.body.scope === 'this' ? undoReschedule.mutate(sessionId) : moveBack.mutate(input);
}

export function useDeleteLesson() {
  return useMutation({
    mutationFn: ({ id, ...query }: { id: number; scope: Scope; sessionId: number }) =>
      callApi(lessons.deleteLesson, { params: { id }, query }),
    meta: { errorFallback: "We couldn't delete the lesson. Please try again." },
    onSuccess: () => toastSuccess('Lesson deleted successfully'),
  });
}

/** Dry run of a change, while the tutor chooses its scope. */
export const updatePreviewQuery = (input: EndpointInput<typeof lessons.previewLessonChange>) =>
  queryOptions({
    queryKey: ['lesson-change-preview', input.params.id, input.body],
    queryFn: () => callApi(lessons.previewLessonChange, input),
    staleTime: 0,
    gcTime: 0,
  });

export const deletePreviewQuery = (id: number, scope: Scope, sessionId: number) =>
  queryOptions({
    queryKey: ['lesson-delete-preview', id, scope, sessionId],
    queryFn: () =>
      callApi(lessons.previewLessonDelete, { params: { id }, query: { scope, sessionId } }),
    staleTime: 0,
    gcTime: 0,
  });

/* Sessions */

/** Reopens the session. Overlaps are accepted, because the session was scheduled at this time until a moment ago. */
export function useUndoToast() {
  const reopen = useReopenSession();
  return (title: string, id: number, { withdrawNotes = false } = {}) =>
    toastUndo(title, () => {
      // Families are not notified about a change that has been undone.
      notifyFamiliesStore.close();
      reopen.mutate({ params: { id }, body: { acceptOverlaps: true, withdrawNotes } });
    });
}

/** Updates optimistically, and rolls back if the server rejects the change. */
function useOptimisticComplete() {
  const client = useQueryClient();
  return <Input>(idsOf: (input: Input) => number[]) => ({
    onMutate: (input: Input) => completeOptimistically(client, idsOf(input)),
    onError: (_error: Error, _input: Input, rollback: (() => void) | undefined) => {
      rollback?.();
    },
  });
}

export function useUpdateSessionNotes() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.updateSessionNotes>) =>
      callApi(sessions.updateSessionNotes, input),
    meta: { errorFallback: "The notes couldn't be saved. Please try again." },
    onSuccess: () => toastSuccess('Notes saved'),
  });
}

export function useCompleteSession() {
  const offerUndo = useUndoToast();
  const optimistic = useOptimisticComplete();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.completeSession>) =>
      callApi(sessions.completeSession, input),
    meta: { errorFallback: "The lesson couldn't be completed. Please try again." },
    ...optimistic((input: EndpointInput<typeof sessions.completeSession>) => [
      Number(input.params.id),
    ]),
    onSuccess: ({ id }) => {
      offerUndo('Lesson completed', id, { withdrawNotes: true });
    },
  });
}

export function useCompleteSessions() {
  const reopen = useReopenSessions();
  const optimistic = useOptimisticComplete();
  return useMutation({
    mutationFn: (input: CompleteSessionsRequest) => callApi(sessions.completeSessions, input),
    meta: { errorFallback: "The lessons couldn't be completed. Please try again." },
    ...optimistic(sessionIdsOf),
    onSuccess: ({ completed }, input) => {
      const title = `${pluralize(completed, 'lesson')} completed`;
      toastUndo(title, () => reopen.mutate(sessionIdsOf(input)));
    },
  });
}

type CompleteSessionsRequest = WithKey<EndpointInput<typeof sessions.completeSessions>>;

const sessionIdsOf = ({ body }: CompleteSessionsRequest): number[] =>
  body.sessions.map(({ id }) => id);

/** Reopens all of the sessions or none of them. */
function useReopenSessions() {
  return useMutation({
    mutationFn: (ids: number[]) => callApi(sessions.reopenSessions, { body: { ids } }),
    meta: { errorFallback: "The lessons couldn't be reopened. Please try again." },
    onSuccess: ({ reopened }) => toastSuccess(`${pluralize(reopened, 'lesson')} reopened`),
  });
}

export function useCancelSession() {
  const offerUndo = useUndoToast();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.cancelSession>) =>
      callApi(sessions.cancelSession, input),
    meta: { errorFallback: "The lesson couldn't be cancelled. Please try again." },
    onSuccess: ({ id }) => offerUndo('Lesson cancelled', id),
  });
}

type RescheduleRequest = WithKey<EndpointInput<typeof sessions.rescheduleSession>>;

export function useRescheduleSession() {
  const undoReschedule = useUndoReschedule();
  return useMutation({
    mutationFn: (input: RescheduleRequest) => callApi(sessions.rescheduleSession, input),
    meta: {
      errorFallback: "The lesson couldn't be moved. Please try again.",
      isErrorShownInline: isOverlapError,
    },
    onSuccess: ({ id }) => {
      toastUndo('Lesson moved', () => {
        notifyFamiliesStore.close();
        undoReschedule.mutate(id);
      });
    },
  });
}

function useUndoReschedule() {
  return useMutation({
    mutationFn: (id: number) => callApi(sessions.undoReschedule, { params: { id } }),
    meta: { errorFallback: "The lesson couldn't be moved back. Please try again." },
    onSuccess: () => toastSuccess('Lesson moved back'),
  });
}

export function useReopenSession() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof sessions.reopenSession>) =>
      callApi(sessions.reopenSession, input),
    meta: {
      errorFallback: "The lesson couldn't be reopened. Please try again.",
      isErrorShownInline: isOverlapError,
    },
    onSuccess: () => toastSuccess('Lesson reopened'),
  });
}
