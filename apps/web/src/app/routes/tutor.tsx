import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Spinner } from '../../components/Spinner.tsx';
import { Dashboard, Landing } from '../chunks.tsx';
import { paths } from '../paths.ts';
import { isVisitor, tutorRoute } from './root.ts';
import {
  daySearch,
  everyoneSearch,
  invoicesSearch,
  messagesSearch,
  paymentSearch,
  reportsSearch,
  scheduleSearch,
  sessionSearch,
} from './search.ts';

/** Not the lazy dashboard itself: the router would fetch it for visitors too, who get the landing page from the gate. */
function DashboardScreen() {
  return (
    <Suspense fallback={<Spinner />}>
      <Dashboard />
    </Suspense>
  );
}

export const mainRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.home,
    loader: ({ context }) => {
      void (isVisitor(context) ? Landing : Dashboard).preload();
    },
    component: DashboardScreen,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.dashboard,
    loader: () => {
      void Dashboard.preload();
    },
    component: DashboardScreen,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.schedule,
    validateSearch: scheduleSearch,
    component: lazyRouteComponent(() => import('../../pages/Schedule.tsx'), 'SchedulePage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.reports,
    validateSearch: reportsSearch,
    component: lazyRouteComponent(() => import('../../pages/Reports.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.notifications,
    component: lazyRouteComponent(
      () => import('../../pages/Notifications.tsx'),
      'NotificationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.messages,
    validateSearch: messagesSearch,
    component: lazyRouteComponent(() => import('../../pages/Messages.tsx'), 'MessagesPage'),
  }),
] as const;

export const lessonRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.sessions,
    validateSearch: daySearch,
    component: lazyRouteComponent(() => import('../../pages/Sessions.tsx'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.sessionDetails,
    component: lazyRouteComponent(
      () => import('../../pages/SessionDetails.tsx'),
      'SessionDetailsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.lessonDetails,
    validateSearch: sessionSearch,
    component: lazyRouteComponent(
      () => import('../../pages/LessonDetails.tsx'),
      'LessonDetailsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.lessonComplete,
    validateSearch: sessionSearch,
    component: lazyRouteComponent(
      () => import('../../pages/LessonComplete.tsx'),
      'LessonCompletePage',
    ),
  }),
] as const;

export const moneyRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.paymentCreate,
    validateSearch: sessionSearch,
    component: lazyRouteComponent(
      () => import('../../pages/PaymentCreate.tsx'),
      'PaymentCreatePage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.families,
    component: lazyRouteComponent(() => import('../../pages/Families.tsx'), 'FamiliesPage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.family,
    validateSearch: paymentSearch,
    component: lazyRouteComponent(() => import('../../pages/Family.tsx'), 'FamilyPage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoices,
    validateSearch: invoicesSearch,
    component: lazyRouteComponent(() => import('../../pages/Invoices.tsx'), 'InvoicesPage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoicesForEveryone,
    validateSearch: everyoneSearch,
    component: lazyRouteComponent(
      () => import('../../pages/InvoiceEveryone.tsx'),
      'InvoiceEveryonePage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoice,
    // Digits are an invoice in the tutor's book; anything else is the token of a family's link.
    params: { parse: ({ id }) => /^\d{1,10}$/.test(id) && { id } },
    component: lazyRouteComponent(() => import('../../pages/Invoice.tsx'), 'InvoicePage'),
  }),
] as const;
