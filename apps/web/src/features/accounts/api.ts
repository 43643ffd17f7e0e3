import {
  accounts,
  type ForgotPasswordInput,
  type LoginInput,
  type NotificationSettings,
  type ProfileInput,
  type ResetPasswordInput,
  type SignupInput,
} from '@lessonbook/contract/accounts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { ApiError, callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { confirmDiscard } from '../../lib/unsaved-changes.ts';
import { useTutor } from './AuthProvider.tsx';
import { isMfaRequired } from './auth-error-checks.ts';
import { meQuery, setCurrentUser } from './current-user.ts';

/* Login and logout. The route guards redirect when the user changes. */

export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: LoginInput) => callApi(accounts.login, { body }),
    meta: {
      errorTitle: 'Login failed',
      errorFallback: 'Invalid username or password',
      errorNoResponse: 'Please check your credentials and try again',
      isErrorShownInline: isMfaRequired,
    },
    onSuccess: async (user) => {
      await setCurrentUser(client, user);
      toastSuccess('Login successful', `Welcome back, ${user.name}!`);
    },
  });
}

export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (!(await confirmDiscard())) return false;
      const { clearOfflineStore } = await import('../../lib/offline-store.ts');
      // Runs before the request, so that no data stays on the device even if the response is lost.
      await clearOfflineStore();
      await callApi(accounts.logout);
      return true;
    },
    meta: { errorTitle: 'Logout failed', errorFallback: 'An error occurred during logout' },
    onSuccess: async (isLoggedOut) => {
      if (!isLoggedOut) return;
      await client.cancelQueries();
      // All cached data is removed along with the user; see useRefetchOnChange in `AuthProvider.tsx`.
      await setCurrentUser(client, null);
      toastSuccess('Logged out', 'You have been successfully logged out.');
    },
  });
}

export function useSignup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: SignupInput) => {
      await callApi(accounts.signup, { body });
      const { username, password } = body;
      // A failed login is not reported: the toast says 'Account created', and signing up again would be rejected.
      return callApi(accounts.login, { body: { username, password } }).catch(() => null);
    },
    meta: { errorFallback: 'An error occurred during signup' },
    onSuccess: async (user) => {
      if (user) await setCurrentUser(client, user);
      toastSuccess('Account created', user ? undefined : 'You can log in now.');
    },
  });
}

/* Profile and email address */

export function useUpdateProfile() {
  return useMutation({
    mutationFn: (body: ProfileInput) => callApi(accounts.updateMe, { body }),
    meta: { errorFallback: 'Failed to update profile. Please try again.' },
    onSuccess: () => toastSuccess('Profile Updated'),
  });
}

export function useResendVerification() {
  return useMutation({
    mutationFn: () => callApi(accounts.resendVerification),
    meta: { errorFallback: "We couldn't send the email. Please try again." },
    onSuccess: () => toastSuccess('Email sent', 'Open the link in it to confirm your address.'),
  });
}

export function useConfirmEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => callApi(accounts.confirmEmail, { body: { token } }),
    meta: {
      isErrorShownInline: isInvalidLink,
      errorFallback: "We couldn't confirm your email. Please try again.",
    },
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

/* Forgotten password */

export function useForgotPassword() {
  return useMutation({
    mutationFn: (body: ForgotPasswordInput) => callApi(accounts.forgotPassword, { body }),
    meta: { errorFallback: "We couldn't send the link. Please try again." },
  });
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: ResetPasswordInput) => callApi(accounts.resetPassword, { body }),
    meta: {
      isErrorShownInline: isInvalidLink,
      errorFallback: "We couldn't change your password. Please try again.",
    },
    onSuccess: () => toastSuccess('Password changed', 'You can log in with it now.'),
  });
}

/** The link has expired, has been used or is invalid. The page shows the message and the next step. */
export function isInvalidLink(error: Error | null): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'invalid') return !error.fields?.password;
  return error.code === 'link_expired' || error.code === 'not_found';
}

/* Notification settings */

export const notificationSettingsQuery = queryOptions({
  queryKey: ['/api/notification-settings'],
  queryFn: () => callApi(accounts.notificationSettings),
});

/** Updates optimistically; an error restores the saved settings. */
export function useUpdateNotificationSettings() {
  const client = useQueryClient();
  const key = notificationSettingsQuery.queryKey;
  return useMutation({
    // One at a time: each request contains all three settings, so the last change must arrive last.
    scope: { id: 'notification-settings' },
    mutationFn: (body: NotificationSettings) =>
      callApi(accounts.updateNotificationSettings, { body }),
    meta: { errorFallback: "We couldn't save your notification settings. Please try again." },
    onMutate: async (next) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, next);
    },
    // Refetches, because any one of several requests may have failed.
    onError: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** The tutor's current date, for features that need nothing else from the account. */
export const useToday = (): string => useTutor().today;

/** The tutor's current date and time zone. */
export function useDateContext(): DateContext {
  const { today, timeZone } = useTutor();
  return { today, timeZone };
}

const POLL_MS = 3_000;

/** Polls the tutor's revision while an external change is expected. If it changes, the data is refetched automatically. */
export function usePollRevision(isWaiting: boolean): void {
  useQuery({ ...meQuery, enabled: isWaiting, refetchInterval: POLL_MS });
}
