import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseIdParam } from './search.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const familyRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/families/$id',
  // The payment shown in a modal over the account.
  validateSearch: (search: Record<string, unknown>) => parseIdParam(search, 'payment'),
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { familyQuery } = await import('../features/payments/api.ts');
      return client.prefetchQuery(familyQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/Family.tsx'), 'FamilyPage'),
  staticData: { title: 'Family', section: '/reports' },
});
