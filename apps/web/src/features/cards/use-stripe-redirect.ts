import { useEffect, useEffectEvent } from 'react';
import { openTab, useCallbackParam, useExternalRedirect } from '../../lib/external-navigation.ts';
import { toastDone, toastFailed } from '../../lib/toast.ts';
import { useConnectCards } from './api.ts';

/** Long enough to read why the window moves on by itself. */
const RESTART_DELAY_MS = 2_000;

const CONNECTED_MESSAGE =
  'Stripe Connect account connected successfully! You can now receive payments directly.';

/** Whether Stripe has just sent the tutor back, and what follows from it. `connect` starts the way there anew. */
export function useStripeCallback(connect: () => void): boolean {
  const word = useCallbackParam('stripe');
  const restart = useEffectEvent(connect);

  useEffect(() => {
    // What Stripe says now is asked by the page anyway, each time it opens.
    if (word === 'success') toastDone('Connected', CONNECTED_MESSAGE);
    if (word !== 'refresh') return undefined;
    toastFailed('That link to Stripe has run out. A new one opens in a moment.', 'Action Required');
    const timer = setTimeout(() => restart(), RESTART_DELAY_MS);
    return () => clearTimeout(timer);
  }, [word]);

  return word === 'success' || word === 'refresh';
}

/** To wherever the next step is done. */
export function useStripeRedirect() {
  const { mutate, isPending } = useConnectCards();
  const { leaving, leaveFor } = useExternalRedirect();
  return {
    isBusy: isPending || leaving,
    /** In this window: Stripe sends it back when it is done. */
    go: () => mutate(undefined, { onSuccess: ({ url }) => leaveFor(url) }),
    /** Beside this window: nothing leads back from the tutor's own pages there. Only while a tap is being dealt with. */
    goBeside() {
      const tab = openTab();
      mutate(undefined, {
        onSuccess: ({ url }) => {
          if (!tab.goTo(url)) leaveFor(url);
        },
        onError: () => tab.close(),
      });
    },
  };
}
