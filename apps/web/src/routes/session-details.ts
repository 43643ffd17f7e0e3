import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const sessionDetailsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/sessions/$id',
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { sessionQuery } = await import('../features/lessons/api.ts');
      return client.prefetchQuery(sessionQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/SessionDetails.tsx'), 'SessionDetailsPage'),
  staticData: { title: 'Session Details', section: '/schedule' },
});
