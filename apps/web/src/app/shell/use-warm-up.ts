import { useEffect } from 'react';
import { isSavingData } from '../../lib/saving-data.ts';

/** For browsers that do not tell when they are idle: long after a screen has its data. */
const WITHOUT_A_SIGN_MS = 3_000;

/** Fetches what most visits need sooner or later, once the browser has nothing better to do. */
export function useWarmUp(fetch: () => Promise<unknown>) {
  useEffect(() => {
    // Whoever opens it for real is told when it does not come.
    const warmUp = () => void fetch().catch(() => {});
    return isSavingData() ? undefined : whenIdle(warmUp);
  }, [fetch]);
}

function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, WITHOUT_A_SIGN_MS);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(act);
  return () => cancelIdleCallback(waiting);
}
