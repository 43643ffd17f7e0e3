import { useSyncExternalStore } from 'react';
import { OWN_DEVICE_KEY, ownerOfDevice } from './own-device.ts';

const listeners = new Set<() => void>();

export function setOwnerOfDevice(owner: string | null) {
  try {
    if (owner === null) localStorage.removeItem(OWN_DEVICE_KEY);
    else localStorage.setItem(OWN_DEVICE_KEY, owner);
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

export const useOwnerOfDevice = (): string | null =>
  useSyncExternalStore(subscribe, ownerOfDevice, () => null);
