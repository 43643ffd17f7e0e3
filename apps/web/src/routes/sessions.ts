import { IconListCheck } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseDateSearch } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const sessionsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/sessions',
  validateSearch: parseDateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { date } }) =>
    prefetchForTutor(context, async (client, { today }) => {
      const { sessionsByDateQuery } = await import('../features/lessons/api.ts');
      return client.prefetchQuery(sessionsByDateQuery(date ?? today));
    }),
  component: lazyRouteComponent(() => import('../pages/LessonsOfDay.tsx'), 'SessionsPage'),
  staticData: {
    title: 'Sessions',
    section: '/schedule',
    commands: [{ keywords: 'day lessons attendance', Icon: IconListCheck }],
  },
});
