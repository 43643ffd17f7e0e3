import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

interface Connection {
  saveData?: boolean;
}

/** Whether the browser is in data saver mode, in which case nothing is prefetched. */
export function isSavingData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true;
}

/** False if the last call got no response or the browser reports no network. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
    () => true,
  );

/** Distinguishes an unreachable server from a missing network. */
export const offlineMessage = (): string =>
  navigator.onLine ? "Can't reach Lessonbook" : "You're offline";
