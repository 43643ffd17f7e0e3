import { Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Spinner } from '../components/Spinner.tsx';
import { useAuth } from '../features/accounts/AuthProvider.tsx';
import { getOfflineOwner } from '../lib/offline-owner.ts';
import { Shell } from './shell/Shell.tsx';

const LandingPage = lazy(async () => ({
  default: (await import('../pages/Landing.tsx')).LandingPage,
}));
const OfflinePage = lazy(async () => ({
  default: (await import('../pages/Offline.tsx')).OfflinePage,
}));

/** Long enough for the change to be noticed, but too short to feel like a delay. */
const REDIRECT_DELAY_MS = 100;

/**
 * The layout of the tutor's pages. The route redirects visitors before it is rendered; this component handles what
 * happens afterwards, such as logging out.
 */
export function TutorLayout() {
  const auth = useAuth();
  const navigate = useNavigate();
  const isHome = useIsHomeRoute();
  const [hasBeenSignedIn, setHasBeenSignedIn] = useState(false);
  if (auth.state === 'signed in' && !hasBeenSignedIn) setHasBeenSignedIn(true);

  // No redirect if there was no response: the tutor may just be offline.
  const isOffline = auth.state === 'unreachable' && (!isHome || getOfflineOwner() !== null);
  const isAnonymous = auth.state === 'signed out' || auth.state === 'unreachable';
  const showsLanding = isAnonymous && !isOffline && isHome && !hasBeenSignedIn;
  const mustLogIn = isAnonymous && !isOffline && !showsLanding;

  // The tutor has just logged out, here or on another device.
  useEffect(() => {
    if (!mustLogIn) return undefined;
    const timer = setTimeout(
      () => void navigate({ to: '/login', replace: true }),
      REDIRECT_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [navigate, mustLogIn]);

  if (auth.state === 'signed in' || auth.state === 'login expired') {
    return (
      <Shell>
        <Outlet />
      </Shell>
    );
  }
  return (
    <Suspense fallback={<Spinner />}>
      {isOffline && <OfflinePage />}
      {showsLanding && <LandingPage />}
      {!isOffline && !showsLanding && <Spinner />}
    </Suspense>
  );
}

/** Uses the rendered match, not the location, because the location changes before the next page has loaded. */
const useIsHomeRoute = (): boolean =>
  useMatches({ select: (matches) => matches.at(-1)?.pathname === '/' });
