import {
  type TermCalendar,
  type TermCalendarChange,
  type TermCalendarInput,
  termCalendars,
} from '@lessonbook/contract/term-calendars';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { pluralize } from '../../../lib/format.ts';
import { callApi } from '../../../lib/http.ts';
import { toastSuccess, toastUndo } from '../../../lib/toast.ts';

export const termCalendarsQuery = queryOptions({
  queryKey: ['/api/term-calendars'],
  queryFn: () => callApi(termCalendars.listTermCalendars),
});

export const toCalendarOptions = (calendars: readonly TermCalendar[]) =>
  calendars.map(({ id, name }) => ({ value: String(id), label: name }));

export const termCalendarPreviewQuery = (id: number, body: TermCalendarInput) =>
  queryOptions({
    queryKey: ['term-calendar-preview', id, body],
    queryFn: () => callApi(termCalendars.previewTermCalendar, { params: { id }, body }),
    staleTime: 0,
    gcTime: 0,
  });

interface CreateRequest {
  body: TermCalendarInput;
  idempotencyKey: string;
}

export function useCreateTermCalendar() {
  return useMutation({
    mutationFn: (input: CreateRequest) => callApi(termCalendars.createTermCalendar, input),
    meta: { errorFallback: "The school terms couldn't be saved. Please try again." },
    onSuccess: () => toastSuccess('School terms saved'),
  });
}

interface UpdateRequest {
  before: TermCalendar;
  body: TermCalendarInput;
}

const updateTerms = (id: number, body: TermCalendarInput) =>
  callApi(termCalendars.updateTermCalendar, { params: { id }, body });

/** Undo saves the previous terms, which adds and removes the same lessons again. */
export function useUpdateTermCalendar() {
  const undo = useMutation({
    mutationFn: ({ id, name, terms }: TermCalendar) => updateTerms(id, { name, terms }),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    onSuccess: () => toastSuccess('School terms restored'),
  });
  return useMutation({
    mutationFn: ({ before, body }: UpdateRequest) => updateTerms(before.id, body),
    meta: { errorFallback: "The school terms couldn't be saved. Please try again." },
    onSuccess: (change, { before }) =>
      toastUndo('School terms saved', () => undo.mutate(before), formatTermChange(change)),
  });
}

export function useDeleteTermCalendar() {
  return useMutation({
    mutationFn: (id: number) => callApi(termCalendars.deleteTermCalendar, { params: { id } }),
    meta: { errorFallback: "The school terms couldn't be deleted. Please try again." },
    onSuccess: () => toastSuccess('School terms deleted'),
  });
}

/** '2 lessons added, 1 lesson cancelled.', in a preview '2 lessons will be added, …'; undefined if nothing changes. */
export function formatTermChange(
  { lessons }: TermCalendarChange,
  { isPreview = false } = {},
): string | undefined {
  const count = (field: 'added' | 'removed') =>
    lessons.reduce((sum, lesson) => sum + lesson[field].length, 0);
  const [added, removed] = [count('added'), count('removed')];
  const verb = isPreview ? ' will be' : '';
  const parts = [
    added > 0 && `${pluralize(added, 'lesson')}${verb} added`,
    removed > 0 && `${pluralize(removed, 'lesson')}${verb} cancelled`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(', ')}.` : undefined;
}
