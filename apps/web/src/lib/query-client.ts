import {
  focusManager,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { ApiError, isReauthDeclined } from './http.ts';
import { toastError } from './toast.ts';
import { hasUnsavedChanges } from './unsaved-changes.ts';

/** A mutation's error messages. The mutation cache below shows the toast. */
export interface ErrorMessages {
  /** Defaults to 'Error'. */
  errorTitle?: string;
  /** Used for a response without a message. */
  errorFallback?: string;
  /** Used if there was no response; defaults to the fallback. */
  errorNoResponse?: string;
  /** True if the page itself shows the error. */
  isErrorShownInline?: (error: ApiError) => boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ErrorMessages & Record<string, unknown>;
  }
}

const DEFAULT_ERROR_MESSAGE = "We couldn't reach Lessonbook. Please try again.";

export function getErrorMessage(error: Error, messages: ErrorMessages): string {
  if (!(error instanceof ApiError)) return messages.errorFallback ?? DEFAULT_ERROR_MESSAGE;
  if (error.status === 0)
    return messages.errorNoResponse ?? messages.errorFallback ?? DEFAULT_ERROR_MESSAGE;
  return error.userMessage ?? messages.errorFallback ?? (error.message || DEFAULT_ERROR_MESSAGE);
}

/** If the browser reports that it is offline, the message says so, and whether the input is kept. */
function offlineErrorMessage(
  error: Error,
  messages: ErrorMessages,
): [title: string, text: string] | null {
  const isUnsent = error instanceof ApiError && error.status === 0 && !navigator.onLine;
  if (!isUnsent || messages.errorNoResponse) return null;
  return hasUnsavedChanges()
    ? ["Not saved: you're offline", "Your changes are still here. Save again once you're online."]
    : ["Not done: you're offline", "Please try again once you're online."];
}

/** The key is that of the query for the current user, which is null for a visitor. */
export function createQueryClient(userKey: QueryKey = ['/api/me']): QueryClient {
  /** A login that was ended elsewhere causes a 401 on any request; the current user is then refetched. */
  function refetchUserIfSignedOut(error: Error) {
    const isSignedOut = error instanceof ApiError && error.status === 401;
    // A failed login is a 401, too, but the user is already known to be signed out.
    if (isSignedOut && client.getQueryData(userKey) !== null)
      void client.invalidateQueries({ queryKey: userKey });
  }

  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: refetchUserIfSignedOut }),
    mutationCache: new MutationCache({
      onError: (error, _input, _before, mutation) => {
        refetchUserIfSignedOut(error);
        if (isReauthDeclined(error)) return;
        // The data may have been changed elsewhere, or saved although the response was lost; the revision shows whether it was.
        if (!isRefused(error)) void client.invalidateQueries({ queryKey: userKey });
        const messages = mutation.meta ?? {};
        if (error instanceof ApiError && messages.isErrorShownInline?.(error)) return;
        const [title, text] = offlineErrorMessage(error, messages) ?? [
          messages.errorTitle,
          getErrorMessage(error, messages),
        ];
        toastError(text, title);
      },
    }),
    defaultOptions: {
      queries: {
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        // Browsers are often wrong about being offline, so requests are sent regardless.
        networkMode: 'always',
        // Queries that failed while offline are refetched when the network returns; the others are still valid.
        refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
      },
      // Input, especially passwords, must not stay in memory once its form is unmounted and the response has arrived.
      // With 0, the library would check for the response every few milliseconds.
      mutations: { retry: false, networkMode: 'always', gcTime: 1000 },
    },
  });
  return client;
}

/** The input was invalid or not allowed, so nothing was changed, here or elsewhere. */
const isRefused = (error: Error): boolean =>
  error instanceof ApiError && [400, 401, 403, 422, 429].includes(error.status);

const deletedQueries = new WeakSet<Query>();

/** Call after deleting what a page shows: the data is not refetched while the page closes, only when the page is opened again. */
export function markDeleted(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    deletedQueries.add(query);
    query.invalidate();
  }
}

/**
 * Refetches the data on screen and marks all other data as stale. The keys of data start with its path; previews and the
 * data of forms have other keys, because they are loaded whenever they open and may not exist after the change.
 */
export function refetchData(client: QueryClient, isRefetched: (query: Query) => boolean): void {
  const predicate = (query: Query) =>
    String(query.queryKey[0]).startsWith('/api/') &&
    isRefetched(query) &&
    !deletedQueries.has(query);
  for (const query of client.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined) continue;
    // Invalidating does not restart a first load, which may have begun before the change.
    void query.cancel({ silent: true });
    query.fetch().catch(() => undefined);
  }
  void client.invalidateQueries({ predicate });
}

/** The library only listens for visibilitychange; the specification also requires the focus event. */
export function listenToWindowFocus() {
  focusManager.setEventListener((onFocus) => {
    const listener = () => onFocus();
    window.addEventListener('visibilitychange', listener);
    window.addEventListener('focus', listener);
    return () => {
      window.removeEventListener('visibilitychange', listener);
      window.removeEventListener('focus', listener);
    };
  });
}
