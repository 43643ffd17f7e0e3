import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const batchRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/batches/$id',
  params: { parse: ({ id }) => /^\d{1,10}$/.test(id) && { id } },
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { batchQuery } = await import('../features/batches/api.ts');
      return client.prefetchQuery(batchQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/BatchProgress.tsx'), 'BatchProgressPage'),
  staticData: { title: 'Sending', section: '/invoices' },
});
