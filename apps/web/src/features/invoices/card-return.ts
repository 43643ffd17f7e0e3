import type { PublicBill } from '@lessonbook/contract/bills';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useArrival } from '../../lib/arrival.ts';
import { type Asked, askedBefore } from './asked.ts';
import { billQuery } from './public-bill.ts';

/* A browser that comes back from the card provider proves nothing: what is paid is what the bill says is paid. */

/** How the payer has come back: nothing charged, the word still awaited, long awaited, or here. */
export type CardReturn = 'cancelled' | 'waiting' | 'late' | 'arrived';

const ASK_EVERY_MS = 2_000;
const ASK_LESS_MS = 15_000;
/** The provider's word takes seconds. After this it may be hours, and nobody should sit and wait. */
const PATIENCE_MS = 60_000;

/** The bill behind a link, asked for again and again while a payment is awaited. */
export function useBill(token: string) {
  const word = useArrival('card');
  const [asked] = useState(() => (word === 'paid' ? askedBefore(token) : null));
  const [isPatient, setPatient] = useState(word === 'paid');
  const bill = useQuery({
    ...billQuery(token),
    refetchInterval: ({ state: { data, error } }) => {
      if (!isPatient || !data || hasArrived(data, asked)) return false;
      // Who is told to wait a minute must not ask all the more.
      return error ? ASK_LESS_MS : ASK_EVERY_MS;
    },
  });

  useEffect(() => {
    if (!isPatient) return undefined;
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isPatient]);

  return {
    ...bill,
    cardReturn: bill.data ? cardReturn(word, bill.data, asked, isPatient) : null,
    lookAgain: () => {
      setPatient(true);
      void bill.refetch();
    },
  };
}

function cardReturn(
  word: string | null,
  bill: PublicBill,
  asked: Asked | null,
  isPatient: boolean,
): CardReturn | null {
  if (word === 'cancelled') return 'cancelled';
  if (word !== 'paid') return null;
  if (hasArrived(bill, asked)) return 'arrived';
  return isPatient ? 'waiting' : 'late';
}

/** Nothing is due any more, or no longer what was due when the payer left. A slow way to pay is no longer waited for. */
function hasArrived(bill: PublicBill, asked: Asked | null): boolean {
  if (bill.state !== 'due' || bill.card?.pending) return true;
  if (!asked) return false;
  const now = bill.amounts.find(({ currency }) => currency === asked.currency);
  return now?.due !== asked.due;
}
