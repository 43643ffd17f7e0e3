import type { notifications } from '@lessonbook/contract/notifications';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';

/*
 * Not in `api.ts`: every page loads the unread count and the stream, and must not load the contract's schemas for them.
 * The endpoint is declared here and type-checked against the contract.
 */
const unreadCount = {
  method: 'GET',
  path: '/api/notifications/unread',
} as const satisfies Pick<typeof notifications.unreadCount, 'method' | 'path'>;

/** Used while the event stream is not connected. */
const POLL_MS = 30_000;

export const unreadCountQuery = queryOptions({
  queryKey: ['/api/notifications', 'unread'],
  queryFn: () => callApi(unreadCount as typeof notifications.unreadCount),
  refetchInterval: () => (isStreamOpen() ? false : POLL_MS),
  refetchOnWindowFocus: 'always',
});

/** 0 until loaded. */
export const useUnreadCount = (): number => useQuery(unreadCountQuery).data?.unread ?? 0;

const STREAM_URL =
  '/api/notifications/stream' satisfies typeof notifications.notificationStream.path;

/** Delay after the server rejects the stream, for example because of too many tabs. */
const RETRY_DELAY_MS = 60_000;

/** The page is refetched at most this often, for example while many messages are being sent. */
const MIN_INTERVAL_MS = 1_000;

let isOpen = false;

/** No polling is needed while the stream is open. */
export const isStreamOpen = (): boolean => isOpen;

interface LiveUpdateHandlers {
  /** The tutor's new revision, or null. */
  onMessage: (revision: number | null) => void;
  /** The stream has opened or failed, so events may have been missed. */
  onConnectionChange: () => void;
}

/** Keeps the event stream open while the page is visible and online. Returns an unsubscribe function. */
export function subscribeToLiveUpdates({
  onMessage,
  onConnectionChange,
}: LiveUpdateHandlers): () => void {
  let source: EventSource | null = null;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let waitTimer: ReturnType<typeof setTimeout> | undefined;
  let waitingRevision: number | null = null;

  function onRevision(revision: number) {
    if (waitTimer !== undefined) {
      waitingRevision = revision;
      return;
    }
    onMessage(revision);
    waitTimer = setTimeout(() => {
      waitTimer = undefined;
      const next = waitingRevision;
      waitingRevision = null;
      if (next !== null) onRevision(next);
    }, MIN_INTERVAL_MS);
  }

  function close() {
    clearTimeout(retryTimer);
    clearTimeout(waitTimer);
    waitTimer = undefined;
    waitingRevision = null;
    source?.close();
    source = null;
    isOpen = false;
  }

  function connect() {
    close();
    const stream = new EventSource(STREAM_URL);
    source = stream;
    stream.addEventListener('open', () => {
      isOpen = true;
      onConnectionChange();
    });
    stream.addEventListener('message', ({ data }) =>
      data ? onRevision(Number(data)) : onMessage(null),
    );
    stream.addEventListener('error', () => {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) onConnectionChange();
      // The browser reconnects automatically, except after an error response.
      if (stream.readyState === EventSource.CLOSED)
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
