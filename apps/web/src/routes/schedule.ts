import { IconBook2, IconCalendarEvent } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rememberSearch } from '../lib/remembered-search.ts';
import type { ScheduleSearch } from '../pages/ScheduleView.tsx';
import { parseDateSearch } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const scheduleRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/schedule',
  validateSearch: (search: Record<string, unknown>): ScheduleSearch => {
    const { view, board } = search;
    return {
      ...parseDateSearch(search),
      ...((view === 'students' || view === 'subjects') && { view }),
      ...((board === 'week' || board === 'month') && { board }),
    };
  },
  beforeLoad: rememberSearch({ views: ['board'] }),
  loaderDeps: ({ search: { date, view } }) => ({ date, view }),
  loader: ({ context, deps: { date, view } }) =>
    prefetchForTutor(context, async (client, { today }) => {
      if (view === 'students') {
        const { studentsQuery } = await import('../features/students/api.ts');
        return client.prefetchQuery(studentsQuery);
      }
      if (view === 'subjects') {
        const { subjectsQuery } = await import('../features/subjects/api.ts');
        return client.prefetchQuery(subjectsQuery);
      }
      const { monthQuery, monthTimeOffQuery } = await import(
        '../features/lessons/use-month-sessions.ts'
      );
      return Promise.all([
        client.prefetchQuery(monthQuery(date ?? today)),
        client.prefetchQuery(monthTimeOffQuery(date ?? today)),
      ]);
    }),
  component: lazyRouteComponent(
    () => import('../pages/ScheduleStudentsOrSubjects.tsx'),
    'SchedulePage',
  ),
  staticData: {
    title: 'Schedule',
    section: '/schedule',
    navigation: { order: 2, group: 'planning', phone: ['bottom-bar'], key: 's' },
    commands: [
      { keywords: 'calendar month week timetable', Icon: IconCalendarEvent },
      { label: 'Subjects', keywords: 'fees prices', Icon: IconBook2, search: { view: 'subjects' } },
    ],
  },
});
