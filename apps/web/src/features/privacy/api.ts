import { type EraseInput, privacy } from '@lessonbook/contract/privacy';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callAllPages } from '../../lib/http.ts';
import { sortByName } from '../../lib/sort-by-name.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const deletionQuery = queryOptions({
  queryKey: ['/api/account-deletion'],
  queryFn: () => call(privacy.deletionStatus),
});

export function useScheduleDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(privacy.scheduleDeletion),
    meta: { errorFallback: 'Failed to ask for the deletion. Please try again.' },
    onSuccess: (deletion) => client.setQueryData(deletionQuery.queryKey, deletion),
  });
}

export function useCancelDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(privacy.cancelDeletion),
    meta: { errorFallback: 'Failed to keep the account. Please try again.' },
    onSuccess: (deletion) => {
      client.setQueryData(deletionQuery.queryKey, deletion);
      toastSuccess('Your account is kept');
    },
  });
}

export const peopleQuery = queryOptions({
  queryKey: ['/api/people'],
  queryFn: async () => {
    const [students, carers] = await Promise.all([
      callAllPages(privacy.listPeople, { kind: 'student' }),
      callAllPages(privacy.listPeople, { kind: 'carer' }),
    ]);
    return sortByName([...students, ...carers]);
  },
});

export function useErasePerson() {
  return useMutation({
    mutationFn: (body: EraseInput) => call(privacy.erasePerson, { body }),
    meta: { errorFallback: 'Failed to erase. Please try again.' },
    onSuccess: () => toastSuccess('Erased for good'),
  });
}
