import type { EndpointInput } from '@lessonbook/contract/endpoint';
import {
  type ReminderState,
  reminders,
  type StudentReminders,
} from '@lessonbook/contract/reminders';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';

export const remindersQuery = queryOptions({
  queryKey: ['/api/settings/reminders'],
  queryFn: () => call(reminders.reminderSettings),
});

/** Apart from the settings: what would go out changes with every lesson, so it is asked each time it is looked at. */
export const reminderPreviewQuery = queryOptions({
  queryKey: ['first-batch'],
  queryFn: () => call(reminders.previewFirstReminders),
  staleTime: 0,
  gcTime: 0,
});

type Template = EndpointInput<typeof reminders.previewTemplate>['body'];

export const templatePreviewQuery = (body: Template) =>
  queryOptions({
    queryKey: ['template-preview', body],
    queryFn: () => call(reminders.previewTemplate, { body }),
    gcTime: 0,
  });

function useUpdateCache() {
  const client = useQueryClient();
  return (state: ReminderState) => client.setQueryData(remindersQuery.queryKey, state);
}

export function useSaveReminders() {
  const keep = useUpdateCache();
  return useMutation({
    // One after the other: each save carries all of it, so the last must arrive last.
    scope: { id: 'reminder-settings' },
    mutationFn: (body: EndpointInput<typeof reminders.saveReminderSettings>['body']) =>
      call(reminders.saveReminderSettings, { body }),
    meta: { errorFallback: 'Failed to save the reminders. Please try again.' },
    onSuccess: (state) => {
      keep(state);
      toastDone('Reminders saved');
    },
  });
}

export function useStartReminders() {
  const keep = useUpdateCache();
  return useMutation({
    mutationFn: () => call(reminders.startReminders),
    meta: { errorFallback: 'Failed to start reminders. Please try again.' },
    onSuccess: (state) => {
      keep(state);
      toastDone('Reminders started');
    },
  });
}

export function useStopReminders() {
  const keep = useUpdateCache();
  return useMutation({
    mutationFn: () => call(reminders.stopReminders),
    meta: { errorFallback: 'Failed to stop reminders. Please try again.' },
    onSuccess: (state) => {
      keep(state);
      toastDone('Reminders stopped');
    },
  });
}

/* One student's own choice */

export const studentRemindersQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/students', id, 'reminders'],
    queryFn: () => call(reminders.studentReminders, { params: { id } }),
    // What holds for everyone may have changed meanwhile.
    staleTime: 0,
  });

export function useSaveStudentReminders() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: StudentReminders & { id: number }) =>
      call(reminders.saveStudentReminders, { params: { id }, body }),
    meta: { errorFallback: 'Failed to save the reminders. Please try again.' },
    onSuccess: (saved, { id }) => {
      client.setQueryData(studentRemindersQuery(id).queryKey, saved);
      toastDone('Reminders saved');
    },
  });
}
