import { IconHome } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { dashboardQuery } from '../features/dashboard/dashboard-query.ts';
import type { RouterContext } from './root.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

const component = lazyRouteComponent(() => import('../pages/Dashboard.tsx'), 'DashboardPage');

const loader = ({ context }: { context: RouterContext }) =>
  prefetchForTutor(context, (client) => client.prefetchQuery(dashboardQuery));

export const homeRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/',
  loader,
  component,
  staticData: {
    title: 'Home',
    section: '/',
    navigation: { order: 1, group: 'planning', phone: ['bottom-bar'], key: 'h' },
    commands: [{ keywords: 'dashboard today', Icon: IconHome }],
  },
});

export const dashboardRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/dashboard',
  loader,
  component,
  staticData: { title: 'Home', section: '/' },
});
