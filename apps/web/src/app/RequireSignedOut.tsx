import type { User } from '@lessonbook/contract/accounts';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Spinner } from '../components/Spinner.tsx';
import { useAuth } from '../features/accounts/AuthProvider.tsx';

/** Long enough for the form to show that the login succeeded. */
const REDIRECT_DELAY_MS = 100;

/** The first page after logging in. A password reset requires a review of who has access. */
export const firstPathFor = ({ accessReviewDue }: User) =>
  accessReviewDue ? '/settings/security/review' : '/';

/** Guard for the login and signup pages, which redirects a tutor who has just logged in. */
export function RequireSignedOut() {
  const { state, user } = useAuth();
  const navigate = useNavigate();
  const to = user && firstPathFor(user);

  // The router's `Navigate` would navigate on every render, and there are several renders while the next page loads.
  useEffect(() => {
    if (!to) return undefined;
    const timer = setTimeout(() => void navigate({ to, replace: true }), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [navigate, to]);

  return state === 'loading' ? <Spinner /> : <Outlet />;
}
