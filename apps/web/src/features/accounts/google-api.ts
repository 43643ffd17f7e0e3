import type { User } from '@lessonbook/contract/accounts';
import {
  type EntryPage,
  googleSignIn,
  type LinkGoogleInput,
  type SocialAuthInput,
  type VouchedFor,
} from '@lessonbook/contract/google-sign-in';
import { rightNow } from '@lessonbook/contract/time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';
import type { FailureWords } from '../../lib/query.ts';
import { toastDone } from '../../lib/toast.ts';
import { setCurrentUser } from './me.ts';
import { isSecondStep } from './refusals.ts';
import { socialAuthBody } from './social-auth.ts';

/** Where the button leads: a page of the server's, which sends the browser on to Google. */
export const wayToGoogle = (from: EntryPage): string => `${googleSignIn.start.path}?from=${from}`;

export const googleFailure = {
  login: { errorTitle: 'Login failed', errorFallback: 'An error occurred during Google login' },
  signup: { errorTitle: 'Error', errorFallback: 'An error occurred during Google signup' },
} satisfies Record<EntryPage, FailureWords>;

/** Long enough to read the welcome. */
const HOME_AFTER_MS = 1_000;

/** Comes in as whom Google has vouched for in this browser; `onPassword` when an account with that address is there already. */
export function useComeInByGoogle(
  from: EntryPage,
  onPassword: (person: VouchedFor) => void,
  onSecondStep: () => void,
) {
  const welcome = useWelcome(from);
  return useMutation({
    mutationFn: async () => {
      const { user: person } = await call(googleSignIn.pending);
      const body = socialAuthBody(person, from, rightNow());
      try {
        return await comeIn(from, body);
      } catch (error) {
        if (person && isPasswordNeeded(error)) onPassword(person);
        if (isSecondStep(error)) onSecondStep();
        throw error;
      }
    },
    meta: {
      ...googleFailure[from],
      errorShownInPlace: (error) => isPasswordNeeded(error) || isSecondStep(error),
    },
    onSuccess: welcome,
  });
}

export function useConnectGoogle(from: EntryPage) {
  return useMutation({
    mutationFn: (body: LinkGoogleInput) => call(googleSignIn.link, { body }),
    meta: { ...googleFailure[from], errorShownInPlace: isSecondStep },
    onSuccess: useWelcome(from),
  });
}

/** A refusal without words has words of its own at the login. */
async function comeIn(from: EntryPage, body: SocialAuthInput): Promise<User> {
  try {
    return await call(googleSignIn.socialAuth, { body });
  } catch (error) {
    const mute = error instanceof ApiError && error.status > 0 && !error.spoken;
    if (from !== 'login' || !mute) throw error;
    const { status, message, code } = error;
    throw new ApiError({ status, message, code, spoken: 'Backend authentication failed' });
  }
}

const isPasswordNeeded = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'password_needed';

/** The login goes home by a full load; at the sign-up the gate sees the new user and moves on. */
function useWelcome(from: EntryPage) {
  const client = useQueryClient();
  return async (user: User) => {
    if (from === 'signup') {
      await setCurrentUser(client, user);
      toastDone('Account connected');
      return;
    }
    toastDone('Login successful', `Welcome back, ${user.name}!`);
    setTimeout(() => window.location.replace('/'), HOME_AFTER_MS);
  };
}
