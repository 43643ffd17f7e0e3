import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { loadUser } from '../features/accounts/current-user.ts';
import { parseSessionSearch } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

/** The page of a lesson on a date. */
export const lessonRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/sessions/$id',
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { sessionQuery } = await import('../features/lessons/api.ts');
      return client.prefetchQuery(sessionQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/Lesson.tsx'), 'LessonPage'),
  staticData: { title: 'Lesson', section: '/schedule' },
});

/** The URL of a series. Redirects to the date in the search parameters, otherwise to the next date or, failing that, the last. */
export const lessonSeriesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/lessons/$id',
  validateSearch: parseSessionSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => {
    const id = deps.session ?? (await findSessionOfLesson(context, Number(params.id)));
    if (id === undefined) return;
    redirect({ to: '/sessions/$id', params: { id: String(id) }, replace: true, throw: true });
  },
  component: lazyRouteComponent(() => import('../pages/Lesson.tsx'), 'LessonSeriesPage'),
  staticData: { title: 'Lesson', section: '/schedule' },
});

/** Undefined if there is no date or the lesson could not be loaded; the page says which. */
async function findSessionOfLesson(
  context: Parameters<typeof loadUser>[0],
  lessonId: number,
): Promise<number | undefined> {
  if (!(await loadUser(context))) return undefined;
  const { lessonQuery } = await import('../features/lessons/api.ts');
  const lesson = await context.queryClient
    .ensureQueryData(lessonQuery(lessonId))
    .catch(() => undefined);
  return (lesson?.upcoming[0] ?? lesson?.past[0])?.id;
}
