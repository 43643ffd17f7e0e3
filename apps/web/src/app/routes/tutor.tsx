import { createRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Spinner } from '../../components/Spinner.tsx';
import { meQuery } from '../../features/accounts/current-user.ts';
import { dashboardQuery } from '../../features/dashboard/dashboard-query.ts';
import { paths } from '../../lib/paths.ts';
import { Dashboard, Landing, lazyPage } from '../preloadable-pages.tsx';
import { isVisitor, type RouterContext, tutorRoute } from './root-and-layout-routes.ts';
import {
  parseBulkInvoiceSearch,
  parseDateSearch,
  parseInvoicesSearch,
  parseMessagesSearch,
  parsePaymentSearch,
  parseReportsSearch,
  parseScheduleSearch,
  parseSessionSearch,
} from './search-params.ts';

/** Wraps the lazy dashboard, because the router would otherwise fetch it for visitors too, who see the landing page. */
function DashboardRoute() {
  return (
    <Suspense fallback={<Spinner />}>
      <Dashboard />
    </Suspense>
  );
}

/**
 * Fetches the home page and its data in parallel. The data is requested as soon as the user is known to be signed in.
 */
function preloadDashboard({ queryClient }: RouterContext) {
  void Dashboard.preload();
  void queryClient
    .ensureQueryData(meQuery)
    .then((tutor) => tutor && queryClient.prefetchQuery(dashboardQuery))
    // The route guard shows the error.
    .catch(() => {});
}

export const mainRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.home,
    loader: ({ context }) => {
      if (isVisitor(context)) void Landing.preload();
      else preloadDashboard(context);
    },
    component: DashboardRoute,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.dashboard,
    loader: ({ context }) => preloadDashboard(context),
    component: DashboardRoute,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.schedule,
    validateSearch: parseScheduleSearch,
    component: lazyPage('Schedule'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.reports,
    validateSearch: parseReportsSearch,
    component: lazyPage('Reports'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.notifications,
    component: lazyPage('Notifications'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.messages,
    validateSearch: parseMessagesSearch,
    component: lazyPage('Messages'),
  }),
] as const;

export const lessonRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.sessions,
    validateSearch: parseDateSearch,
    component: lazyPage('Sessions'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.sessionDetails,
    component: lazyPage('SessionDetails'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.lessonDetails,
    validateSearch: parseSessionSearch,
    component: lazyPage('LessonDetails'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.lessonComplete,
    validateSearch: parseSessionSearch,
    component: lazyPage('LessonComplete'),
  }),
] as const;

export const moneyRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.paymentCreate,
    validateSearch: parseSessionSearch,
    component: lazyPage('PaymentCreate'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.families,
    component: lazyPage('Families'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.family,
    validateSearch: parsePaymentSearch,
    component: lazyPage('Family'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoices,
    validateSearch: parseInvoicesSearch,
    component: lazyPage('Invoices'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.bulkInvoice,
    validateSearch: parseBulkInvoiceSearch,
    component: lazyPage('BulkInvoice'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoice,
    // Digits are an invoice id; anything else is the token from a family's link.
    params: { parse: ({ id }) => /^\d{1,10}$/.test(id) && { id } },
    component: lazyPage('Invoice'),
  }),
] as const;
