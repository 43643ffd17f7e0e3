import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type TimeOff, timeOff } from '@lessonbook/contract/time-off';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';
import { notifyFamiliesStore } from './shared/notify-families-store.ts';

export const timeOffQuery = queryOptions({
  queryKey: ['/api/time-off'],
  queryFn: () => callApi(timeOff.listTimeOff),
});

export const timeOffPreviewQuery = (body: EndpointInput<typeof timeOff.previewTimeOff>['body']) =>
  queryOptions({
    queryKey: ['time-off-preview', body],
    queryFn: () => callApi(timeOff.previewTimeOff, { body }),
    staleTime: 0,
    gcTime: 0,
  });

/* Each mutation undoes the other. The server corrects notifications that were sent in the meantime. */

type CreateTimeOffRequest = EndpointInput<typeof timeOff.createTimeOff> & {
  idempotencyKey: string;
};

export function useCreateTimeOff() {
  const undo = useMutation({
    mutationFn: (id: number) => deleteTimeOff(id, true),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    onSuccess: () => toastSuccess('Time off removed'),
  });
  return useMutation({
    mutationFn: (input: CreateTimeOffRequest) => callApi(timeOff.createTimeOff, input),
    meta: { errorFallback: "We couldn't save your time off. Please try again." },
    onSuccess: ({ id }) => {
      toastUndo('Time off saved', () => {
        // Families are not notified about a change that has been undone.
        notifyFamiliesStore.close();
        undo.mutate(id);
      });
    },
  });
}

const deleteTimeOff = (id: number, restore: boolean) =>
  callApi(timeOff.deleteTimeOff, {
    params: { id },
    query: { restore: restore ? 'true' : 'false' },
  });

export function useDeleteTimeOff() {
  const undo = useMutation({
    mutationFn: (input: CreateTimeOffRequest) => callApi(timeOff.createTimeOff, input),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    onSuccess: () => toastSuccess('Time off restored'),
  });
  return useMutation({
    mutationFn: ({ entry, restore }: { entry: TimeOff; restore: boolean }) =>
      deleteTimeOff(entry.id, restore),
    meta: { errorFallback: "We couldn't remove the time off. Please try again." },
    onSuccess: ({ restored, sessionIds }, { entry, restore }) => {
      const { fromDate, toDate, startTime, endTime, reason } = entry;
      const message =
        restored > 0
          ? `${pluralize(restored, 'lesson is', 'lessons are')} scheduled again.`
          : undefined;
      // No undo: sessions that stay cancelled lose their link to the time off, so it could not be restored.
      if (!restore && entry.restorableSessions > 0) {
        toastSuccess('Time off removed', message);
        return;
      }
      const body = {
        fromDate,
        toDate,
        startTime,
        endTime,
        cancelSessionIds: sessionIds,
        ...(reason && { reason }),
      };
      const idempotencyKey = crypto.randomUUID();
      toastUndo('Time off removed', () => undo.mutate({ body, idempotencyKey }), message);
    },
  });
}
