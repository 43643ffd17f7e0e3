import type { PublicBill, VoidBill } from '@lessonbook/contract/public-bill';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useExternalRedirect } from '../../lib/external-navigation.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import {
  billQuery,
  type CheckoutAmount,
  loadCheckoutAmount,
  saveCheckoutAmount,
  usePayByCard,
} from './public-bill-api.ts';

const UNREACHABLE_MESSAGE =
  "Card payments aren't available right now. Nothing was charged. Please try again in a few minutes.";

export type CardCheckout = ReturnType<typeof useCardCheckout>;

/** Redirects to the card provider's checkout page. */
export function useCardCheckout(token: string) {
  const { mutate, variables, isPending, error } = usePayByCard(token);
  const { isRedirecting, redirectTo } = useExternalRedirect();
  return {
    pendingAmount: ((isPending || isRedirecting) && variables) || null,
    errorText: error && getErrorMessage(error, { errorFallback: UNREACHABLE_MESSAGE }),
    pay: (amount: CheckoutAmount) =>
      mutate(amount, {
        onSuccess: ({ url }) => {
          saveCheckoutAmount(token, amount);
          redirectTo(url);
        },
      }),
  };
}

/* Returning from the checkout page does not prove that the bill was paid; only the state of the bill does. */

/**
 * The state after returning from checkout. 'late' means that the confirmation did not arrive before polling stopped.
 */
export type CheckoutReturn = 'cancelled' | 'waiting' | 'late' | 'received';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** Confirmation usually takes seconds. After this time it may take hours, so polling stops. */
const POLL_TIMEOUT_MS = 60_000;

/** Set by the checkout page. Read once and removed from the URL, because it does not apply to a reload or a bookmark. */
function useReturnParam(): string | null {
  const [param] = useState(() => new URLSearchParams(window.location.search).get('card'));
  useEffect(() => {
    if (param !== null) window.history.replaceState(null, '', window.location.pathname);
  }, [param]);
  return param;
}

/** The bill behind a link, polled while payment confirmation is pending. */
export function usePublicBill(token: string) {
  const returnParam = useReturnParam();
  const [checkoutAmount] = useState(() =>
    returnParam === 'paid' ? loadCheckoutAmount(token) : null,
  );
  const [isPolling, setPolling] = useState(returnParam === 'paid');
  const bill = useQuery({
    ...billQuery(token),
    refetchInterval: ({ state: { data, error } }) => {
      if (!isPolling || !data || isPaymentReceived(data, checkoutAmount)) return false;
      // Slow down after errors such as 429.
      return error ? SLOW_POLL_MS : POLL_MS;
    },
  });

  useEffect(() => {
    if (!isPolling) return undefined;
    const timer = setTimeout(() => setPolling(false), POLL_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [isPolling]);

  return {
    ...bill,
    checkoutReturn: bill.data
      ? toCheckoutReturn(returnParam, bill.data, checkoutAmount, isPolling)
      : null,
    resumePolling: () => {
      setPolling(true);
      void bill.refetch();
    },
  };
}

function toCheckoutReturn(
  returnParam: string | null,
  bill: PublicBill | VoidBill,
  checkoutAmount: CheckoutAmount | null,
  isPolling: boolean,
): CheckoutReturn | null {
  if (returnParam === 'cancelled') return 'cancelled';
  if (returnParam !== 'paid') return null;
  if (isPaymentReceived(bill, checkoutAmount)) return 'received';
  return isPolling ? 'waiting' : 'late';
}

/** True if nothing is due, the amount due has changed since checkout, or a slow payment method is pending. */
function isPaymentReceived(
  bill: PublicBill | VoidBill,
  checkoutAmount: CheckoutAmount | null,
): boolean {
  if (bill.state !== 'due' || bill.card?.pending) return true;
  if (!checkoutAmount) return false;
  const current = bill.amounts.find(({ currency }) => currency === checkoutAmount.currency);
  return current?.due !== checkoutAmount.due;
}
