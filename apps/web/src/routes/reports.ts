import { IconChartBar } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ReportsSearch } from '../features/reports/api.ts';
import { rememberSearch } from '../lib/remembered-search.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

export const reportsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/reports',
  validateSearch: (search: Record<string, unknown>): ReportsSearch => {
    const { show, period, from, to, student, subject } = search;
    return {
      ...((show === 'owed' || show === 'lessons') && { show }),
      ...(typeof period === 'string' && { period }),
      ...(typeof from === 'string' && { from }),
      ...(typeof to === 'string' && { to }),
      ...(isId(student) && { student }),
      ...(isId(subject) && { subject }),
    };
  },
  beforeLoad: rememberSearch({ filters: ['period', 'from', 'to'] }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    prefetchForTutor(context, async (client) =>
      (await import('../features/reports/api.ts')).prefetchReport(client, deps),
    ),
  component: lazyRouteComponent(() => import('../pages/Reports.tsx'), 'ReportsPage'),
  staticData: {
    title: 'Tutor Earnings Report',
    section: '/reports',
    navigation: { order: 7, group: 'business', phone: ['bottom-bar'], key: 'r' },
    commands: [
      { label: 'Reports', keywords: 'earnings income tax money', Icon: IconChartBar },
      {
        label: 'Owed',
        keywords: 'unpaid outstanding debts reports',
        Icon: IconChartBar,
        search: { show: 'owed' },
      },
      {
        label: 'Hours and attendance',
        keywords: 'lessons taught forecast booked reports',
        Icon: IconChartBar,
        search: { show: 'lessons' },
      },
    ],
  },
});
