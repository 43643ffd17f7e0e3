/**
 * Lessons were cancelled or moved, and their families should hear of it. Whoever changed them says so here; the sheet that
 * asks stands in the shell, so that it outlives the page or dialog in which it happened.
 */
export interface NotifyRequest {
  kind: 'cancelled' | 'moved';
  sessions: readonly { id: number }[];
}

function createNotifyStore() {
  let current: NotifyRequest | null = null;
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
    ask: (request: NotifyRequest) => set(request.sessions.length > 0 ? request : null),
    done: () => set(null),
    current: () => current,
    subscribe,
  };
}

export const notifyStore = createNotifyStore();
