import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

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
