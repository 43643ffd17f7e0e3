import {
  cards,
  type DefaultMethod,
  STRIPE_NOT_READY_MESSAGE,
  type StripeConnectStatus,
} from '@lessonbook/contract/card-payments';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi, isReauthDeclined } from '../../lib/http.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';

export const defaultMethodQuery = queryOptions({
  queryKey: ['/api/payment-methods/default'],
  queryFn: () => callApi(cards.defaultMethod),
});

export const cardStatusQuery = queryOptions({
  queryKey: ['/api/stripe-connect/status'],
  queryFn: () => callApi(cards.cardStatus),
  // The status changes on Stripe's side, in another tab.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

const isNotReady = (error: Error): boolean => error instanceof ApiError && error.status === 409;

export function useSaveDefaultMethod() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointInput<typeof cards.saveDefaultMethod>['body']) =>
      callApi(cards.saveDefaultMethod, { body }),
    // The toast below has a title that depends on the error.
    meta: { isErrorShownInline: () => true },
    onError: (error) => {
      if (isNotReady(error)) toastError(STRIPE_NOT_READY_MESSAGE, 'Action Required');
      else toastError('Failed to update payment method. Please try again.');
      // The account status on the page may be out of date.
      void client.invalidateQueries({ queryKey: cardStatusQuery.queryKey });
    },
    onSuccess: (saved) => {
      client.setQueryData(defaultMethodQuery.queryKey, saved);
      const title = METHOD_TITLES[saved.defaultPaymentMethod];
      toastSuccess('Payment Method Updated', `Default payment method set to ${title}`);
    },
  });
}

/** Returns the Stripe URL for the next step: connecting, completing onboarding or managing the account. */
export function useConnectCards() {
  return useMutation({
    mutationFn: () => callApi(cards.createCardAccount),
    meta: { isErrorShownInline: () => true },
    onError: (error) => {
      if (isReauthDeclined(error)) return;
      // A 403 (demo account) has its own message, because retrying does not help.
      const forbidden = error instanceof ApiError && error.status === 403 && error.userMessage;
      toastError(forbidden || 'Failed to connect to Stripe. Please try again.');
    },
  });
}

export const METHOD_TITLES: Record<DefaultMethod, string> = {
  manual: 'Manual Payments',
  stripe: 'Stripe Payments',
};

export const METHOD_HINTS: Record<DefaultMethod, string> = {
  manual: 'You record payments received outside the app, e.g. cash or bank transfer.',
  stripe: 'Students pay by card. The money goes to your own Stripe account.',
};

/** The label of the next-step button. */
export function nextStepLabel({ connected, onboardingComplete }: StripeConnectStatus): string {
  if (!connected) return 'Connect with Stripe';
  return onboardingComplete ? 'Manage Account' : 'Complete Onboarding';
}

/** Explains the next step. `isOn`: card payments are already enabled. */
export function nextStepHint(status: StripeConnectStatus, isOn: boolean): string {
  if (!status.connected) {
    return 'Stripe asks who you are and where your money should go. It takes a few minutes.';
  }
  if (!status.onboardingComplete) {
    return 'Stripe still needs something from you before families can pay by card.';
  }
  if (!isOn) return "Stripe is ready, but families can't pay by card until you turn it on.";
  if (!status.payoutsEnabled) {
    return 'Families can pay by card. Stripe is holding payouts. See why in your Stripe account.';
  }
  return 'Families can pay by card on the page linked in your reminders and invoices.';
}
