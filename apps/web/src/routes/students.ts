import { IconSchool } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  parseStudentFilters,
  parseTab,
  type StudentsSearch,
} from '../features/students/student-url-search-params.ts';
import { rememberSearch } from '../lib/remembered-search.ts';
import { parseIdParam } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const studentsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/students',
  validateSearch: (search: Record<string, unknown>): StudentsSearch => ({
    ...parseStudentFilters(search),
    ...parseIdParam(search, 'student'),
    ...parseTab(search),
  }),
  beforeLoad: rememberSearch({ filters: ['show', 'q'] }),
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { studentListQuery } = await import('../features/students/api.ts');
      return client.prefetchQuery(studentListQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/Students.tsx'), 'StudentsPage'),
  staticData: {
    title: 'Students',
    section: '/students',
    navigation: {
      order: 3,
      group: 'people',
      phone: ['more'],
      key: 'p',
      hint: ({ activeStudents }) => (activeStudents > 0 ? `${activeStudents} active` : ''),
    },
    commands: [{ keywords: 'pupils people', Icon: IconSchool }],
  },
});

export const studentRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/students/$id',
  validateSearch: parseTab,
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { studentOverviewQuery, studentTimelineQuery } = await import(
        '../features/students/api.ts'
      );
      const id = Number(params.id);
      return Promise.all([
        client.prefetchQuery(studentOverviewQuery(id)),
        client.prefetchInfiniteQuery(studentTimelineQuery(id, 'all')),
      ]);
    }),
  component: lazyRouteComponent(() => import('../pages/Student.tsx'), 'StudentPage'),
  staticData: { title: 'Student', section: '/students' },
});
