/** A page's kind determines its budget and which chunks its first load includes. */
export type PageKind = 'landing' | 'public' | 'entry' | 'app';

/** Gzipped size in kB; fonts count at their file size, because they are already compressed. */
export const BUDGETS = {
  landing: 120,
  public: 150,
  entry: 200,
  app: 212,
  /** What one click loads in addition to the page. */
  feature: 60,
  style: 25,
  fonts: 65,
} as const;

/** All files in `apps/web/src/pages` that have their own chunk. The check fails for a page that is not listed. */
export const PAGES: Record<PageKind, readonly string[]> = {
  landing: ['Landing'],
  // Without the component library.
  public: ['IncompleteLink', 'NotFound', 'PublicBill', 'Unsubscribe'],
  // With the component library, without the shell.
  entry: [
    'AccountRecovery',
    'ForgotPassword',
    'Login',
    'ResetPassword',
    'RevertEmail',
    'Signup',
    'VerifyEmail',
  ],
  // With the component library and the shell.
  app: [
    'Dashboard',
    'Families',
    'Family',
    'Invoice',
    'BulkInvoice',
    'Invoices',
    'LessonComplete',
    'LessonDetails',
    'Messages',
    'Notifications',
    'Offline',
    'PaymentCreate',
    'PaymentMethods',
    'ProfileEdit',
    'Reports',
    'Schedule',
    'SessionDetails',
    'Sessions',
    'Settings',
    'SettingsAccessReview',
    'SettingsActivity',
    'SettingsBusiness',
    'SettingsErase',
    'SettingsImport',
    'SettingsReminders',
    'SettingsSecurity',
    'SettingsTimeOff',
    'SettingsYourData',
  ],
};
