import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseSessionSearch } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const lessonCompleteRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/lessons/$lessonId/complete',
  validateSearch: parseSessionSearch,
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { dueSessionsQuery } = await import('../features/lessons/api.ts');
      return client.prefetchQuery(dueSessionsQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/CompleteDueLessons.tsx'),
    'LessonCompletePage',
  ),
  staticData: { title: 'Complete lessons', section: '/schedule' },
});
