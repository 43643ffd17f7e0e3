import type { User } from '@lessonbook/contract/accounts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { followRevision } from '../../lib/data-revision.ts';
import { setDraftOwner } from '../../lib/form-drafts.ts';
import { ApiError } from '../../lib/http.ts';
import { getOfflineOwner } from '../../lib/offline-owner.ts';
import { refetchData } from '../../lib/query-client.ts';
import { forgetFilters } from '../../lib/remembered-search.ts';
import { discardChanges, hasUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { isTenantData, meQuery, signInOptionsQuery } from './current-user.ts';

export type Auth =
  | { state: 'loading'; user: null }
  | { state: 'signed in'; user: User }
  /** The login ended while a form had unsaved changes, so the page stays until the tutor has logged in again. */
  | { state: 'login expired'; user: User }
  | { state: 'signed out'; user: null }
  /** There was no response, so the user may still be signed in. */
  | { state: 'unreachable'; user: null };

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  const expiredUser = useUserWithExpiredLogin(me.data);
  const user = expiredUser ?? me.data;
  useRefetchOnChange(user);
  useRefetchAfterLogin(expiredUser !== null);
  useWipeStoredData(user);
  useDraftOwner(user);
  // While a failed request is retried, there is neither data nor an error, so the last error still applies.
  const error = useLastValue(me.error);
  const auth: Auth = expiredUser
    ? { state: 'login expired', user: expiredUser }
    : toAuth(me.data, error);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** The user whose login ended while there were unsaved changes; see `LoginAgainDialog`. */
function useUserWithExpiredLogin(user: User | null | undefined): User | null {
  const [previous, setPrevious] = useState(user);
  const [expiredUser, setExpiredUser] = useState<User | null>(null);
  if (user !== previous) {
    setPrevious(user);
    if (user) setExpiredUser(null);
    else if (user === null && previous && hasUnsavedChanges()) setExpiredUser(previous);
  }
  return expiredUser;
}

/**
 * A tutor's drafts are removed on logout and when another tutor logs in. The demo account is shared, so it has no drafts.
 * The owner is set during render, because the forms below read their drafts when they first render.
 */
function useDraftOwner(user: User | null | undefined) {
  const client = useQueryClient();
  if (user === undefined) return;
  const mayStore = async () =>
    (await client.ensureQueryData(signInOptionsQuery)).demo?.username !== user?.username;
  setDraftOwner(user && { id: user.id, mayStore });
}

/**
 * A rejected first request means signed out; a failed refresh keeps the user. The state is 'loading' until there is a first
 * answer or error. The caller keeps the last error during a retry, so that a half-filled login form is not unmounted.
 */
function toAuth(user: User | null | undefined, error: Error | null): Auth {
  if (user) return { state: 'signed in', user };
  if (user === null) return { state: 'signed out', user };
  if (!error) return { state: 'loading', user: null };
  return { state: isServerUnreachable(error) ? 'unreachable' : 'signed out', user: null };
}

/**
 * There was no response. On a device with offline reading, a server error also counts, because only a 401 ends a login.
 */
const isServerUnreachable = ({ cause }: Error): boolean =>
  cause instanceof ApiError && (cause.status === 0 || getOfflineOwner() !== null);

/** Deletes offline data and filters from this browser once the server reports that no user is signed in. */
function useWipeStoredData(user: User | null | undefined) {
  useEffect(() => {
    if (user === null) forgetFilters();
    if (user !== null || getOfflineOwner() === null) return;
    void import('../../lib/offline-store.ts').then(({ clearOfflineStore }) => clearOfflineStore());
  }, [user]);
}

/**
 * Decides what to refetch. Data does not go stale over time: it is refetched when the tutor's revision or date changes.
 * The revision comes with GET /api/me, the response to each write and live updates.
 */
function useRefetchOnChange(user: User | null | undefined) {
  const client = useQueryClient();
  const seenRef = useRef<Pick<User, 'id' | 'revision' | 'today'> | null>(null);

  useEffect(
    () =>
      followRevision(client, (revision) => {
        const seen = seenRef.current;
        // The revision may come with the response to a logout.
        const isSignedOut = !client.getQueryData(meQuery.queryKey);
        if (!seen || isSignedOut || revision <= seen.revision) return;
        seenRef.current = { ...seen, revision };
        void client.invalidateQueries({ queryKey: meQuery.queryKey });
        refetchData(client, isTenantData);
      }),
    [client],
  );

  useEffect(() => {
    if (user === undefined) return;
    const seen = seenRef.current;
    const isSameTutor = seen !== null && seen.id === user?.id;
    const revision = Math.max(user?.revision ?? 0, isSameTutor ? seen.revision : 0);
    seenRef.current = user && { id: user.id, today: user.today, revision };
    if (!seen) return;
    if (!isSameTutor) {
      client.removeQueries({ predicate: isTenantData });
      if (user && hasUnsavedChanges()) {
        // The previous tutor's form must not be saved to this tutor's account.
        discardChanges();
        window.location.assign('/');
      }
    } else if (revision > seen.revision || user?.today !== seen.today) {
      refetchData(client, isTenantData);
    }
  }, [client, user]);
}

/** Refetches all data once the tutor has logged in again, because requests failed after the login expired. */
function useRefetchAfterLogin(isLoginExpired: boolean) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isLoginExpired) return undefined;
    return () => refetchData(client, isTenantData);
  }, [client, isLoginExpired]);
}

export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used inside AuthProvider');
  return auth;
}

/** For signed-in pages, which always have a user. */
export function useTutor(): User {
  const { user } = useAuth();
  if (!user) throw new Error('useTutor must be used on a signed-in page');
  return user;
}
