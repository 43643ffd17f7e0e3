import { cards, STRIPE_NOT_READY_MESSAGE } from '@lessonbook/contract/card-payments';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi, isReauthDeclined } from '../../lib/http.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { METHOD_TITLES } from './payment-method-labels.ts';

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
