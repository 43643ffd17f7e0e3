import type { StripeConnectStatus } from '@lessonbook/contract/card-payments';
import { useEffect, useEffectEvent } from 'react';
import { openTab, useExternalRedirect } from '../../lib/external-navigation.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useOneTimeParam } from '../../lib/use-one-time-param.ts';
import { useConnectCards } from './api.ts';

const INCOMPLETE_MESSAGE =
  "Stripe still needs something from you, so families can't pay by card yet.";

/** Long enough to read why the page is redirecting again. */
const RESTART_DELAY_MS = 2_000;

export const CONNECTED_MESSAGE =
  'Stripe Connect account connected successfully! You can now receive payments directly.';

/**
 * Returns whether Stripe has just redirected back, which does not mean that onboarding is complete. Shows a message once
 * the status is known, and calls `connect` again if the link has expired.
 */
export function useStripeCallback(
  connect: () => void,
  status: StripeConnectStatus | undefined,
  isOn: boolean,
): boolean {
  const result = useOneTimeParam('stripe');
  const restart = useEffectEvent(connect);
  const isReady = status?.onboardingComplete;

  const showResult = useEffectEvent(() => {
    if (!isReady) toastError(INCOMPLETE_MESSAGE, 'Action Required');
    else toastSuccess('Connected', isOn ? CONNECTED_MESSAGE : 'Your Stripe account is ready.');
  });

  useEffect(() => {
    if (result === 'success' && isReady !== undefined) showResult();
  }, [result, isReady]);

  useEffect(() => {
    if (result !== 'refresh') return undefined;
    toastError(
      'That link to Stripe has expired. A new one will open in a moment.',
      'Action Required',
    );
    const timer = setTimeout(() => restart(), RESTART_DELAY_MS);
    return () => clearTimeout(timer);
  }, [result]);

  return result === 'success' || result === 'refresh';
}

/** Opens the Stripe page for the next step. */
export function useStripeRedirect() {
  const { mutate, isPending } = useConnectCards();
  const { isRedirecting, redirectTo } = useExternalRedirect();
  return {
    isBusy: isPending || isRedirecting,
    /** Redirects this window. Stripe redirects back afterwards. */
    redirect: (beforeLeaving?: () => void) =>
      mutate(undefined, {
        onSuccess: ({ url }) => {
          beforeLeaving?.();
          redirectTo(url);
        },
      }),
    /**
     * Opens a new tab, because the Stripe dashboard does not redirect back. The tab is opened after the response, because
     * it would otherwise cover the dialog that may ask the tutor to reauthenticate. If the browser blocks the tab, this
     * window is redirected instead.
     */
    openInNewTab: () =>
      mutate(undefined, {
        onSuccess: ({ url }) => {
          if (!openTab().goTo(url)) redirectTo(url);
        },
      }),
  };
}
