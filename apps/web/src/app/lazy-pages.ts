/**
 * Every page except the landing page, each in its own chunk. This list is a separate chunk too, so that the landing
 * page does not load the file names and dependencies of every page. `index.html` preloads it.
 */
export const lazyPages = {
  UiProvider: async () => (await import('./UiProvider.tsx')).UiProvider,
  Shell: async () => (await import('./shell/Shell.tsx')).Shell,

  AccountRecovery: async () => (await import('../pages/AccountRecovery.tsx')).AccountRecoveryPage,
  Dashboard: async () => (await import('../pages/Dashboard.tsx')).DashboardPage,
  Families: async () => (await import('../pages/Families.tsx')).FamiliesPage,
  Family: async () => (await import('../pages/Family.tsx')).FamilyPage,
  ForgotPassword: async () => (await import('../pages/ForgotPassword.tsx')).ForgotPasswordPage,
  Invoice: async () => (await import('../pages/Invoice.tsx')).InvoicePage,
  BulkInvoice: async () => (await import('../pages/BulkInvoice.tsx')).BulkInvoicePage,
  IncompleteLink: async () => (await import('../pages/IncompleteLink.tsx')).IncompleteLinkPage,
  InvoiceLink: async () => (await import('../pages/PublicBill.tsx')).InvoiceLinkPage,
  Invoices: async () => (await import('../pages/Invoices.tsx')).InvoicesPage,
  KeepTwoStep: async () => (await import('../pages/AccountRecovery.tsx')).KeepTwoStepPage,
  LessonComplete: async () => (await import('../pages/LessonComplete.tsx')).LessonCompletePage,
  LessonDetails: async () => (await import('../pages/LessonDetails.tsx')).LessonDetailsPage,
  Login: async () => (await import('../pages/Login.tsx')).LoginPage,
  Messages: async () => (await import('../pages/Messages.tsx')).MessagesPage,
  NotFound: async () => (await import('../pages/NotFound.tsx')).NotFoundPage,
  Offline: async () => (await import('../pages/Offline.tsx')).OfflinePage,
  Notifications: async () => (await import('../pages/Notifications.tsx')).NotificationsPage,
  PayLink: async () => (await import('../pages/PublicBill.tsx')).PayLinkPage,
  PaymentCreate: async () => (await import('../pages/PaymentCreate.tsx')).PaymentCreatePage,
  PaymentMethods: async () => (await import('../pages/PaymentMethods.tsx')).PaymentMethodsPage,
  ProfileEdit: async () => (await import('../pages/ProfileEdit.tsx')).ProfileEditPage,
  RemoveTwoStep: async () => (await import('../pages/AccountRecovery.tsx')).RemoveTwoStepPage,
  Reports: async () => (await import('../pages/Reports.tsx')).ReportsPage,
  ResetPassword: async () => (await import('../pages/ResetPassword.tsx')).ResetPasswordPage,
  RevertEmail: async () => (await import('../pages/RevertEmail.tsx')).RevertEmailPage,
  Schedule: async () => (await import('../pages/Schedule.tsx')).SchedulePage,
  SessionDetails: async () => (await import('../pages/SessionDetails.tsx')).SessionDetailsPage,
  Sessions: async () => (await import('../pages/Sessions.tsx')).SessionsPage,
  Settings: async () => (await import('../pages/Settings.tsx')).SettingsPage,
  SettingsAccessReview: async () =>
    (await import('../pages/SettingsAccessReview.tsx')).SettingsAccessReviewPage,
  SettingsActivity: async () =>
    (await import('../pages/SettingsActivity.tsx')).SettingsActivityPage,
  SettingsBusiness: async () =>
    (await import('../pages/SettingsBusiness.tsx')).SettingsBusinessPage,
  SettingsErase: async () => (await import('../pages/SettingsErase.tsx')).SettingsErasePage,
  SettingsImport: async () => (await import('../pages/SettingsImport.tsx')).SettingsImportPage,
  SettingsReminders: async () =>
    (await import('../pages/SettingsReminders.tsx')).SettingsRemindersPage,
  SettingsSecurity: async () =>
    (await import('../pages/SettingsSecurity.tsx')).SettingsSecurityPage,
  SettingsTimeOff: async () => (await import('../pages/SettingsTimeOff.tsx')).SettingsTimeOffPage,
  SettingsYourData: async () =>
    (await import('../pages/SettingsYourData.tsx')).SettingsYourDataPage,
  Signup: async () => (await import('../pages/Signup.tsx')).SignupPage,
  Unsubscribe: async () => (await import('../pages/Unsubscribe.tsx')).UnsubscribePage,
  VerifyEmail: async () => (await import('../pages/VerifyEmail.tsx')).VerifyEmailPage,
} as const;
