import type { User } from '@lessonbook/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { loadUser } from '../features/accounts/current-user.ts';
import { type RouterContext, rootRoute } from './root.ts';

/** The guard and the layout of the tutor's pages. Visitors see the landing page at '/'. */
export const tutorRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'tutor',
  // A loader and not `beforeLoad`, so that the user, the page and its chunks are requested in parallel.
  loader: async ({ context, location }) => {
    const user = await loadUser(context);
    if (user === null && location.pathname !== '/')
      redirect({ to: '/login', replace: true, throw: true });
  },
  component: lazyRouteComponent(() => import('../app/TutorLayout.tsx'), 'TutorLayout'),
});

/**
 * Starts a page's requests once the tutor is known. The navigation does not wait for them, because the pages show
 * placeholders and their own errors.
 */
export function prefetchForTutor(
  context: RouterContext,
  prefetch: (client: QueryClient, tutor: User) => Promise<unknown>,
): void {
  void loadUser(context)
    .then((user) => user && prefetch(context.queryClient, user))
    // The page reports a chunk that cannot be fetched.
    .catch(() => {});
}
