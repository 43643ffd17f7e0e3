import { CARD_NOT_READY, cards, type DefaultMethod } from '@lessonbook/contract/cards';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';
import { toastDone, toastFailed } from '../../lib/toast.ts';
import { METHOD_TITLES } from './payment-method-labels.ts';

export const defaultMethodQuery = queryOptions({
  queryKey: ['/api/payment-methods/default'],
  queryFn: () => call(cards.defaultMethod),
});

export const cardStatusQuery = queryOptions({
  queryKey: ['/api/stripe-connect/status'],
  queryFn: () => call(cards.cardStatus),
  // It changes at Stripe, in a tab beside this one.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

const isNotReady = (error: Error): boolean => error instanceof ApiError && error.status === 409;

/** How families are asked to pay. */
export function useSaveDefaultMethod() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paymentMethod: DefaultMethod) =>
      call(cards.saveDefaultMethod, { body: { paymentMethod } }),
    // Said below, with a title that depends on it.
    meta: { errorShownInPlace: () => true },
    onError: (error) => {
      if (isNotReady(error)) toastFailed(CARD_NOT_READY, 'Action Required');
      else toastFailed('Failed to update payment method. Please try again.');
      // What is shown of the account may be what misled the tutor.
      void client.invalidateQueries({ queryKey: cardStatusQuery.queryKey });
    },
    onSuccess: (saved) => {
      client.setQueryData(defaultMethodQuery.queryKey, saved);
      const title = METHOD_TITLES[saved.defaultPaymentMethod];
      toastDone('Payment Method Updated', `Default payment method set to ${title}`);
    },
  });
}

/** Gives the address at Stripe where the next step is done: to connect, to complete, or to manage. */
export function useConnectCards() {
  return useMutation({
    mutationFn: () => call(cards.createCardAccount),
    meta: { errorShownInPlace: () => true },
    onError: (error) => {
      // The demo's refusal is the one that another try will not change.
      const refused = error instanceof ApiError && error.status === 403 && error.userMessage;
      toastFailed(refused || 'Failed to connect to Stripe. Please try again.');
    },
  });
}
