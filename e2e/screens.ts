import type { ConsoleGuard } from './console-guard.ts';

/* All screens with their headings. The ids and tokens in the paths do not exist. */

export const lessonScreens = {
  '/': 'Good to see you, Ada',
  '/dashboard': 'Good to see you, Ada',
  '/schedule': 'Schedule',
  '/schedule?view=students': 'Students',
  '/schedule?view=subjects': 'Subjects',
  '/sessions': 'Sessions',
  '/sessions/1': 'Session Details',
  '/lessons/1': 'Lesson Details',
  '/lessons/1/complete': 'Complete Lessons',
} as const;

export const moneyScreens = {
  '/payments/create/1': 'Record payment',
  '/reports': 'Tutor Earnings Report',
  '/reports?show=owed': 'Tutor Earnings Report',
  '/families': 'Accounts',
  '/families/1': 'Family',
  '/invoices': 'Invoices',
  '/invoices/1': 'Invoice',
  '/invoices/everyone': 'Invoice everyone',
  '/settings/business': 'Business',
} as const;

export const otherScreens = {
  '/messages': 'Messages',
  '/notifications': 'Notifications',
  '/settings': 'Settings',
  '/mobile-settings': 'Settings',
  '/profile-edit': 'Edit Profile',
  '/payment-methods': 'Payment Methods',
  '/settings/time-off': 'Time off',
  '/settings/reminders': 'Reminders',
  '/settings/security': 'Security',
  '/settings/security/review': 'Review access',
  '/settings/activity': 'Activity',
  '/settings/your-data': 'Your data',
  '/settings/import': 'Import',
  '/settings/erase': 'Erase a person',
} as const;

/** Allows 404 responses for the ids that do not exist. */
export function allowNotFound(consoleGuard: ConsoleGuard): void {
  for (const path of [
    '/api/sessions/1',
    '/api/lessons/1',
    '/api/payments/form',
    '/api/families/1',
    '/api/invoices/1',
    '/api/pay/unknown',
    '/api/unsubscribe/unknown/reminders',
  ]) {
    consoleGuard.allowErrorResponse(path, 404);
  }
}

export const tutorScreens = { ...lessonScreens, ...moneyScreens, ...otherScreens } as const;

/** Screens that need no login. */
export const publicScreens = {
  '/': 'Every lesson booked, taught and paid.',
  '/login': 'Welcome back',
  '/signup': 'Open your book',
  '/forgot-password': 'Forgot your password?',
  '/reset-password/unknown': 'Choose a new password',
  '/verify-email/unknown': 'Confirm your e-mail',
  '/revert-email/unknown': 'Restore your email address',
  '/account-recovery': 'Lost your phone and recovery codes?',
  '/remove-two-step/unknown': 'Remove two-step login?',
  '/keep-two-step/unknown': 'Keep two-step login?',
  '/pay/unknown': 'Payment',
  '/invoices/unknown': 'Invoice',
  '/unsubscribe/unknown': 'Link not found',
  '/no-such-page': '404 Page Not Found',
} as const;

export const screenEntries = (screens: Record<string, string>) => Object.entries(screens);
