import type { EntryPage, GoogleReturn } from '@lessonbook/contract/google-sign-in';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useArrival } from '../../lib/arrival.ts';
import { toastFailed } from '../../lib/toast.ts';
import { googleFailure } from './google-api.ts';

const reasons: Partial<Record<GoogleReturn, string>> = {
  cancelled: 'You left Google without choosing an account.',
  busy: 'Too many attempts. Please wait a little and try again.',
};

/** Google has sent the browser back: go on with whom it vouched for, or say why not. */
export function useReturnFromGoogle(from: EntryPage, goOn: () => void): void {
  const word = useArrival('google');
  const done = useRef(false);
  const goOnNow = useEffectEvent(goOn);

  useEffect(() => {
    // The ticket is good once, so one arrival must not be two calls.
    if (!word || done.current) return;
    done.current = true;
    if (word === 'done') return goOnNow();
    const { errorTitle, errorFallback } = googleFailure[from];
    toastFailed(reasons[word as GoogleReturn] ?? errorFallback, errorTitle);
  }, [word, from]);
}
