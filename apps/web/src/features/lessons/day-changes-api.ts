import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type DayChange, dayChanges } from '@lessonbook/contract/move-online-or-cancel-days';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { formatList, pluralize } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';

export const dayChangesQuery = queryOptions({
  queryKey: ['/api/day-changes'],
  queryFn: () => callApi(dayChanges.listDayChanges),
});

export const dayChangePreviewQuery = (
  body: EndpointInput<typeof dayChanges.previewDayChange>['body'],
) =>
  queryOptions({
    queryKey: ['day-change-preview', body],
    queryFn: () => callApi(dayChanges.previewDayChange, { body }),
    staleTime: 0,
    gcTime: 0,
  });

type ChangeDaysRequest = EndpointInput<typeof dayChanges.changeDays> & { idempotencyKey: string };

export function useChangeDays() {
  const undo = useUndoDayChange();
  return useMutation({
    mutationFn: (input: ChangeDaysRequest) => callApi(dayChanges.changeDays, input),
    meta: { errorFallback: "We couldn't change these lessons. Please try again." },
    onSuccess: ({ id, action, ...sent }, { body }) => {
      const lessons = pluralize(body.sessionIds.length, 'lesson');
      const title = `${lessons} ${action === 'online' ? 'moved online' : 'cancelled'}`;
      // Days added to an existing change cannot be undone on their own.
      if (body.extendsId) return void toastSuccess(title, formatSent(sent));
      return void toastUndo(title, () => undo.mutate(id), formatSent(sent));
    },
  });
}

export function useUndoDayChange() {
  return useMutation({
    mutationFn: (id: number) => callApi(dayChanges.undoDayChange, { params: { id } }),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    onSuccess: ({ restored, ...sent }) =>
      void toastSuccess(`${pluralize(restored, 'lesson')} changed back`, formatSent(sent)),
  });
}

interface Sent {
  emailed: number;
  toSend: number;
  notSent: number;
}

/** '8 people emailed, 1 message to send in WhatsApp and 1 person not reached' */
function formatSent({ emailed, toSend, notSent }: Sent): string | undefined {
  const parts = [
    emailed > 0 && `${pluralize(emailed, 'person', 'people')} emailed`,
    toSend > 0 && `${pluralize(toSend, 'message')} to send in WhatsApp`,
    notSent > 0 && `${pluralize(notSent, 'person', 'people')} not reached`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? formatList(parts) : undefined;
}

export const describeDayChange = ({ action, sessionCount }: DayChange): string =>
  `${pluralize(sessionCount, 'lesson')} ${action === 'online' ? 'moved online' : 'cancelled'}`;
