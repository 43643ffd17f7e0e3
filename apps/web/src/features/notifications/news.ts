import type { notifications } from '@lessonbook/contract/notifications';

/* Apart from `api.ts`, as the number on the bell: every screen listens, and must not load the contract's schemas for that. */
const STREAM = '/api/notifications/stream' satisfies typeof notifications.newsStream.path;

/** A refusal, such as for too many windows, is not asked about again at once. */
const REFUSED_MS = 60_000;

let isOpen = false;

/** While the server tells of news by itself, nobody has to ask for it. */
export const isNewsHeard = (): boolean => isOpen;

interface Ears {
  onNews: () => void;
  /** The server can be heard from now on, or no longer: something may have been missed. */
  onDoubt: () => void;
}

/** Listens while the page is in sight and the browser has a net; returns how to stop. */
export function listenForNews({ onNews, onDoubt }: Ears): () => void {
  let source: EventSource | null = null;
  let later: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(later);
    source?.close();
    source = null;
    isOpen = false;
  }

  function listen() {
    close();
    const opened = new EventSource(STREAM);
    source = opened;
    opened.addEventListener('open', () => {
      isOpen = true;
      onDoubt();
    });
    opened.addEventListener('message', onNews);
    opened.addEventListener('error', () => {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) onDoubt();
      // The browser tries again by itself, unless it was refused.
      if (opened.readyState === EventSource.CLOSED) later = setTimeout(listen, REFUSED_MS);
    });
  }

  const look = () => (document.visibilityState === 'visible' ? listen() : close());

  look();
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  window.addEventListener('offline', close);
  return () => {
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
    window.removeEventListener('offline', close);
    close();
  };
}
