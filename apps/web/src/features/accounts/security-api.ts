import { secondFactor } from '@lessonbook/contract/second-factor';
import { security } from '@lessonbook/contract/security';
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { makePasskey, signWithPasskey } from './passkey-device.ts';
import { isAtField, isConfirmationNeeded } from './refusals.ts';

export const securityQuery = queryOptions({
  queryKey: [security.security.path],
  queryFn: () => call(security.security),
});

export const loginsQuery = queryOptions({
  queryKey: [security.logins.path],
  queryFn: () => call(security.logins),
});

/** What changes how one comes in: the gate may ask in between, and the lists are read again. */
function useSecurityChange<Input, Output>(options: {
  change: (input: Input) => Promise<Output>;
  fallback: string;
  /** Null where a dialog follows, which a toast would cover. */
  done?: (output: Output) => [title: string, message?: string] | null;
  renew: readonly QueryKey[];
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: options.change,
    meta: { errorFallback: options.fallback, errorShownInPlace: isConfirmationNeeded },
    onSuccess: async (output: Output) => {
      await Promise.all(options.renew.map((queryKey) => client.invalidateQueries({ queryKey })));
      const words = options.done?.(output);
      if (words) toastDone(...words);
    },
  });
}

const both = [securityQuery.queryKey, loginsQuery.queryKey];
const elsewhere = 'Every other browser is logged out.';

export const useChangePassword = () =>
  useSecurityChange({
    change: (password: string) => call(security.changePassword, { body: { password } }),
    fallback: 'Failed to change the password. Please try again.',
    done: () => ['Password changed', elsewhere],
    renew: both,
  });

export const useEndLogin = () =>
  useSecurityChange({
    change: (id: string) => call(security.endLogin, { params: { id } }),
    fallback: 'Failed to log that browser out. Please try again.',
    done: () => ['Logged out there'],
    renew: [loginsQuery.queryKey],
  });

export const useEndOtherLogins = () =>
  useSecurityChange({
    change: () => call(security.endOtherLogins),
    fallback: 'Failed to log the others out. Please try again.',
    done: () => ['Logged out everywhere else'],
    renew: [loginsQuery.queryKey],
  });

export const useBeginAuthenticator = () =>
  useSecurityChange({
    change: () => call(secondFactor.beginAuthenticator),
    fallback: 'Failed to begin. Please try again.',
    renew: [],
  });

export const useTurnOnAuthenticator = () =>
  useSecurityChange({
    change: (code: string) => call(secondFactor.turnOnAuthenticator, { body: { code } }),
    fallback: 'Failed to turn it on. Please try again.',
    done: ({ recoveryCodes }) =>
      recoveryCodes.length > 0 ? null : ['Authenticator app is on', elsewhere],
    renew: both,
  });

export const useTurnOffAuthenticator = () =>
  useSecurityChange({
    change: () => call(secondFactor.turnOffAuthenticator),
    fallback: 'Failed to turn it off. Please try again.',
    done: () => ['Authenticator app is off'],
    renew: [securityQuery.queryKey],
  });

export const useNewRecoveryCodes = () =>
  useSecurityChange({
    change: () => call(secondFactor.newRecoveryCodes),
    fallback: 'Failed to make new codes. Please try again.',
    renew: [securityQuery.queryKey],
  });

export const useAddPasskey = () =>
  useSecurityChange({
    change: async (name: string) => {
      const { question } = await call(secondFactor.askToAddPasskey);
      const answer = await makePasskey(question);
      return call(secondFactor.addPasskey, { body: { name, answer } });
    },
    fallback: 'Failed to add the passkey. Please try again.',
    done: ({ recoveryCodes }) => (recoveryCodes.length > 0 ? null : ['Passkey added', elsewhere]),
    renew: both,
  });

export const useRenamePasskey = () =>
  useSecurityChange({
    change: ({ id, name }: { id: string; name: string }) =>
      call(secondFactor.renamePasskey, { params: { id }, body: { name } }),
    fallback: 'Failed to save the name. Please try again.',
    renew: [securityQuery.queryKey],
  });

export const useRemovePasskey = () =>
  useSecurityChange({
    change: (id: string) => call(secondFactor.removePasskey, { params: { id } }),
    fallback: 'Failed to remove the passkey. Please try again.',
    done: () => ['Passkey removed'],
    renew: [securityQuery.queryKey],
  });

/* Showing that it is still the tutor */

export const useConfirmByPassword = () =>
  useMutation({
    mutationFn: (password: string) => call(security.confirmByPassword, { body: { password } }),
    meta: { errorFallback: 'Failed to check. Please try again.', errorShownInPlace: isAtField },
  });

export const useConfirmByCode = () =>
  useMutation({
    mutationFn: (code: string) => call(secondFactor.confirmByCode, { body: { code } }),
    meta: { errorFallback: 'Failed to check. Please try again.', errorShownInPlace: isAtField },
  });

export const useConfirmByPasskey = () =>
  useMutation({
    mutationFn: async () => {
      const { question } = await call(secondFactor.askToConfirm);
      const answer = await signWithPasskey(question);
      return call(secondFactor.confirmByPasskey, { body: { answer } });
    },
    meta: { errorFallback: 'Failed to check. Please try again.' },
  });
