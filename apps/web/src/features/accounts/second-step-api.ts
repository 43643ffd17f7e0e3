import type { User } from '@lessonbook/contract/accounts';
import { secondFactor } from '@lessonbook/contract/second-factor';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { setCurrentUser } from './me.ts';
import { signWithPasskey } from './passkey-device.ts';
import { isAtField } from './refusals.ts';

/** That took too long or too many tries: only the beginning helps. */
export const isStepOver = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'link_expired';

export const secondStepQuery = queryOptions({
  queryKey: [secondFactor.secondStep.path],
  queryFn: () => call(secondFactor.secondStep),
  // Of this login alone: the next one may ask for something else.
  gcTime: 0,
});

const failure = { errorTitle: 'Login failed', errorFallback: 'Please try again' };

function useWelcome() {
  const client = useQueryClient();
  return async (user: User) => {
    await setCurrentUser(client, user);
    toastDone('Login successful', `Welcome back, ${user.name}!`);
  };
}

export function useGiveCode() {
  return useMutation({
    mutationFn: (code: string) => call(secondFactor.giveCode, { body: { code } }),
    meta: { ...failure, errorShownInPlace: isAtField },
    onSuccess: useWelcome(),
  });
}

export function useGivePasskey() {
  return useMutation({
    mutationFn: async () => {
      const { question } = await call(secondFactor.askSecondPasskey);
      const answer = await signWithPasskey(question);
      return call(secondFactor.giveSecondPasskey, { body: { answer } });
    },
    meta: failure,
    onSuccess: useWelcome(),
  });
}

export function useLogInByPasskey() {
  return useMutation({
    mutationFn: async () => {
      const { question } = await call(secondFactor.askPasskey);
      const answer = await signWithPasskey(question);
      return call(secondFactor.logInByPasskey, { body: { answer } });
    },
    meta: failure,
    onSuccess: useWelcome(),
  });
}
