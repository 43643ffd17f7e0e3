import type { User } from '@lessonbook/contract/accounts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { ApiError } from '../../lib/http.ts';
import { getOfflineOwner } from '../../lib/offline-owner.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { isTenantData, meQuery } from './current-user.ts';

export type Auth =
  | { state: 'loading'; user: null }
  | { state: 'signed in'; user: User }
  | { state: 'signed out'; user: null }
  /** There was no response, so the user may still be signed in. */
  | { state: 'unreachable'; user: null };

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  useInvalidateOnChange(me.data);
  useWipeOfflineData(me.data);
  // During a refetch there is neither data nor an error, so the last error still applies.
  const error = useLastValue(me.error);
  return <AuthContext value={toAuth(me.data, error)}>{children}</AuthContext>;
}

/**
 * A rejected first request means signed out; a failed refresh keeps the user. The state is 'loading' only once, because
 * a retry after a failed first request must not unmount a half-filled login form. With neither a user nor an error, the
 * state is still 'loading', even after a failed prefetch.
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

/** Deletes offline data from this browser once the server reports that no user is signed in. */
function useWipeOfflineData(user: User | null | undefined) {
  useEffect(() => {
    if (user !== null || getOfflineOwner() === null) return;
    void import('../../lib/offline-store.ts').then(({ clearOfflineStore }) => clearOfflineStore());
  }, [user]);
}

/** Data never goes stale, so changes on another device, a new day and a different tutor are detected here. */
function useInvalidateOnChange(user: User | null | undefined) {
  const client = useQueryClient();
  const previousRef = useRef<User | null>(null);

  useEffect(() => {
    if (user === undefined) return;
    const previous = previousRef.current;
    previousRef.current = user;
    if (!previous) return;
    if (previous.id !== user?.id) {
      client.removeQueries({ predicate: isTenantData });
    } else if (previous.revision !== user.revision || previous.today !== user.today) {
      void client.invalidateQueries({ predicate: isTenantData });
    }
  }, [client, user]);
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
