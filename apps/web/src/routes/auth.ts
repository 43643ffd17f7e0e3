import { createRoute, redirect } from '@tanstack/react-router';
import { firstPathFor, RequireSignedOut } from '../app/RequireSignedOut.tsx';
import { signInOptionsQuery } from '../features/accounts/current-user.ts';
import { rootRoute } from './root.ts';
import { loadUser } from './tutor.ts';

/** The guard of login and signup: a signed-in tutor is redirected. */
export const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'auth',
  loader: async ({ context, preload }) => {
    // The sign-in options determine the layout, so the pages wait for them. Without a response they show the minimum.
    const [user] = await Promise.all([
      loadUser(context),
      context.queryClient.prefetchQuery(signInOptionsQuery),
    ]);
    if (user && !preload) redirect({ to: firstPathFor(user), replace: true, throw: true });
  },
  component: RequireSignedOut,
});
