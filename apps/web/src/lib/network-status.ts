import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

interface Connection {
  saveData?: boolean;
}

/** Whether the tutor has asked the browser to be sparing with data: then nothing is fetched before it is wanted. */
export function isSavingData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true;
}

/** Whether the last call got an answer, or the browser knows that there is no network to ask. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
    () => true,
  );

/** A network without Lessonbook at its end is another trouble than no network, and not the tutor's to mend. */
export const offlineMessage = (): string =>
  navigator.onLine ? 'Lessonbook cannot be reached' : 'You are offline';
