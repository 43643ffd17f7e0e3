import type { notifications } from '@lessonbook/contract/notifications';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/*
 * The number on the bell, apart from `api.ts`: every screen asks for it, and must not load the contract's schemas for that.
 * So the endpoint is written out here, and the type check keeps it true.
 */
const unreadCount = {
  method: 'GET',
  path: '/api/notifications/unread',
} as const satisfies Pick<typeof notifications.unreadCount, 'method' | 'path'>;

/** For as long as the server does not tell by itself. */
const POLL_MS = 30_000;

export const unreadQuery = queryOptions({
  queryKey: ['/api/notifications', 'unread'],
  queryFn: () => call(unreadCount as typeof notifications.unreadCount),
  refetchInterval: () => (isStreamOpen() ? false : POLL_MS),
  refetchOnWindowFocus: 'always',
});

/** How many are unread; none while nobody knows. */
export const useUnreadCount = (): number => useQuery(unreadQuery).data?.unread ?? 0;

/* Apart from `api.ts`, as the number on the bell: every screen listens, and must not load the contract's schemas for that. */
const STREAM_URL =
  '/api/notifications/stream' satisfies typeof notifications.notificationStream.path;

/** A refusal, such as for too many windows, is not asked about again at once. */
const RETRY_DELAY_MS = 60_000;

let isOpen = false;

/** While the server tells of news by itself, nobody has to ask for it. */
export const isStreamOpen = (): boolean => isOpen;

interface LiveUpdateHandlers {
  onMessage: () => void;
  /** The server can be heard from now on, or no longer: something may have been missed. */
  onConnectionChange: () => void;
}

/** Listens while the page is in sight and the browser has a net; returns how to stop. */
export function subscribeToLiveUpdates({
  onMessage,
  onConnectionChange,
}: LiveUpdateHandlers): () => void {
  let source: EventSource | null = null;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(retryTimer);
    source?.close();
    source = null;
    isOpen = false;
  }

  function connect() {
    close();
    const opened = new EventSource(STREAM_URL);
    source = opened;
    opened.addEventListener('open', () => {
      isOpen = true;
      onConnectionChange();
    });
    opened.addEventListener('message', onMessage);
    opened.addEventListener('error', () => {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) onConnectionChange();
      // The browser tries again by itself, unless it was refused.
      if (opened.readyState === EventSource.CLOSED)
        retryTimer = setTimeout(connect, RETRY_DELAY_MS);
    });
  }

  const onVisibilityChange = () => (document.visibilityState === 'visible' ? connect() : close());

  onVisibilityChange();
  document.addEventListener('visibilitychange', onVisibilityChange);
  window.addEventListener('online', onVisibilityChange);
  window.addEventListener('offline', close);
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange);
    window.removeEventListener('online', onVisibilityChange);
    window.removeEventListener('offline', close);
    close();
  };
}
