import type { accounts, User } from '@lessonbook/contract/accounts';
import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, callApi } from '../../lib/http.ts';

/* Declared here, like the current user's endpoint below, because it is requested while the login page is still
   loading. */
const signInOptions = {
  method: 'GET',
  path: '/api/sign-in-options',
} as const satisfies Pick<typeof accounts.signInOptions, 'method' | 'path'>;

/** The sign-in methods offered by the server. */
export const signInOptionsQuery = queryOptions({
  queryKey: [signInOptions.path],
  queryFn: () => callApi(signInOptions as typeof accounts.signInOptions),
});

/* The current user. Not in `api.ts`, because every page requests it, including the landing page, and must not load the
   contract's schemas. Therefore the endpoint is declared here, and type checking keeps it in sync with the contract. */
const me = {
  method: 'GET',
  path: '/api/me',
} as const satisfies Pick<typeof accounts.me, 'method' | 'path'>;

const REFRESH_MS = 60_000;
/** The retry interval while the server is unreachable, so that the app recovers automatically. */
const RETRY_MS = 10_000;
const STALE_MS = 5 * 60_000;

export const meQuery = queryOptions<User | null>({
  queryKey: [me.path],
  queryFn: fetchMe,
  // When signed out, there is nothing to refresh. Focusing the window still refetches.
  refetchInterval: ({ state }) => {
    if (state.data === null) return false;
    return isNetworkError(state.error) ? RETRY_MS : REFRESH_MS;
  },
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  staleTime: STALE_MS,
});

async function fetchMe(): Promise<User | null> {
  try {
    return await callApi(me as typeof accounts.me);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw new Error('Failed to fetch user data', { cause: error });
  }
}

const isNetworkError = (error: Error | null): boolean =>
  error?.cause instanceof ApiError && error.cause.status === 0;

/** Undefined if there was no response; the layout then shows what is stored for offline reading. */
export const loadUser = ({
  queryClient,
}: {
  queryClient: QueryClient;
}): Promise<User | null | undefined> => queryClient.ensureQueryData(meQuery).catch(() => undefined);

/** Everything in the cache except the current user. */
export const isTenantData = (query: Query) => query.queryKey[0] !== me.path;

/** Cancels any pending response, which would belong to the previous login. */
export async function setCurrentUser(client: QueryClient, user: User | null) {
  await client.cancelQueries({ queryKey: meQuery.queryKey });
  client.setQueryData(meQuery.queryKey, user);
}
