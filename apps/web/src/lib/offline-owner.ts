import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

export function setOfflineOwner(owner: string | null) {
  try {
    if (owner === null) localStorage.removeItem(OFFLINE_OWNER_KEY);
    else localStorage.setItem(OFFLINE_OWNER_KEY, owner);
  } catch {
    // Closed storage remembers nobody, which is what it then says.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Another tab's switch is this one's too.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useOfflineOwner = (): string | null =>
  useSyncExternalStore(subscribe, getOfflineOwner, () => null);

/*
 * Whether a tutor said 'This is my own device' here, and which one: the random id that `GET /api/me` has. Small, because
 * every page asks; the switch is in `own-device-switch.ts`, what is kept and how it goes in `kept-book.ts`.
 */
export const OFFLINE_OWNER_KEY = 'lessonbook-own-device';

/** Storage that is closed to us is nobody's own. */
export function getOfflineOwner(): string | null {
  try {
    return localStorage.getItem(OFFLINE_OWNER_KEY);
  } catch {
    return null;
  }
}
