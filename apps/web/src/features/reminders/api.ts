import type { EndpointInput } from '@lessonbook/contract/endpoint';
import {
  type ReminderState,
  reminders,
  type StudentReminders,
} from '@lessonbook/contract/reminder-settings';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const remindersQuery = queryOptions({
  queryKey: ['/api/settings/reminders'],
  queryFn: () => callApi(reminders.reminderSettings),
});

/** Not cached: the first reminders change with every lesson. */
export const firstRemindersPreviewQuery = queryOptions({
  queryKey: ['first-reminders'],
  queryFn: () => callApi(reminders.previewFirstReminders),
  staleTime: 0,
  gcTime: 0,
});

type Template = EndpointInput<typeof reminders.previewTemplate>['body'];

export const templatePreviewQuery = (body: Template) =>
  queryOptions({
    queryKey: ['template-preview', body],
    queryFn: () => callApi(reminders.previewTemplate, { body }),
    gcTime: 0,
  });

function useUpdateCache() {
  const client = useQueryClient();
  return (state: ReminderState) => client.setQueryData(remindersQuery.queryKey, state);
}

export function useSaveReminders() {
  const updateCache = useUpdateCache();
  return useMutation({
    // Serialised: each save contains all settings, so the last must arrive last.
    scope: { id: 'reminder-settings' },
    mutationFn: (body: EndpointInput<typeof reminders.saveReminderSettings>['body']) =>
      callApi(reminders.saveReminderSettings, { body }),
    meta: { errorFallback: "We couldn't save the reminders. Please try again." },
    onSuccess: (state) => {
      updateCache(state);
      toastSuccess('Reminders saved');
    },
  });
}

export function useStartReminders() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: (excludedKeys: string[]) =>
      callApi(reminders.startReminders, { body: { excludedKeys } }),
    meta: { errorFallback: "We couldn't start reminders. Please try again." },
    onSuccess: (state) => {
      updateCache(state);
      toastSuccess('Reminders started');
    },
  });
}

export function useStopReminders() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: () => callApi(reminders.stopReminders),
    meta: { errorFallback: "We couldn't stop reminders. Please try again." },
    onSuccess: (state) => {
      updateCache(state);
      toastSuccess('Reminders stopped');
    },
  });
}

/* Reminders for one student */

export const studentRemindersQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/students', id, 'reminders'],
    queryFn: () => callApi(reminders.studentReminders, { params: { id } }),
    // The default settings may have changed in the meantime.
    staleTime: 0,
  });

export function useSaveStudentReminders() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: StudentReminders & { id: number }) =>
      callApi(reminders.saveStudentReminders, { params: { id }, body }),
    meta: { errorFallback: "We couldn't save the reminders. Please try again." },
    onSuccess: (saved, { id }) => {
      client.setQueryData(studentRemindersQuery(id).queryKey, saved);
      toastSuccess('Reminders saved');
    },
  });
}
