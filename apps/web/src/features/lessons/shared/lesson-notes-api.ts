import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { lessonNotes, type SessionNotes } from '@lessonbook/contract/lesson-notes';
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { callApi } from '../../../lib/http.ts';
import { toastSuccess } from '../../../lib/toast.ts';

/* Notes and homework for families, as the tutor writes them. */

export type NoteSeat = SessionNotes['students'][number];

export const sessionNotesQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/sessions', id, 'family-notes'],
    queryFn: () => callApi(lessonNotes.sessionNotes, { params: { id } }),
  });

export const noteVersionsQuery = (id: number, studentId: number) =>
  queryOptions({
    queryKey: ['/api/sessions', id, 'family-notes', studentId, 'versions'],
    queryFn: () => callApi(lessonNotes.noteVersions, { params: { id, studentId } }),
  });

const PAGE_SIZE = 20;

export const studentNotesQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['/api/students', id, 'family-notes'],
    queryFn: ({ pageParam: offset }) =>
      callApi(lessonNotes.studentNotes, { params: { id }, query: { limit: PAGE_SIZE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) =>
      last.length === PAGE_SIZE ? all.length * PAGE_SIZE : undefined,
  });

export function useSaveNote() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof lessonNotes.saveNote>) =>
      callApi(lessonNotes.saveNote, input),
    meta: { errorFallback: "The note couldn't be saved. Please try again." },
    onSuccess: (_, { body }) => toastSuccess(body?.share ? 'Note shared' : 'Draft saved'),
  });
}

export function useWithdrawNote() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof lessonNotes.withdrawNote>) =>
      callApi(lessonNotes.withdrawNote, input),
    meta: { errorFallback: "The note couldn't be withdrawn. Please try again." },
    onSuccess: () => toastSuccess('Note withdrawn'),
  });
}

export function useSetHomeworkDone() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof lessonNotes.setHomeworkDone>) =>
      callApi(lessonNotes.setHomeworkDone, input),
    meta: { errorFallback: "We couldn't save that. Please try again." },
  });
}
