import { useEffect, useEffectEvent } from 'react';
import { useArrival } from '../../lib/arrival.ts';
import { toastDone, toastFailed } from '../../lib/toast.ts';

/** Long enough to read why the window moves on by itself. */
const RESTART_MS = 2_000;

const CONNECTED =
  'Stripe Connect account connected successfully! You can now receive payments directly.';

/** Whether Stripe has just sent the tutor back, and what follows from it. `connect` starts the way there anew. */
export function useReturnFromStripe(connect: () => void): boolean {
  const word = useArrival('stripe');
  const restart = useEffectEvent(connect);

  useEffect(() => {
    // What Stripe says now is asked by the page anyway, each time it opens.
    if (word === 'success') toastDone('Connected', CONNECTED);
    if (word !== 'refresh') return undefined;
    toastFailed('That link to Stripe has run out. A new one opens in a moment.', 'Action Required');
    const timer = setTimeout(() => restart(), RESTART_MS);
    return () => clearTimeout(timer);
  }, [word]);

  return word === 'success' || word === 'refresh';
}
