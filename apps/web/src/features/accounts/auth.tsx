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
  /** Nobody could be asked: who sits here may well be signed in. */
  | { state: 'out of reach'; user: null };

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  useInvalidateOnChange(me.data);
  useWipeOfflineData(me.data);
  // While it is asked again there is neither answer nor error; what was known last still holds.
  const error = useLastValue(me.error);
  return <AuthContext value={toAuth(me.data, error)}>{children}</AuthContext>;
}

/**
 * A first load that is refused gives a signed-out visitor; a failed refresh keeps the user it had.
 * Loading happens once: a retry after a failed first load must not tear down a half-filled login form. With neither user nor
 * error nothing is known yet, also where it was asked in vain before the app was drawn: that is no word of the server's.
 */
function toAuth(user: User | null | undefined, error: Error | null): Auth {
  if (user) return { state: 'signed in', user };
  if (user === null) return { state: 'signed out', user };
  if (!error) return { state: 'loading', user: null };
  return { state: isServerUnreachable(error) ? 'out of reach' : 'signed out', user: null };
}

/** No answer at all; on a tutor's own device also a server that stumbles, since only a 401 ends a login. */
const isServerUnreachable = ({ cause }: Error): boolean =>
  cause instanceof ApiError && (cause.status === 0 || getOfflineOwner() !== null);

/** Nobody is signed in, by the server's word: then nothing of anybody's book stays in this browser. */
function useWipeOfflineData(user: User | null | undefined) {
  useEffect(() => {
    if (user !== null || getOfflineOwner() === null) return;
    void import('../../lib/offline-store.ts').then(({ clearOfflineStore }) => clearOfflineStore());
  }, [user]);
}

/** Data never goes stale by itself: another device, the next morning and another tutor are noticed here. */
function useInvalidateOnChange(user: User | null | undefined) {
  const client = useQueryClient();
  const before = useRef<User | null>(null);

  useEffect(() => {
    if (user === undefined) return;
    const previous = before.current;
    before.current = user;
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

/** For screens behind the gate, where somebody is always signed in. */
export function useTutor(): User {
  const { user } = useAuth();
  if (!user) throw new Error('useTutor must be used on a signed-in screen');
  return user;
}
