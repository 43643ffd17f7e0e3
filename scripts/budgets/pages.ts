/** The kind of a page determines the chunks of its first load and its budget. */
export type PageKind = 'landing' | 'public' | 'entry' | 'app';

/** Gzip kB; fonts count with their file size, because they are already compressed. */
export const BUDGETS = {
  landing: 120,
  public: 150,
  entry: 200,
  app: 210,
  /** Loaded by one click in addition to the page. */
  feature: 60,
  style: 25,
  fonts: 65,
} as const;

/** All files of `apps/web/src/pages` with their own chunk. A page that is missing here fails the check. */
export const PAGES: Record<PageKind, readonly string[]> = {
  landing: ['Landing'],
  // Without the component library.
  public: ['NotFound', 'PublicBill', 'Unsubscribe'],
  // With the component library, without the shell.
  entry: ['ForgotPassword', 'Login', 'ResetPassword', 'Signup', 'VerifyEmail'],
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
