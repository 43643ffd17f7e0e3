import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type Batch, batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { refetchData } from '../../lib/query-client.ts';

const POLL_MS = 2_000;
/** For a batch that has been waiting for the mail server for some time. */
const SLOW_POLL_MS = 20_000;
const FAST_POLLS = 60;

const pollInterval = (isRunning: boolean, { dataUpdateCount }: { dataUpdateCount: number }) =>
  isRunning && (dataUpdateCount < FAST_POLLS ? POLL_MS : SLOW_POLL_MS);

export const batchQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/batches', id],
    queryFn: () => callApi(batches.batch, { params: { id } }),
    // It may have changed while the page was closed.
    staleTime: 0,
    refetchInterval: ({ state }) => pollInterval(state.data?.isRunning ?? false, state),
  });

/** The last day's batches that are still running or have items that were not done. */
export const batchesQuery = queryOptions({
  queryKey: ['/api/batches', 'list'],
  queryFn: () => callApi(batches.listBatches),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    pollInterval(state.data?.some(({ isRunning }) => isRunning) ?? false, state),
});

export const invoiceBatchPreviewQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['/api/batches', 'preview', ids],
    queryFn: () => callApi(batches.previewInvoiceBatch, { body: { ids: [...ids] } }),
    staleTime: 0,
  });

type StartBatchRequest = EndpointInput<typeof batches.startBatch> & { idempotencyKey: string };

export function useStartBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: StartBatchRequest) => callApi(batches.startBatch, input),
    meta: { errorFallback: "We couldn't get started. Please try again." },
    onSuccess: (batch) => {
      client.setQueryData(batchQuery(batch.id).queryKey, batch);
      refetchData(client, ({ queryKey }) => queryKey[1] === 'list');
    },
  });
}

function useChangeBatch(change: (id: number) => Promise<Batch>, errorFallback: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { errorFallback },
    onSuccess: (batch) => client.setQueryData(batchQuery(batch.id).queryKey, batch),
  });
}

export const useStopBatch = () =>
  useChangeBatch(
    (id) => callApi(batches.stopBatch, { params: { id } }),
    "We couldn't stop it. Please try again.",
  );

export const useRetryBatch = () =>
  useChangeBatch(
    (id) => callApi(batches.retryBatch, { params: { id } }),
    "We couldn't try again just now. Please try again in a moment.",
  );
