import type { cards } from '@lessonbook/contract/card-payments';
import type { PublicBill, publicBills, VoidBill } from '@lessonbook/contract/public-bill';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi } from '../../lib/http.ts';

/** What was due in one currency when the payer was redirected to the checkout page. */
export type CheckoutAmount = PublicBill['amounts'][number];

const storageKey = (token: string): string => `lessonbook-checkout-${token}`;

/**
 * Kept in this tab until the payer returns from the checkout page. If storage is blocked, the page works without it.
 */
export function saveCheckoutAmount(token: string, amount: CheckoutAmount): void {
  try {
    sessionStorage.setItem(storageKey(token), JSON.stringify(amount));
  } catch {
    // Storage is blocked.
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
 * Endpoints of the public bill page. They are declared here and type-checked against the contract, because importing
 * the contract would load its schemas on a public page.
 */
const publicBill = {
  method: 'GET',
  path: '/api/pay/:token',
} as const satisfies Pick<typeof publicBills.publicBill, 'method' | 'path'>;

const claimTransfer = {
  method: 'POST',
  path: '/api/pay/:token/transferred',
} as const satisfies Pick<typeof publicBills.claimTransfer, 'method' | 'path'>;

const withdrawTransferClaim = {
  method: 'DELETE',
  path: '/api/pay/:token/transferred',
} as const satisfies Pick<typeof publicBills.withdrawTransferClaim, 'method' | 'path'>;

const payByCard = {
  method: 'POST',
  path: '/api/pay/:token/card',
  // Marks the endpoint as having a body; the schema itself is not needed.
  body: true,
} as const satisfies Pick<typeof cards.payByCard, 'method' | 'path'> & { body: true };

export const billQuery = (token: string) =>
  queryOptions<PublicBill | VoidBill>({
    queryKey: ['/api/pay', token],
    queryFn: () => callApi(publicBill as typeof publicBills.publicBill, { params: { token } }),
    // A payer who returns to the open tab after paying must not see the bill as due.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/** Reports a bank transfer; nothing is marked as paid. */
export const useReportTransfer = (token: string) => useTransferClaim(token, claimTransfer);

export const useWithdrawTransferReport = (token: string) =>
  useTransferClaim(token, withdrawTransferClaim);

function useTransferClaim(
  token: string,
  endpoint: typeof claimTransfer | typeof withdrawTransferClaim,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(endpoint as typeof publicBills.claimTransfer, { params: { token } }),
    meta: { errorFallback: "We couldn't let your tutor know. Please try again." },
    onSuccess: (bill) => client.setQueryData(billQuery(token).queryKey, bill),
  });
}

/** Creates a checkout page for the amount currently due and returns its URL. */
export function usePayByCard(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ currency }: CheckoutAmount) =>
      callApi(payByCard as unknown as typeof cards.payByCard, {
        params: { token },
        body: { currency },
      }),
    meta: { isErrorShownInline: () => true },
    onError: async (error) => {
      // The bill was paid in the meantime, or cards were disabled: reload the bill.
      if (!(error instanceof ApiError) || error.status !== 409) return;
      await client.invalidateQueries({ queryKey: billQuery(token).queryKey });
    },
  });
}

export const billPdfUrl = (token: string): string => `/api/pay/${encodeURIComponent(token)}/pdf`;

export type BillErrorKind = 'invalid-link' | 'rate-limited' | 'failed';

export function toBillErrorKind(error: Error): BillErrorKind {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 429) return 'rate-limited';
  // 400: a malformed token is rejected before the lookup.
  return [400, 404, 410].includes(error.status) ? 'invalid-link' : 'failed';
}
