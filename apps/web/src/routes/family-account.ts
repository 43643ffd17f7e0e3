import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseFamilyTab } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const familyRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/families/$id',
  validateSearch: parseFamilyTab,
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { familyQuery } = await import('../features/payments/api.ts');
      return client.prefetchQuery(familyQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/Family.tsx'), 'FamilyPage'),
  staticData: { title: 'Family', section: '/families' },
});
