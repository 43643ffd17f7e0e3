import type { accounts, User } from '@lessonbook/contract/accounts';
import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';

/* Written out, as the current user's call is: it is made while the sign-in page itself is still on its way. */
const signInOptions = {
  method: 'GET',
  path: '/api/sign-in-options',
} as const satisfies Pick<typeof accounts.signInOptions, 'method' | 'path'>;

/** What the sign-in pages offer here. */
export const signInOptionsQuery = queryOptions({
  queryKey: [signInOptions.path],
  queryFn: () => call(signInOptions as typeof accounts.signInOptions),
});

/*
 * The current user, apart from `api.ts`: every page asks for it, the landing page too, and must not load the
 * contract's schemas for that. So the endpoint is written out here, and the type check keeps it true.
 */
const me = {
  method: 'GET',
  path: '/api/me',
} as const satisfies Pick<typeof accounts.me, 'method' | 'path'>;

const REFRESH_MS = 60_000;
/** While nobody answers, so that the book opens by itself once somebody does. */
const RETRY_MS = 10_000;
const STALE_MS = 5 * 60_000;

export const meQuery = queryOptions<User | null>({
  queryKey: [me.path],
  queryFn: fetchMe,
  // Nobody signed in means nothing to refresh; coming back to the window still asks.
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
    return await call(me as typeof accounts.me);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw new Error('Failed to fetch user data', { cause: error });
  }
}

const isNetworkError = (error: Error | null): boolean =>
  error?.cause instanceof ApiError && error.cause.status === 0;

/** Everything in the cache that belongs to a tutor and is not the tutor. */
export const isTenantData = (query: Query) => query.queryKey[0] !== me.path;

/** An answer that is still on its way would speak of the login before this one, so it is no longer waited for. */
export async function setCurrentUser(client: QueryClient, user: User | null) {
  await client.cancelQueries({ queryKey: meQuery.queryKey });
  client.setQueryData(meQuery.queryKey, user);
}
