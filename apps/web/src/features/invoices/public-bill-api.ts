import type { cards } from '@lessonbook/contract/cards';
import type { PublicBill, publicInvoices } from '@lessonbook/contract/public-invoice';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';

/** What was due in one currency when the payer left for the card provider. */
export type CheckoutAmount = PublicBill['amounts'][number];

const storageKey = (token: string): string => `lessonbook-asked-${token}`;

/** Kept by this window alone, over the way to the provider and back. Storage that is closed to us costs only the memory. */
export function saveCheckoutAmount(token: string, asked: CheckoutAmount): void {
  try {
    sessionStorage.setItem(storageKey(token), JSON.stringify(asked));
  } catch {
    // See above.
  }
}

export function loadCheckoutAmount(token: string): CheckoutAmount | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(token)) ?? 'null') as CheckoutAmount | null;
  } catch {
    return null;
  }
}

/*
 * What whoever holds a link may see, apart from `api.ts`: a family's phone must not load the contract's schemas for it.
 * So the endpoints are written out here, and the type check keeps them true.
 */
const publicBill = {
  method: 'GET',
  path: '/api/pay/:token',
} as const satisfies Pick<typeof publicInvoices.publicBill, 'method' | 'path'>;

const claimTransfer = {
  method: 'POST',
  path: '/api/pay/:token/transferred',
} as const satisfies Pick<typeof publicInvoices.claimTransfer, 'method' | 'path'>;

const payByCard = {
  method: 'POST',
  path: '/api/pay/:token/card',
  // Says that there is one.
  body: true,
} as const satisfies Pick<typeof cards.payByCard, 'method' | 'path'> & { body: true };

export const billQuery = (token: string) =>
  queryOptions<PublicBill>({
    queryKey: ['/api/pay', token],
    queryFn: () => call(publicBill as typeof publicInvoices.publicBill, { params: { token } }),
    // A family comes back to the open tab after paying: it must not be asked for the money again.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/** Says that money is on its way. It marks nothing as paid. */
export function useReportTransfer(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call(claimTransfer as typeof publicInvoices.claimTransfer, { params: { token } }),
    meta: { errorFallback: 'That did not reach your tutor. Please try again.' },
    onSuccess: (bill) => client.setQueryData(billQuery(token).queryKey, bill),
  });
}

/** Gives the address of a fresh page of the card provider, for what is due in this moment. */
export function usePayByCard(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ currency }: CheckoutAmount) =>
      call(payByCard as unknown as typeof cards.payByCard, {
        params: { token },
        body: { currency },
      }),
    meta: { errorShownInPlace: () => true },
    onError: async (error) => {
      // Paid meanwhile, or no longer by card: the bill says what holds now.
      if (!(error instanceof ApiError) || error.status !== 409) return;
      await client.invalidateQueries({ queryKey: billQuery(token).queryKey });
    },
  });
}

export const billPdfUrl = (token: string): string => `/api/pay/${encodeURIComponent(token)}/pdf`;

export type BillErrorKind = 'unknown' | 'busy' | 'failed';

export function toBillErrorKind(error: Error): BillErrorKind {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 429) return 'busy';
  // A token of a strange shape is refused before it is looked for.
  return [400, 404, 410].includes(error.status) ? 'unknown' : 'failed';
}
