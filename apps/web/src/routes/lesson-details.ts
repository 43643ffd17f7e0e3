import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseSessionSearch } from './search.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const lessonDetailsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/lessons/$id',
  validateSearch: parseSessionSearch,
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { lessonQuery } = await import('../features/lessons/api.ts');
      return client.prefetchQuery(lessonQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/LessonDetails.tsx'), 'LessonDetailsPage'),
  staticData: { title: 'Lesson Details', section: '/schedule' },
});
