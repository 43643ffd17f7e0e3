import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { isFieldError } from './auth-error-checks.ts';
import { loadWebauthn } from './passkey-support.ts';

export const securityQuery = queryOptions({
  queryKey: [security.security.path],
  queryFn: () => callApi(security.security),
});

export const loginsQuery = queryOptions({
  queryKey: [security.logins.path],
  queryFn: () => callApi(security.logins),
});

/** A change to credentials or logins. */
function useSecurityMutation<Input, Output>(options: {
  mutationFn: (input: Input) => Promise<Output>;
  errorFallback: string;
  /** Returns null if a dialog follows, because the toast would cover it. */
  successToast?: (output: Output) => [title: string, message?: string] | null;
}) {
  return useMutation({
    mutationFn: options.mutationFn,
    meta: { errorFallback: options.errorFallback },
    onSuccess: (output: Output) => {
      const toast = options.successToast?.(output);
      if (toast) toastSuccess(...toast);
    },
  });
}

const OTHERS_LOGGED_OUT = "You've been logged out of every other browser.";

export const useChangePassword = () =>
  useSecurityMutation({
    mutationFn: (password: string) => callApi(security.changePassword, { body: { password } }),
    errorFallback: "We couldn't change your password. Please try again.",
    successToast: () => ['Password changed', OTHERS_LOGGED_OUT],
  });

export const useEndLogin = () =>
  useSecurityMutation({
    mutationFn: (id: string) => callApi(security.revokeLogin, { params: { id } }),
    errorFallback: "We couldn't log that browser out. Please try again.",
    successToast: () => ['Logged out of that browser'],
  });

export const useEndOtherLogins = () =>
  useSecurityMutation({
    mutationFn: () => callApi(security.revokeOtherLogins),
    errorFallback: "We couldn't log out the other browsers. Please try again.",
    successToast: () => ['Logged out everywhere else'],
  });

export const useStartAuthenticatorSetup = () =>
  useSecurityMutation({
    mutationFn: () => callApi(mfa.startAuthenticatorSetup),
    errorFallback: "We couldn't start the setup. Please try again.",
  });

export const useEnableAuthenticator = () =>
  useSecurityMutation({
    mutationFn: (code: string) => callApi(mfa.turnOnAuthenticator, { body: { code } }),
    errorFallback: "We couldn't turn on the authenticator app. Please try again.",
    successToast: ({ recoveryCodes }) =>
      recoveryCodes.length > 0 ? null : ['Authenticator app is on', OTHERS_LOGGED_OUT],
  });

export const useDisableAuthenticator = () =>
  useSecurityMutation({
    mutationFn: () => callApi(mfa.turnOffAuthenticator),
    errorFallback: "We couldn't turn off the authenticator app. Please try again.",
    successToast: () => ['Authenticator app is off'],
  });

export const useRegenerateRecoveryCodes = () =>
  useSecurityMutation({
    mutationFn: () => callApi(mfa.regenerateRecoveryCodes),
    errorFallback: "We couldn't create new codes. Please try again.",
  });

export const useUnlinkGoogle = () =>
  useSecurityMutation({
    mutationFn: () => callApi(accountRecovery.unlinkGoogle),
    errorFallback: "Google sign-in couldn't be disconnected. Please try again.",
    successToast: () => ['Google sign-in disconnected'],
  });

export const useAddPasskey = () =>
  useSecurityMutation({
    mutationFn: async (name: string) => {
      const { options } = await callApi(mfa.passkeyRegistrationOptions);
      const { createPasskey } = await loadWebauthn();
      const response = await createPasskey(options);
      return callApi(mfa.addPasskey, { body: { name, response } });
    },
    errorFallback: "We couldn't add the passkey. Please try again.",
    successToast: ({ recoveryCodes }) =>
      recoveryCodes.length > 0 ? null : ['Passkey added', OTHERS_LOGGED_OUT],
  });

export const useRenamePasskey = () =>
  useSecurityMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      callApi(mfa.renamePasskey, { params: { id }, body: { name } }),
    errorFallback: "We couldn't save the name. Please try again.",
  });

export const useRemovePasskey = () =>
  useSecurityMutation({
    mutationFn: (id: string) => callApi(mfa.removePasskey, { params: { id } }),
    errorFallback: "We couldn't remove the passkey. Please try again.",
    successToast: () => ['Passkey removed'],
  });

/* Reauthentication */

export const useReauthByPassword = () =>
  useMutation({
    mutationFn: (password: string) =>
      callApi(security.reauthenticateWithPassword, { body: { password } }),
    meta: {
      errorFallback: "We couldn't confirm it's you. Please try again.",
      isErrorShownInline: isFieldError,
    },
  });

export const useReauthByCode = () =>
  useMutation({
    mutationFn: (code: string) => callApi(mfa.reauthenticateWithCode, { body: { code } }),
    meta: {
      errorFallback: "We couldn't confirm it's you. Please try again.",
      isErrorShownInline: isFieldError,
    },
  });

export const useReauthByPasskey = () =>
  useMutation({
    mutationFn: async () => {
      const { options } = await callApi(mfa.reauthenticationPasskeyOptions);
      const { signWithPasskey } = await loadWebauthn();
      const response = await signWithPasskey(options);
      return callApi(mfa.reauthenticateWithPasskey, { body: { response } });
    },
    meta: { errorFallback: "We couldn't confirm it's you. Please try again." },
  });

const GOOGLE_POLL_MS = 2_000;

/** The tutor signs in to Google in another tab; the identity appears here once Google has redirected back. */
export const pendingGoogleQuery = queryOptions({
  queryKey: [googleSignIn.pending.path],
  queryFn: () => callApi(googleSignIn.pending),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: GOOGLE_POLL_MS,
  refetchIntervalInBackground: true,
});

export const useReauthByGoogle = () =>
  useMutation({
    mutationFn: (credential: string) =>
      callApi(googleSignIn.reauthenticate, { body: { credential } }),
    meta: { errorFallback: "We couldn't confirm it's you. Please try again." },
  });
