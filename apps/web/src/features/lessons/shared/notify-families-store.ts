import type { PreviousTime } from '@lessonbook/contract/sessions';

/**
 * A request to notify families about sessions that have changed. The shell renders the modal, so that it outlives the page
 * or dialog that made the change.
 */
export interface NotifyRequest {
  /** Unique for each request, because the text for the same sessions may have changed since the last one. */
  id: number;
  sessions: readonly { id: number }[];
  /** The times before a series was moved, which families still expect. */
  previousTimes?: PreviousTime[];
}

function createNotifyFamiliesStore() {
  let current: NotifyRequest | null = null;
  let lastId = 0;
  const listeners = new Set<() => void>();

  function set(next: NotifyRequest | null) {
    current = next;
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  return {
    open: (request: Omit<NotifyRequest, 'id'>) =>
      set(request.sessions.length > 0 ? { id: ++lastId, ...request } : null),
    close: () => set(null),
    current: () => current,
    subscribe,
  };
}

export const notifyFamiliesStore = createNotifyFamiliesStore();
