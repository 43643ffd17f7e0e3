import { dataExport, type Export } from '@lessonbook/contract/export';
import { security } from '@lessonbook/contract/security';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

const POLL_MS = 1_000;

export const isExportPending = (file: Export | null | undefined): boolean =>
  file?.state === 'waiting' || file?.state === 'making';

export const exportQuery = queryOptions({
  queryKey: ['/api/exports'],
  queryFn: () => call(dataExport.latestExport),
  staleTime: 0,
  refetchInterval: ({ state }) => (isExportPending(state.data?.export) ? POLL_MS : false),
});

/** Downloads the file after the tutor has proved their identity, because a download cannot show the dialog. */
export const useDownloadExport = () =>
  useMutation({
    mutationFn: async ({ id }: Export) => {
      await call(security.checkRecentAuth);
      const link = document.createElement('a');
      link.href = `/api/exports/${id}.zip`;
      link.download = '';
      link.click();
    },
    meta: { errorFallback: 'Failed to start the download. Please try again.' },
  });

export function useRequestExport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(dataExport.requestExport),
    meta: { errorFallback: 'Failed to start the export. Please try again.' },
    onSuccess: (requested) => client.setQueryData(exportQuery.queryKey, { export: requested }),
  });
}
