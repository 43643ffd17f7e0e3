import type { Watch } from './watch.ts';

/* Every screen with its heading; ids and tokens are of nothing that exists. */

/** Lessons, from the plan to the payment. */
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
  '/payments/create/1': 'Payment Reminder',
} as const;

/** The rest of a tutor's desk. */
export const deskScreens = {
  '/reports': 'Tutor Earnings Report',
  '/invoices': 'Invoices',
  '/families/1': 'Family',
  '/messages': 'Messages',
  '/notifications': 'Notifications',
  '/settings': 'Settings',
  '/mobile-settings': 'Settings',
  '/profile-edit': 'Edit Profile',
  '/payment-methods': 'Payment Methods',
  '/settings/business': 'Business',
  '/settings/time-off': 'Time off',
  '/settings/reminders': 'Reminders',
} as const;

/** For who opens them: what does not exist is refused by the server too. */
export function expectNothingThere(watch: Watch): void {
  watch.expectRefusal('/api/sessions/1', 404);
  watch.expectRefusal('/api/lessons/1', 404);
}

export const tutorScreens = { ...lessonScreens, ...deskScreens } as const;

/** Open to all. */
export const publicScreens = {
  '/': 'Every lesson booked, taught and paid.',
  '/login': 'Welcome back',
  '/signup': 'Open your book',
  '/forgot-password': 'Forgot your password?',
  '/reset-password/unknown': 'Choose a new password',
  '/verify-email/unknown': 'Confirm your e-mail',
  '/pay/unknown': 'Payment',
  '/invoices/unknown': 'Invoice',
  '/no-such-page': '404 Page Not Found',
} as const;

export const screensOf = (screens: Record<string, string>) => Object.entries(screens);
