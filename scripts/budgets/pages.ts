/** How a page is reached decides what its first load brings along, and how heavy it may be. */
export type PageKind = 'landing' | 'public' | 'entry' | 'app';

/** Gzip kB. Fonts are counted as they are: they come compressed. */
export const BUDGETS = {
  landing: 120,
  public: 150,
  entry: 200,
  app: 210,
  /** What one click loads beyond the page it is on. */
  feature: 60,
  style: 25,
  fonts: 65,
} as const;

/** Every file of `apps/web/src/pages` with a screen of its own. A page that is missing here fails the check. */
export const PAGES: Record<PageKind, readonly string[]> = {
  landing: ['Landing'],
  // Outside the frame: no component library.
  public: ['NotFound', 'PublicBill', 'Unsubscribe'],
  // Inside the frame, without the shell.
  entry: ['ForgotPassword', 'Login', 'ResetPassword', 'Signup', 'VerifyEmail'],
  // Inside the frame and the shell.
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
