import { type QueryKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { PortalLayout } from './PortalLayout.tsx';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import { PortalSignIn } from './PortalSignIn.tsx';
import { portalLoginKey, portalLoginQuery } from './signed-in-contact-api.ts';

/** Loaded while the login is checked and while a visitor signs in. A query, so that a failed load can be retried. */
export const signedInPagesQuery = queryOptions({
  queryKey: ['signed-in-pages'],
  queryFn: async () => (await import('./SignedInPages.tsx')).SignedInPages,
});

/** The family portal, or its sign-in page. */
export function PortalAuthGate() {
  const login = useQuery(portalLoginQuery);
  const isSignedIn = Boolean(login.data);
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn);
  // What the sign-in page says once this login has ended.
  const [ended, setEnded] = useState<keyof typeof NOTICES | null>(isSignedIn ? 'elsewhere' : null);
  if (isSignedIn !== wasSignedIn) {
    setWasSignedIn(isSignedIn);
    if (isSignedIn) setEnded('elsewhere');
  }
  useForgetDataOnSignOut(login.data === null);
  const pages = useQuery(signedInPagesQuery);

  if (login.data === null) return <PortalSignIn notice={ended && NOTICES[ended]} />;
  const SignedInPages = pages.data;
  if (login.data && SignedInPages)
    return <SignedInPages login={login.data} onSignedOut={() => setEnded('here')} />;
  const failed = [login, pages].find(({ error, data }) => error && !data);
  return (
    <PortalLayout title="Family portal">
      {failed?.error ? (
        <PortalError error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <PortalLoading />
      )}
    </PortalLayout>
  );
}

const NOTICES = {
  here: "You've signed out.",
  elsewhere: "You've been signed out. Sign in again to see your lessons.",
};

/** The next person who uses this browser must not see the previous person's lessons. */
function useForgetDataOnSignOut(isSignedOut: boolean) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isSignedOut) return;
    client.removeQueries({ predicate: ({ queryKey }) => isDataOfPerson(queryKey) });
  }, [client, isSignedOut]);
}

const isDataOfPerson = ([path]: QueryKey): boolean =>
  String(path).startsWith('/api/') && path !== portalLoginKey[0];
