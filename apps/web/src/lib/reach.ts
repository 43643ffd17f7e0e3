import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Whether the last call got an answer, or the browser knows that there is no network to ask. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
    () => true,
  );

/** A network without Lessonbook at its end is another trouble than no network, and not the tutor's to mend. */
export const outOfReachWords = (): string =>
  navigator.onLine ? 'Lessonbook cannot be reached' : 'You are offline';
