import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from '../components/FullPageMessage.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { handleBack } from '../lib/close-on-back.ts';
import { isSavingData } from '../lib/network-status.ts';
import { accountRecoveryRoute, keepTwoStepRoute, removeTwoStepRoute } from './account-recovery.ts';
import { authRoute } from './auth.ts';
import { bulkInvoiceRoute } from './bulk-invoice.ts';
import { dashboardRoute, homeRoute } from './dashboard.ts';
import { familiesRoute } from './families.ts';
import { familyRoute } from './family.ts';
import { forgotPasswordRoute } from './forgot-password.ts';
import { invoiceRoute } from './invoice.ts';
import { invoicesRoute } from './invoices.ts';
import { lessonCompleteRoute } from './lesson-complete.ts';
import { lessonDetailsRoute } from './lesson-details.ts';
import { loginRoute } from './login.ts';
import { messagesRoute } from './messages.ts';
import { notificationsRoute } from './notifications.ts';
import { paymentCreateRoute } from './payment-create.ts';
import { paymentMethodsRoute } from './payment-methods.ts';
import { profileEditRoute } from './profile-edit.ts';
import { reportsRoute } from './reports.ts';
import { incompleteResetPasswordRoute, resetPasswordRoute } from './reset-password.ts';
import { revertEmailRoute } from './revert-email.ts';
import { rootRoute } from './root.ts';
import { scheduleRoute } from './schedule.ts';
import { sessionDetailsRoute } from './session-details.ts';
import { sessionsRoute } from './sessions.ts';
import { mobileSettingsRoute, settingsRoute } from './settings.ts';
import { settingsAccessReviewRoute } from './settings-access-review.ts';
import { settingsActivityRoute } from './settings-activity.ts';
import { settingsBusinessRoute } from './settings-business.ts';
import { settingsEraseRoute } from './settings-erase.ts';
import { settingsImportRoute } from './settings-import.ts';
import { settingsRemindersRoute } from './settings-reminders.ts';
import { settingsSecurityRoute } from './settings-security.ts';
import { settingsTimeOffRoute } from './settings-time-off.ts';
import { settingsYourDataRoute } from './settings-your-data.ts';
import { signupRoute } from './signup.ts';
import { tutorRoute } from './tutor.ts';
import { incompleteVerifyEmailRoute, verifyEmailRoute } from './verify-email.ts';

/** The navigation, the settings page and the command palette show the pages in this order. */
const tutorRoutes = tutorRoute.addChildren([
  homeRoute,
  dashboardRoute,
  scheduleRoute,
  reportsRoute,
  notificationsRoute,
  settingsRoute,
  mobileSettingsRoute,
  sessionsRoute,
  sessionDetailsRoute,
  lessonDetailsRoute,
  lessonCompleteRoute,
  paymentCreateRoute,
  invoicesRoute,
  invoiceRoute,
  bulkInvoiceRoute,
  profileEditRoute,
  settingsSecurityRoute,
  settingsAccessReviewRoute,
  settingsBusinessRoute,
  paymentMethodsRoute,
  familiesRoute,
  familyRoute,
  settingsActivityRoute,
  settingsYourDataRoute,
  settingsTimeOffRoute,
  settingsRemindersRoute,
  messagesRoute,
  settingsImportRoute,
  settingsEraseRoute,
]);

const routeTree = rootRoute.addChildren([
  tutorRoutes,
  authRoute.addChildren([loginRoute, signupRoute]),
  // Links in e-mails work for everyone, signed in or not.
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
