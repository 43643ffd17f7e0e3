import type { User } from '@lessonbook/contract/accounts';
import {
  type AuthPage,
  googleSignIn,
  type LinkGoogleInput,
  type PendingGoogleUser,
  type SocialAuthInput,
} from '@lessonbook/contract/google-sign-in';
import { systemNow } from '@lessonbook/contract/time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi } from '../../lib/http.ts';
import type { ErrorMessages } from '../../lib/query-client.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { isMfaRequired } from './auth-error-checks.ts';
import { setCurrentUser } from './current-user.ts';

/**
 * The request body for logging in with Google. The server trusts only the credential and reads the rest from its own
 * records; the other fields are sent because the specification requires them.
 */
export function toSocialAuthInput(
  pendingUser: PendingGoogleUser | null,
  from: AuthPage,
  now: Date,
): SocialAuthInput {
  if (!pendingUser) {
    const message = 'No user returned from Google';
    throw new ApiError({ status: 404, message, userMessage: message });
  }
  const { credential, name, email, providerId, photoURL } = pendingUser;
  const fallbackUsername = from === 'login' ? `user_${now.getTime()}` : '';
  return {
    credential,
    name,
    email,
    username: email ? (email.split('@')[0] ?? '') : fallbackUsername,
    providerId,
    photoURL,
    authProvider: from === 'login' ? 'firebase' : 'google',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** A server path that redirects to Google. */
export const googleAuthUrl = (from: AuthPage): string => `${googleSignIn.start.path}?from=${from}`;

export const googleErrorMessages = {
  login: { errorTitle: 'Login failed', errorFallback: 'An error occurred during Google login' },
  signup: { errorTitle: 'Error', errorFallback: 'An error occurred during Google signup' },
} satisfies Record<AuthPage, ErrorMessages>;

/** Long enough for the toast to be read. */
const REDIRECT_DELAY_MS = 1_000;

/**
 * Logs in with the pending Google profile. Calls `onPasswordRequired` if an account with that email address already
 * exists.
 */
export function useGoogleLogin(
  from: AuthPage,
  onPasswordRequired: (pendingUser: PendingGoogleUser) => void,
  onMfaRequired: () => void,
) {
  const onLogin = useGoogleLoginSuccess(from);
  return useMutation({
    mutationFn: async () => {
      const { user: pendingUser } = await callApi(googleSignIn.pending);
      const body = toSocialAuthInput(pendingUser, from, systemNow());
      try {
        return await postSocialAuth(from, body);
      } catch (error) {
        if (pendingUser && isPasswordRequired(error)) onPasswordRequired(pendingUser);
        if (isMfaRequired(error)) onMfaRequired();
        throw error;
      }
    },
    meta: {
      ...googleErrorMessages[from],
      isErrorShownInline: (error) => isPasswordRequired(error) || isMfaRequired(error),
    },
    onSuccess: onLogin,
  });
}

export function useLinkGoogle(from: AuthPage) {
  return useMutation({
    mutationFn: (body: LinkGoogleInput) => callApi(googleSignIn.link, { body }),
    meta: { ...googleErrorMessages[from], isErrorShownInline: isMfaRequired },
    onSuccess: useGoogleLoginSuccess(from),
  });
}

/** On login, adds a fallback message to errors that have none. */
async function postSocialAuth(from: AuthPage, body: SocialAuthInput): Promise<User> {
  try {
    return await callApi(googleSignIn.socialAuth, { body });
  } catch (error) {
    const hasNoMessage = error instanceof ApiError && error.status > 0 && !error.userMessage;
    if (from !== 'login' || !hasNoMessage) throw error;
    const { status, message, code } = error;
    throw new ApiError({ status, message, code, userMessage: 'Backend authentication failed' });
  }
}

const isPasswordRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'password_needed';

/** A login reloads the home page; after a signup, the route guard redirects. */
function useGoogleLoginSuccess(from: AuthPage) {
  const client = useQueryClient();
  return async (user: User) => {
    if (from === 'signup') {
      await setCurrentUser(client, user);
      toastSuccess('Account connected');
      return;
    }
    toastSuccess('Login successful', `Welcome back, ${user.name}!`);
    setTimeout(() => window.location.replace('/'), REDIRECT_DELAY_MS);
  };
}
