import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RegisteredRouter, type RouterHistory } from '@tanstack/react-router';
import type { PageInfo } from '../../build/read-page-list.ts';
import { RouteError } from '../components/RouteError.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { handleBack } from '../lib/close-on-back.ts';
import { isSavingData } from '../lib/data-saver.ts';
import { settingsAgreementRoute } from './agreement.ts';
import {
  accountRecoveryRoute,
  authRoute,
  forgotPasswordRoute,
  incompleteResetPasswordRoute,
  incompleteVerifyEmailRoute,
  keepTwoStepRoute,
  loginRoute,
  removeTwoStepRoute,
  resetPasswordRoute,
  revertEmailRoute,
  signupRoute,
  verifyEmailRoute,
} from './auth.ts';
import { batchRoute } from './batch-progress.ts';
import { bulkInvoiceRoute } from './bulk-invoice.ts';
import { settingsCancellationPolicyRoute } from './cancellation-policy.ts';
import { dashboardRoute, homeRoute } from './dashboard.ts';
import { familiesRoute } from './families.ts';
import { familyRoute } from './family-account.ts';
import { invoiceRoute } from './invoice.ts';
import { invoicesRoute } from './invoices.ts';
import { lessonRoute, lessonSeriesRoute } from './lesson.ts';
import { lessonCompleteRoute } from './lesson-complete.ts';
import { messagesRoute } from './messages.ts';
import { newMessageRoute } from './new-message.ts';
import { notificationsRoute } from './notifications.ts';
import { paymentCreateRoute } from './payment-create.ts';
import { priceRiseRoute, settingsRatesRoute } from './rates.ts';
import { reportsRoute } from './reports.ts';
import { rootRoute } from './root.ts';
import { scheduleRoute } from './schedule.ts';
import { sessionsRoute } from './sessions.ts';
import {
  mobileSettingsRoute,
  paymentMethodsRoute,
  profileEditRoute,
  settingsAccessReviewRoute,
  settingsActivityRoute,
  settingsBusinessRoute,
  settingsEraseRoute,
  settingsImportRoute,
  settingsRoute,
  settingsSecurityRoute,
  settingsYourDataRoute,
} from './settings.ts';
import { studentRoute, studentsRoute } from './students.ts';
import {
  settingsFamilyPortalRoute,
  settingsRemindersRoute,
  settingsTermsRoute,
  settingsTimeOffRoute,
} from './teaching-settings.ts';
import { tutorRoute } from './tutor.ts';

/** The navigation, the settings page and the command palette show the pages in this order. */
const tutorRoutes = tutorRoute.addChildren([
  homeRoute,
  dashboardRoute,
  scheduleRoute,
  studentsRoute,
  studentRoute,
  familiesRoute,
  familyRoute,
  reportsRoute,
  notificationsRoute,
  settingsRoute,
  mobileSettingsRoute,
  sessionsRoute,
  lessonRoute,
  lessonSeriesRoute,
  lessonCompleteRoute,
  paymentCreateRoute,
  invoicesRoute,
  invoiceRoute,
  bulkInvoiceRoute,
  batchRoute,
  profileEditRoute,
  settingsSecurityRoute,
  settingsAccessReviewRoute,
  settingsBusinessRoute,
  paymentMethodsRoute,
  settingsActivityRoute,
  settingsYourDataRoute,
  settingsCancellationPolicyRoute,
  settingsTimeOffRoute,
  settingsTermsRoute,
  settingsRatesRoute,
  priceRiseRoute,
  settingsRemindersRoute,
  settingsFamilyPortalRoute,
  settingsAgreementRoute,
  messagesRoute,
  newMessageRoute,
  settingsImportRoute,
  settingsEraseRoute,
]);

const routeTree = rootRoute.addChildren([
  tutorRoutes,
  authRoute.addChildren([loginRoute, signupRoute]),
  // Links in emails work for everyone, signed in or not.
  forgotPasswordRoute,
  resetPasswordRoute,
  incompleteResetPasswordRoute,
  verifyEmailRoute,
  incompleteVerifyEmailRoute,
  revertEmailRoute,
  accountRecoveryRoute,
  removeTwoStepRoute,
  keepTwoStepRoute,
]);

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  // Tests have no browser history.
  if (!history) handleBack(() => router.history.location);
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    // An unknown path shows the not-found page without the shell, whether or not the user is signed in.
    notFoundMode: 'root',
    // Hovering, focusing or touching a link loads its page and data.
    defaultPreload: isSavingData() ? false : 'intent',
    // Moving the pointer across a list of links should not load every one of them.
    defaultPreloadDelay: 60,
    // The query cache decides whether data is requested again.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Spinner,
    defaultPendingMs: 300,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

/** All pages of the app, for the build. The list is used by the service worker, the browser tests and the screenshot script. */
export function listPages(router: RegisteredRouter): PageInfo[] {
  return Object.values(router.routesByPath).map(({ fullPath, parentRoute, options }) => {
    const { title, section = null } = options.staticData ?? {};
    const isTutorPage = parentRoute.id === tutorRoute.id;
    if (!title || isTutorPage !== (section !== null)) {
      throw new Error(`${fullPath}: a page needs a title, and a tutor page needs a section`);
    }
    return { path: fullPath, title, section, opensOffline: isTutorPage && fullPath !== '/' };
  });
}
