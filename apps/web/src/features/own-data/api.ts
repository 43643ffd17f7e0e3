import { activity } from '@lessonbook/contract/activity';
import {
  type DeletionInput,
  type EraseInput,
  type Export,
  ownData,
} from '@lessonbook/contract/own-data';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';

const A_SCREENFUL = 50;

export const activityQuery = infiniteQueryOptions({
  queryKey: ['/api/activity'],
  queryFn: ({ pageParam }) =>
    call(activity.listActivity, { query: { limit: A_SCREENFUL, offset: pageParam } }),
  initialPageParam: 0,
  getNextPageParam: (last, all) =>
    last.entries.length < A_SCREENFUL ? undefined : all.length * A_SCREENFUL,
  // Opened to see what happened, also a moment ago.
  staleTime: 0,
});

/* Everything as a file */

const LOOK_AGAIN_MS = 1_000;

export const isInTheMaking = (file: Export | null | undefined): boolean =>
  file?.state === 'waiting' || file?.state === 'making';

export const exportQuery = queryOptions({
  queryKey: ['/api/exports'],
  queryFn: () => call(ownData.readExport),
  staleTime: 0,
  refetchInterval: ({ state }) => (isInTheMaking(state.data?.export) ? LOOK_AGAIN_MS : false),
});

export const exportAddress = ({ id }: Export): string => `/api/exports/${id}.zip`;

export function useAskForExport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(ownData.askForExport),
    meta: { errorFallback: 'Failed to start the export. Please try again.' },
    onSuccess: (made) => client.setQueryData(exportQuery.queryKey, { export: made }),
  });
}

/* Leaving for good */

export const deletionQuery = queryOptions({
  queryKey: ['/api/account-deletion'],
  queryFn: () => call(ownData.readDeletion),
});

export function useAskForDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: DeletionInput) => call(ownData.askForDeletion, { body }),
    meta: { errorFallback: 'Failed to ask for the deletion. Please try again.' },
    onSuccess: async (deletion) => {
      client.setQueryData(deletionQuery.queryKey, deletion);
      await client.invalidateQueries({ queryKey: ['/api/me'] });
    },
  });
}

export function useKeepAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(ownData.keepAccount),
    meta: { errorFallback: 'Failed to keep the account. Please try again.' },
    onSuccess: async (deletion) => {
      client.setQueryData(deletionQuery.queryKey, deletion);
      await client.invalidateQueries({ queryKey: ['/api/me'] });
      toastDone('Your account is kept');
    },
  });
}

/* One person */

export const peopleQuery = queryOptions({
  queryKey: ['/api/people'],
  queryFn: () => call(ownData.listPeople),
});

/** The name stood in every list. */
export function useErasePerson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EraseInput) => call(ownData.erasePerson, { body }),
    meta: { errorFallback: 'Failed to erase. Please try again.' },
    onSuccess: async () => {
      toastDone('Erased for good');
      await client.invalidateQueries();
    },
  });
}
