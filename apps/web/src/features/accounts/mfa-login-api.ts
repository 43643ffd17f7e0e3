import type { User } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { isFieldError } from './auth-error-checks.ts';
import { setCurrentUser } from './current-user.ts';
import { loadWebauthn } from './passkey-support.ts';

/** The challenge has expired or has had too many attempts, so the login has to start again. */
export const isMfaExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'link_expired';

export const mfaChallengeQuery = queryOptions({
  queryKey: [mfa.mfaChallenge.path],
  queryFn: () => callApi(mfa.mfaChallenge),
  // Only for this login: the next one may need a different factor.
  gcTime: 0,
});

const errorMessages = { errorTitle: 'Login failed', errorFallback: 'Please try again' };

function useLoginSuccess() {
  const client = useQueryClient();
  return async (user: User) => {
    await setCurrentUser(client, user);
    toastSuccess('Login successful', `Welcome back, ${user.name}!`);
  };
}

export function useVerifyMfaCode() {
  return useMutation({
    mutationFn: (code: string) => callApi(mfa.verifyMfaCode, { body: { code } }),
    meta: { ...errorMessages, isErrorShownInline: isFieldError },
    onSuccess: useLoginSuccess(),
  });
}

export function useVerifyMfaPasskey() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await callApi(mfa.mfaPasskeyOptions);
      const { signWithPasskey } = await loadWebauthn();
      const response = await signWithPasskey(options);
      return callApi(mfa.verifyMfaPasskey, { body: { response } });
    },
    meta: errorMessages,
    onSuccess: useLoginSuccess(),
  });
}

export function usePasskeyLogin() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await callApi(mfa.passkeyLoginOptions);
      const { signWithPasskey } = await loadWebauthn();
      const response = await signWithPasskey(options);
      return callApi(mfa.logInWithPasskey, { body: { response } });
    },
    meta: errorMessages,
    onSuccess: useLoginSuccess(),
  });
}
