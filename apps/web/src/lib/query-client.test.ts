import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiError } from './http.ts';
import {
  createQueryClient,
  listenToWindowFocus,
  markDeleted,
  refetchData,
} from './query-client.ts';
import { toasts } from './toast.ts';

const HOUR_MS = 3_600_000;

/** A mounted list whose fetches are counted. */
async function watchList(queryFn: () => Promise<string> = async () => 'list') {
  const fetchList = vi.fn(queryFn);
  const client = createQueryClient();
  const options = { queryKey: ['/api/list'], queryFn: fetchList };
  const stop = new QueryObserver(client, options).subscribe(() => {});
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  return { client, options, fetchList, stop };
}

test('[CONST-03] the query client does not refetch at intervals', async () => {
  vi.useFakeTimers();
  const { fetchList } = await watchList();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(fetchList).toHaveBeenCalledTimes(1);
});

test('[CONST-04] the query client does not refetch when the window gains focus', async () => {
  listenToWindowFocus();
  const { client, fetchList } = await watchList();
  client.mount();
  window.dispatchEvent(new Event('focus'));
  await Promise.resolve();
  expect(client.isFetching()).toBe(0);
  expect(fetchList).toHaveBeenCalledTimes(1);
  client.unmount();
});

test('[CONST-05] data never goes stale', async () => {
  vi.useFakeTimers();
  const { client, options, fetchList } = await watchList();
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  new QueryObserver(client, options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchList).toHaveBeenCalledTimes(1);
});

test('[CONST-06] neither queries nor mutations are retried', async () => {
  vi.useFakeTimers();
  const fail = async () => {
    throw new ApiError({ status: 500, message: 'Broken' });
  };
  const { client, fetchList } = await watchList(fail);
  const save = vi.fn(fail);
  const mutation = client.getMutationCache().build(client, { mutationFn: save });
  await mutation.execute(undefined).catch(() => {});
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(fetchList).toHaveBeenCalledTimes(1);
  expect(save).toHaveBeenCalledTimes(1);
});

async function failWith(error: Error, meta: Record<string, unknown>) {
  const client = createQueryClient();
  const mutationFn = async () => {
    throw error;
  };
  await client
    .getMutationCache()
    .build(client, { mutationFn, meta })
    .execute(undefined)
    .catch(() => {});
  return toasts.current();
}

test("[ERR-06] a failed save shows a toast titled Error with the server's message", async () => {
  const error = new ApiError({ status: 400, message: 'Too short', userMessage: 'Too short' });
  expect(await failWith(error, { errorFallback: 'Failed to save.' })).toMatchObject({
    kind: 'error',
    title: 'Error',
    message: 'Too short',
  });
});

test("the toast uses the mutation's title and fallback", async () => {
  const error = new ApiError({ status: 500, message: '500 Internal Server Error' });
  const messages = {
    errorTitle: 'Logout failed',
    errorFallback: 'An error occurred during logout',
  };
  expect(await failWith(error, messages)).toMatchObject({
    title: 'Logout failed',
    message: 'An error occurred during logout',
  });
});

test('an error that is shown on the page itself does not show a toast', async () => {
  const error = new ApiError({ status: 410, message: 'Gone', code: 'link_expired' });
  const meta = { isErrorShownInline: (shown: ApiError) => shown.code === 'link_expired' };
  expect(await failWith(error, meta)).toBeNull();
});

test('F61 a first load that began before a change is restarted', async () => {
  const replies: PromiseWithResolvers<string>[] = [];
  const client = createQueryClient();
  const queryFn = () => {
    const reply = Promise.withResolvers<string>();
    replies.push(reply);
    return reply.promise;
  };
  const loaded = client.fetchQuery({ queryKey: ['/api/list'], queryFn });
  refetchData(client, () => true);
  expect(replies).toHaveLength(2);
  replies[0]?.resolve('before the change');
  replies[1]?.resolve('after the change');
  expect(await loaded).toBe('after the change');
  expect(client.getQueryData(['/api/list'])).toBe('after the change');
});

test('F61 neither previews nor deleted data are refetched after a change', async () => {
  const { client, options, fetchList } = await watchList();
  const fetchPreview = vi.fn(async () => 'preview');
  new QueryObserver(client, { queryKey: ['preview'], queryFn: fetchPreview }).subscribe(() => {});
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  refetchData(client, () => true);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(fetchList).toHaveBeenCalledTimes(2);
  markDeleted(client, options.queryKey);
  refetchData(client, () => true);
  expect(client.isFetching()).toBe(0);
  expect(fetchPreview).toHaveBeenCalledTimes(1);
  expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true);
});
