import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Spinner } from '../components/Spinner.tsx';
import { useAuth } from '../features/accounts/auth.tsx';
import { signInOptionsQuery } from '../features/accounts/current-user.ts';
import { getOfflineOwner } from '../lib/offline-owner.ts';
import { paths } from '../lib/paths.ts';
import { Landing, Offline, Shell, UiProvider } from './preloadable-pages.tsx';

/** Long enough to see what has happened, too short to wait for. */
const REDIRECT_DELAY_MS = 100;

/**
 * Everything but the landing page stands inside the component library. Once it is there it stays: taking it away
 * would mount all screens anew, and the gate below would forget that somebody has just logged out.
 */
export function UiProviderLayout() {
  const auth = useAuth();
  const isHomeRoute = useIsHomeRoute();
  const isNeeded = useHasBeenTrue(
    !isHomeRoute ||
      auth.state === 'signed in' ||
      (auth.state === 'out of reach' && getOfflineOwner() !== null),
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

/** The tutor's own screens. '/' is among them and shows the landing page to everybody else. */
export function RequireSignedIn() {
  const auth = useAuth();
  const isHomeRoute = useIsHomeRoute();
  const hasBeenSignedIn = useHasBeenTrue(auth.state === 'signed in');

  if (auth.state === 'loading') return <Spinner />;
  if (auth.state === 'signed in') {
    return (
      <Suspense fallback={<Spinner />}>
        <Shell>
          <Outlet />
        </Shell>
      </Suspense>
    );
  }
  // Not to the login page: this may be the tutor, in a tunnel.
  if (auth.state === 'out of reach' && (!isHomeRoute || getOfflineOwner() !== null)) {
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
  // Logged out just now, here or elsewhere: to the login page from '/' too, but not in the same blink.
  return (
    <Redirect to={paths.login} delay={hasBeenSignedIn ? REDIRECT_DELAY_MS : 0}>
      <Spinner />
    </Redirect>
  );
}

/** Login and signup: somebody who is signed in, or just became so, goes home. */
export function RequireSignedOut() {
  const auth = useAuth();
  const isAnonymous = auth.state === 'signed out' || auth.state === 'out of reach';
  const hasBeenSignedOut = useHasBeenTrue(isAnonymous);
  // What the page offers decides where its fields stand; without an answer, or a network, it offers the least.
  const { isPending, isPaused } = useQuery(signInOptionsQuery);
  const isAnswered = useHasBeenTrue(!isPending || isPaused);

  if (auth.state === 'loading' || !isAnswered) return <Spinner />;
  if (isAnonymous) return <Outlet />;
  return (
    <Redirect to={paths.home} delay={REDIRECT_DELAY_MS}>
      {hasBeenSignedOut ? <Outlet /> : <Spinner />}
    </Redirect>
  );
}

interface RedirectProps {
  to: typeof paths.login | typeof paths.home;
  delay: number;
  children: ReactNode;
}

/**
 * Not the router's own `Navigate`: that one navigates at every render, and a gate renders again while the page
 * it leads to is still being fetched, without end.
 */
function Redirect({ to, delay, children }: RedirectProps) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to, replace: true }), delay);
    return () => clearTimeout(timer);
  }, [navigate, to, delay]);
  return children;
}

/** By the screen that is shown, not by the address: the address runs ahead while the next screen is fetched. */
const useIsHomeRoute = (): boolean =>
  useMatches({ select: (matches) => matches.at(-1)?.pathname === paths.home });

/** Whether something has been true at any time since this was mounted. */
function useHasBeenTrue(now: boolean): boolean {
  const [ever, setEver] = useState(now);
  if (now && !ever) setEver(true);
  return ever || now;
}
