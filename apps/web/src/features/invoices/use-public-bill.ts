import type { PublicBill } from '@lessonbook/contract/public-invoice';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCallbackParam, useExternalRedirect } from '../../lib/external-navigation.ts';
import { errorMessage } from '../../lib/query.ts';
import {
  billQuery,
  type CheckoutAmount,
  loadCheckoutAmount,
  saveCheckoutAmount,
  usePayByCard,
} from './public-bill-api.ts';

const UNREACHABLE_MESSAGE =
  'Card payments cannot be reached just now. Nothing was charged. Please try again in a few minutes.';

export type CardCheckout = ReturnType<typeof useCardCheckout>;

/** To the card provider's page. */
export function useCardCheckout(token: string) {
  const { mutate, variables, isPending, error } = usePayByCard(token);
  const { leaving, leaveFor } = useExternalRedirect();
  return {
    opening: ((isPending || leaving) && variables) || null,
    refusal: error && errorMessage(error, { errorFallback: UNREACHABLE_MESSAGE }),
    pay: (asked: CheckoutAmount) =>
      mutate(asked, {
        onSuccess: ({ url }) => {
          saveCheckoutAmount(token, asked);
          leaveFor(url);
        },
      }),
  };
}

/* A browser that comes back from the card provider proves nothing: what is paid is what the bill says is paid. */

/** How the payer has come back: nothing charged, the word still awaited, long awaited, or here. */
export type CheckoutReturn = 'cancelled' | 'waiting' | 'late' | 'arrived';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** The provider's word takes seconds. After this it may be hours, and nobody should sit and wait. */
const POLL_TIMEOUT_MS = 60_000;

/** The bill behind a link, asked for again and again while a payment is awaited. */
export function usePublicBill(token: string) {
  const returnParam = useCallbackParam('card');
  const [checkoutAmount] = useState(() =>
    returnParam === 'paid' ? loadCheckoutAmount(token) : null,
  );
  const [isPolling, setPolling] = useState(returnParam === 'paid');
  const bill = useQuery({
    ...billQuery(token),
    refetchInterval: ({ state: { data, error } }) => {
      if (!isPolling || !data || isPaymentReceived(data, checkoutAmount)) return false;
      // Who is told to wait a minute must not ask all the more.
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
    cardReturn: bill.data
      ? toCheckoutReturn(returnParam, bill.data, checkoutAmount, isPolling)
      : null,
    lookAgain: () => {
      setPolling(true);
      void bill.refetch();
    },
  };
}

function toCheckoutReturn(
  returnParam: string | null,
  bill: PublicBill,
  checkoutAmount: CheckoutAmount | null,
  isPolling: boolean,
): CheckoutReturn | null {
  if (returnParam === 'cancelled') return 'cancelled';
  if (returnParam !== 'paid') return null;
  if (isPaymentReceived(bill, checkoutAmount)) return 'arrived';
  return isPolling ? 'waiting' : 'late';
}

/** Nothing is due any more, or no longer what was due when the payer left. A slow way to pay is no longer waited for. */
function isPaymentReceived(bill: PublicBill, checkoutAmount: CheckoutAmount | null): boolean {
  if (bill.state !== 'due' || bill.card?.pending) return true;
  if (!checkoutAmount) return false;
  const now = bill.amounts.find(({ currency }) => currency === checkoutAmount.currency);
  return now?.due !== checkoutAmount.due;
}
