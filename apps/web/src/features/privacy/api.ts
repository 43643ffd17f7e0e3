import { type EraseInput, privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { dataExport, type Export } from '@lessonbook/contract/data-export';
import { security } from '@lessonbook/contract/security';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callAllPages, callApi } from '../../lib/http.ts';
import { sortByName } from '../../lib/sort-by-name.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const deletionQuery = queryOptions({
  queryKey: ['/api/account-deletion'],
  queryFn: () => callApi(privacy.deletionStatus),
});

export function useScheduleDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(privacy.scheduleDeletion),
    meta: { errorFallback: "Your account couldn't be scheduled for deletion. Please try again." },
    onSuccess: (deletion) => client.setQueryData(deletionQuery.queryKey, deletion),
  });
}

export function useCancelDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(privacy.cancelDeletion),
    meta: { errorFallback: "The deletion couldn't be cancelled. Please try again." },
    onSuccess: (deletion) => {
      client.setQueryData(deletionQuery.queryKey, deletion);
      toastSuccess("Your account won't be deleted");
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
    mutationFn: (body: EraseInput) => callApi(privacy.erasePerson, { body }),
    meta: { errorFallback: "We couldn't erase this person. Please try again." },
    onSuccess: () => toastSuccess('Person erased'),
  });
}

const EXPORT_POLL_MS = 1_000;

export const isExportPending = (file: Export | null | undefined): boolean =>
  file?.state === 'waiting' || file?.state === 'making';

export const exportQuery = queryOptions({
  queryKey: ['/api/exports'],
  queryFn: () => callApi(dataExport.latestExport),
  staleTime: 0,
  refetchInterval: ({ state }) => (isExportPending(state.data?.export) ? EXPORT_POLL_MS : false),
});

/** Downloads the file after the tutor has proved their identity, because a download cannot show the dialog. */
export const useDownloadExport = () =>
  useMutation({
    mutationFn: async ({ id }: Export) => {
      await callApi(security.checkRecentAuth);
      const link = document.createElement('a');
      link.href = `/api/exports/${id}.zip`;
      link.download = '';
      link.click();
    },
    meta: { errorFallback: "We couldn't start the download. Please try again." },
  });

export function useRequestExport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(dataExport.requestExport),
    meta: { errorFallback: "We couldn't start the export. Please try again." },
    onSuccess: (requested) => client.setQueryData(exportQuery.queryKey, { export: requested }),
  });
}
