import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseSessionSearch } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const paymentCreateRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/payments/create/$lessonId',
  validateSearch: parseSessionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps: { session } }) =>
    prefetchForTutor(context, async (client) => {
      const { paymentFormDataQuery } = await import('../features/payments/api.ts');
      const lessonId = Number(params.lessonId);
      return client.prefetchQuery(
        paymentFormDataQuery({ lessonId, ...(session && { sessionId: session }) }),
      );
    }),
  component: lazyRouteComponent(() => import('../pages/PaymentCreate.tsx'), 'PaymentCreatePage'),
  staticData: { title: 'Record payment', section: '/families' },
});
