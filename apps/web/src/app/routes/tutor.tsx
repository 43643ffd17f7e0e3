import { createRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Spinner } from '../../components/Spinner.tsx';
import { meQuery } from '../../features/accounts/me.ts';
import { dashboardQuery } from '../../features/reports/dashboard-query.ts';
import { Dashboard, Landing, screen } from '../chunks.tsx';
import { paths } from '../paths.ts';
import { isVisitor, type RouterContext, tutorRoute } from './root.ts';
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

/** The home screen and its data at the same time, the data as soon as it is certain that somebody is signed in. */
function openDay({ queryClient }: RouterContext) {
  void Dashboard.preload();
  void queryClient
    .ensureQueryData(meQuery)
    .then((tutor) => tutor && queryClient.prefetchQuery(dashboardQuery))
    // The gate shows what came of it.
    .catch(() => {});
}

export const mainRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.home,
    loader: ({ context }) => {
      if (isVisitor(context)) void Landing.preload();
      else openDay(context);
    },
    component: DashboardScreen,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.dashboard,
    loader: ({ context }) => openDay(context),
    component: DashboardScreen,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.schedule,
    validateSearch: scheduleSearch,
    component: screen('Schedule'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.reports,
    validateSearch: reportsSearch,
    component: screen('Reports'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.notifications,
    component: screen('Notifications'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.messages,
    validateSearch: messagesSearch,
    component: screen('Messages'),
  }),
] as const;

export const lessonRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.sessions,
    validateSearch: daySearch,
    component: screen('Sessions'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.sessionDetails,
    component: screen('SessionDetails'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.lessonDetails,
    validateSearch: sessionSearch,
    component: screen('LessonDetails'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.lessonComplete,
    validateSearch: sessionSearch,
    component: screen('LessonComplete'),
  }),
] as const;

export const moneyRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.paymentCreate,
    validateSearch: sessionSearch,
    component: screen('PaymentCreate'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.families,
    component: screen('Families'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.family,
    validateSearch: paymentSearch,
    component: screen('Family'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoices,
    validateSearch: invoicesSearch,
    component: screen('Invoices'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoicesForEveryone,
    validateSearch: everyoneSearch,
    component: screen('InvoiceEveryone'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.invoice,
    // Digits are an invoice in the tutor's book; anything else is the token of a family's link.
    params: { parse: ({ id }) => /^\d{1,10}$/.test(id) && { id } },
    component: screen('Invoice'),
  }),
] as const;
