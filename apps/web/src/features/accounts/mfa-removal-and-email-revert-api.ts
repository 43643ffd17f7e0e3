import type { ForgotPasswordInput } from '@lessonbook/contract/accounts';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { isInvalidLink } from './api.ts';
import { meQuery } from './current-user.ts';

/** Also ends this browser's login if it belongs to the same account. */
export function useRevertEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => callApi(accountRecovery.revertEmail, { body: { token } }),
    meta: {
      isErrorShownInline: isInvalidLink,
      errorFallback: "The address couldn't be restored. Please try again.",
    },
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export const useRequestMfaRemoval = () =>
  useMutation({
    mutationFn: (body: ForgotPasswordInput) => callApi(accountRecovery.requestMfaRemoval, { body }),
    meta: { errorFallback: "The link couldn't be sent. Please try again." },
  });

export const useStartMfaRemoval = () =>
  useMutation({
    mutationFn: (token: string) => callApi(accountRecovery.startMfaRemoval, { body: { token } }),
    meta: {
      isErrorShownInline: isInvalidLink,
      errorFallback: "The removal couldn't be started. Please try again.",
    },
  });

export function useCancelMfaRemoval() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => callApi(accountRecovery.cancelMfaRemoval, { body: { token } }),
    meta: {
      isErrorShownInline: isInvalidLink,
      errorFallback: "The removal couldn't be cancelled. Please try again.",
    },
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useCancelOwnMfaRemoval() {
  return useMutation({
    mutationFn: () => callApi(accountRecovery.cancelOwnMfaRemoval),
    meta: { errorFallback: "The removal couldn't be cancelled. Please try again." },
    onSuccess: () => toastSuccess('Two-step login stays on'),
  });
}

export function useCompleteAccessReview() {
  return useMutation({
    mutationFn: () => callApi(accountRecovery.completeAccessReview),
    meta: { errorFallback: "Your review couldn't be saved. Please try again." },
    onSuccess: () => toastSuccess('Review complete'),
  });
}
