import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

export function setOfflineOwner(owner: string | null) {
  try {
    if (owner === null) localStorage.removeItem(OFFLINE_OWNER_KEY);
    else localStorage.setItem(OFFLINE_OWNER_KEY, owner);
  } catch {
    // Without storage there is no owner.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // The setting may change in another tab.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useOfflineOwner = (): string | null =>
  useSyncExternalStore(subscribe, getOfflineOwner, () => null);

/* The random id of the tutor who enabled offline reading on this device, as returned by `GET /api/me`. Kept small,
   because every page loads this file; the switch is on the settings page and the data in `offline-store.ts`. */
export const OFFLINE_OWNER_KEY = 'lessonbook-own-device';

/** Without storage there is no owner. */
export function getOfflineOwner(): string | null {
  try {
    return localStorage.getItem(OFFLINE_OWNER_KEY);
  } catch {
    return null;
  }
}
