import type { QueryClient } from '@tanstack/react-query';

type Listener = (revision: number) => void;

const listeners = new Set<Listener>();

/** Called with the tutor's revision in the response to each write and in each live update. */
export function reportRevision(revision: number): void {
  for (const listener of listeners) listener(revision);
}

/**
 * Calls `onRevision` with the newest revision that was reported, once no write is under way: the live update of a write
 * may arrive before its response, and a refetch between two writes would undo the optimistic update of the second.
 * Returns a function that unsubscribes.
 */
export function followRevision(client: QueryClient, onRevision: Listener): () => void {
  let newest: number | null = null;

  function flush() {
    if (newest === null || client.isMutating() > 0) return;
    const revision = newest;
    newest = null;
    onRevision(revision);
  }

  function listener(revision: number) {
    newest = Math.max(newest ?? 0, revision);
    flush();
  }

  listeners.add(listener);
  const unsubscribe = client.getMutationCache().subscribe(flush);
  return () => {
    listeners.delete(listener);
    unsubscribe();
  };
}
