import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Spinner } from '../components/Spinner.tsx';
import { useAuth } from '../features/accounts/AuthProvider.tsx';
import { signInOptionsQuery } from '../features/accounts/current-user.ts';
import { getOfflineOwner } from '../lib/offline-owner.ts';
import { paths } from '../lib/paths.ts';
import { Landing, Offline, Shell, UiProvider } from './preloadable-pages.tsx';

/** Long enough for the change to be noticed, but too short to feel like a delay. */
const REDIRECT_DELAY_MS = 100;

/**
 * Every page except the landing page needs the UI provider. Once mounted, it stays mounted: unmounting it would remount
 * every page, and the guard below would lose the information that the tutor has just logged out.
 */
export function UiProviderLayout() {
  const auth = useAuth();
  const isHomeRoute = useIsHomeRoute();
  const isNeeded = useHasBeenTrue(
    !isHomeRoute ||
      auth.state === 'signed in' ||
      (auth.state === 'unreachable' && getOfflineOwner() !== null),
  );
  if (!isNeeded) return <Outlet />;
  return (
    <Suspense fallback={<Spinner />}>
      <UiProvider>
        <Outlet />
      </UiProvider>
    </Suspense>
  );
}

/** The tutor's pages. These include '/', which shows visitors the landing page. */
export function RequireSignedIn() {
  const auth = useAuth();
  const isHomeRoute = useIsHomeRoute();
  const hasBeenSignedIn = useHasBeenTrue(auth.state === 'signed in');

  if (auth.state === 'loading') return <Spinner />;
  if (auth.state === 'signed in' || auth.state === 'login lost') {
    return (
      <Suspense fallback={<Spinner />}>
        <Shell>
          <Outlet />
        </Shell>
      </Suspense>
    );
  }
  // No redirect to the login page: the tutor may just be offline.
  if (auth.state === 'unreachable' && (!isHomeRoute || getOfflineOwner() !== null)) {
    return (
      <Suspense fallback={<Spinner />}>
        <Offline />
      </Suspense>
    );
  }
  if (isHomeRoute && !hasBeenSignedIn) {
    return (
      <Suspense fallback={<Spinner />}>
        <Landing />
      </Suspense>
    );
  }
  // The tutor has just logged out, here or on another device. Redirects to the login page, also from '/', after a short
  // delay.
  return (
    <Redirect to={paths.login} delay={hasBeenSignedIn ? REDIRECT_DELAY_MS : 0}>
      <Spinner />
    </Redirect>
  );
}

/** Login and signup: a signed-in tutor is redirected to the home page, or first to the review after a password reset. */
export function RequireSignedOut() {
  const auth = useAuth();
  const isAnonymous = auth.state === 'signed out' || auth.state === 'unreachable';
  const hasBeenSignedOut = useHasBeenTrue(isAnonymous);
  // The sign-in options determine the page layout. Without a response or a network, the page shows only the minimum.
  const { isPending, isPaused } = useQuery(signInOptionsQuery);
  const hasOptions = useHasBeenTrue(!isPending || isPaused);

  if (auth.state === 'loading' || !hasOptions) return <Spinner />;
  if (isAnonymous) return <Outlet />;
  return (
    <Redirect
      to={auth.user?.accessReviewDue ? paths.settingsAccessReview : paths.home}
      delay={REDIRECT_DELAY_MS}
    >
      {hasBeenSignedOut ? <Outlet /> : <Spinner />}
    </Redirect>
  );
}

interface RedirectProps {
  to: typeof paths.login | typeof paths.home | typeof paths.settingsAccessReview;
  delay: number;
  children: ReactNode;
}

/**
 * Replaces the router's `Navigate`, which navigates on every render. A guard renders repeatedly while the next page is
 * being fetched, so that would loop forever.
 */
function Redirect({ to, delay, children }: RedirectProps) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to, replace: true }), delay);
    return () => clearTimeout(timer);
  }, [navigate, to, delay]);
  return children;
}

/** Compares the rendered match, not the location, because the location changes before the next page has loaded. */
const useIsHomeRoute = (): boolean =>
  useMatches({ select: (matches) => matches.at(-1)?.pathname === paths.home });

function useHasBeenTrue(condition: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(condition);
  if (condition && !wasTrue) setWasTrue(true);
  return wasTrue || condition;
}
