import { focusManager, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';
import { toastFailed } from './toast.ts';
import { unsavedForms } from './use-unsaved-changes.ts';

/** What a mutation says about its own failure. The toast is made here, once, from these words. */
export interface ErrorMessages {
  /** 'Error' unless stated. */
  errorTitle?: string;
  /** For an answer that brings no message of its own. */
  errorFallback?: string;
  /** For no answer at all; without it the fallback serves for both. */
  errorNoAnswer?: string;
  /** True where the screen itself says what went wrong. */
  errorShownInPlace?: (error: ApiError) => boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ErrorMessages & Record<string, unknown>;
  }
}

const DEFAULT_ERROR_MESSAGE = 'Lessonbook could not be reached. Please try again.';

export function errorMessage(error: Error, messages: ErrorMessages): string {
  if (!(error instanceof ApiError)) return messages.errorFallback ?? DEFAULT_ERROR_MESSAGE;
  if (error.status === 0)
    return messages.errorNoAnswer ?? messages.errorFallback ?? DEFAULT_ERROR_MESSAGE;
  return error.userMessage ?? messages.errorFallback ?? (error.message || DEFAULT_ERROR_MESSAGE);
}

/** Where the browser itself knows that there is no network, the tutor is told that, and what became of the words. */
function offlineErrorMessage(
  error: Error,
  messages: ErrorMessages,
): [title: string, text: string] | null {
  const unsent = error instanceof ApiError && error.status === 0 && !navigator.onLine;
  if (!unsent || messages.errorNoAnswer) return null;
  return unsavedForms.size > 0
    ? ['Not saved: you are offline', 'Your words are kept here; press Save when you are back.']
    : ['Not done: you are offline', 'Please try again when you are back.'];
}

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A login that ended elsewhere shows at whatever is asked first; who is signed in is then asked at once.
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401)
          void client.invalidateQueries({ queryKey: ['/api/me'] });
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _input, _before, mutation) => {
        const messages = mutation.meta ?? {};
        if (error instanceof ApiError && messages.errorShownInPlace?.(error)) return;
        const [title, text] = offlineErrorMessage(error, messages) ?? [
          messages.errorTitle,
          errorMessage(error, messages),
        ];
        toastFailed(text, title);
      },
    }),
    defaultOptions: {
      queries: {
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        // A browser that believes itself offline is often wrong; asking is the better test.
        networkMode: 'always',
        // What failed for want of a network is fetched once there is one; the rest was never in doubt.
        refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
      },
      // Nothing that was typed, a password least of all, stays in memory once its form is gone and its answer is here. At
      // nought the library would look for that answer every few milliseconds.
      mutations: { retry: false, networkMode: 'always', gcTime: 1000 },
    },
  });
  return client;
}

/** The library listens to visibilitychange alone; the product also means plain focus of the window. */
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
