import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { isFieldError, isReauthRequired } from './auth-errors.ts';
import { createPasskey, signWithPasskey } from './webauthn.ts';

export const securityQuery = queryOptions({
  queryKey: [security.security.path],
  queryFn: () => call(security.security),
});

export const loginsQuery = queryOptions({
  queryKey: [security.logins.path],
  queryFn: () => call(security.logins),
});

/** A change to credentials or logins. It may require reauthentication, and it refetches the lists. */
function useSecurityMutation<Input, Output>(options: {
  change: (input: Input) => Promise<Output>;
  fallback: string;
  /** Returns null if a dialog follows, because the toast would cover it. */
  done?: (output: Output) => [title: string, message?: string] | null;
  invalidate: readonly QueryKey[];
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: options.change,
    meta: { errorFallback: options.fallback, errorShownInPlace: isReauthRequired },
    onSuccess: async (output: Output) => {
      await Promise.all(
        options.invalidate.map((queryKey) => client.invalidateQueries({ queryKey })),
      );
      const toast = options.done?.(output);
      if (toast) toastDone(...toast);
    },
  });
}

const SECURITY_AND_LOGINS = [securityQuery.queryKey, loginsQuery.queryKey];
const OTHERS_LOGGED_OUT = 'Every other browser is logged out.';

export const useChangePassword = () =>
  useSecurityMutation({
    change: (password: string) => call(security.changePassword, { body: { password } }),
    fallback: 'Failed to change the password. Please try again.',
    done: () => ['Password changed', OTHERS_LOGGED_OUT],
    invalidate: SECURITY_AND_LOGINS,
  });

export const useEndLogin = () =>
  useSecurityMutation({
    change: (id: string) => call(security.revokeLogin, { params: { id } }),
    fallback: 'Failed to log that browser out. Please try again.',
    done: () => ['Logged out there'],
    invalidate: [loginsQuery.queryKey],
  });

export const useEndOtherLogins = () =>
  useSecurityMutation({
    change: () => call(security.revokeOtherLogins),
    fallback: 'Failed to log the others out. Please try again.',
    done: () => ['Logged out everywhere else'],
    invalidate: [loginsQuery.queryKey],
  });

export const useStartAuthenticatorSetup = () =>
  useSecurityMutation({
    change: () => call(mfa.startAuthenticatorSetup),
    fallback: 'Failed to begin. Please try again.',
    invalidate: [],
  });

export const useEnableAuthenticator = () =>
  useSecurityMutation({
    change: (code: string) => call(mfa.turnOnAuthenticator, { body: { code } }),
    fallback: 'Failed to turn it on. Please try again.',
    done: ({ recoveryCodes }) =>
      recoveryCodes.length > 0 ? null : ['Authenticator app is on', OTHERS_LOGGED_OUT],
    invalidate: SECURITY_AND_LOGINS,
  });

export const useDisableAuthenticator = () =>
  useSecurityMutation({
    change: () => call(mfa.turnOffAuthenticator),
    fallback: 'Failed to turn it off. Please try again.',
    done: () => ['Authenticator app is off'],
    invalidate: [securityQuery.queryKey],
  });

export const useRegenerateRecoveryCodes = () =>
  useSecurityMutation({
    change: () => call(mfa.regenerateRecoveryCodes),
    fallback: 'Failed to make new codes. Please try again.',
    invalidate: [securityQuery.queryKey],
  });

export const useAddPasskey = () =>
  useSecurityMutation({
    change: async (name: string) => {
      const { options } = await call(mfa.passkeyRegistrationOptions);
      const response = await createPasskey(options);
      return call(mfa.addPasskey, { body: { name, response } });
    },
    fallback: 'Failed to add the passkey. Please try again.',
    done: ({ recoveryCodes }) =>
      recoveryCodes.length > 0 ? null : ['Passkey added', OTHERS_LOGGED_OUT],
    invalidate: SECURITY_AND_LOGINS,
  });

export const useRenamePasskey = () =>
  useSecurityMutation({
    change: ({ id, name }: { id: string; name: string }) =>
      call(mfa.renamePasskey, { params: { id }, body: { name } }),
    fallback: 'Failed to save the name. Please try again.',
    invalidate: [securityQuery.queryKey],
  });

export const useRemovePasskey = () =>
  useSecurityMutation({
    change: (id: string) => call(mfa.removePasskey, { params: { id } }),
    fallback: 'Failed to remove the passkey. Please try again.',
    done: () => ['Passkey removed'],
    invalidate: [securityQuery.queryKey],
  });

/* Reauthentication */

export const useReauthByPassword = () =>
  useMutation({
    mutationFn: (password: string) =>
      call(security.reauthenticateWithPassword, { body: { password } }),
    meta: { errorFallback: 'Failed to check. Please try again.', errorShownInPlace: isFieldError },
  });

export const useReauthByCode = () =>
  useMutation({
    mutationFn: (code: string) => call(mfa.reauthenticateWithCode, { body: { code } }),
    meta: { errorFallback: 'Failed to check. Please try again.', errorShownInPlace: isFieldError },
  });

export const useReauthByPasskey = () =>
  useMutation({
    mutationFn: async () => {
      const { options } = await call(mfa.reauthenticationPasskeyOptions);
      const response = await signWithPasskey(options);
      return call(mfa.reauthenticateWithPasskey, { body: { response } });
    },
    meta: { errorFallback: 'Failed to check. Please try again.' },
  });
