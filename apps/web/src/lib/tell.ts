/**
 * Lessons were cancelled or moved, and their families should hear of it. Whoever changed them says so here; the sheet that
 * asks stands in the shell, so that it outlives the page or dialog in which it happened.
 */
export interface ToTell {
  kind: 'cancelled' | 'moved';
  sessions: readonly { id: number }[];
}

function createTellStore() {
  let current: ToTell | null = null;
  const listeners = new Set<() => void>();

  function set(next: ToTell | null) {
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
    ask: (toTell: ToTell) => set(toTell.sessions.length > 0 ? toTell : null),
    done: () => set(null),
    current: () => current,
    subscribe,
  };
}

export const tellStore = createTellStore();
