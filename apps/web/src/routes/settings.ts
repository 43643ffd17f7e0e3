import {
  IconBuildingStore,
  IconDatabase,
  IconDatabaseImport,
  IconHistory,
  IconLock,
  IconSettings,
  IconShieldCheck,
  IconUserEdit,
  IconUserOff,
  IconWallet,
} from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { RouterContext } from './root.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

const component = lazyRouteComponent(() => import('../pages/Settings.tsx'), 'SettingsPage');

const loader = ({ context }: { context: RouterContext }) =>
  prefetchForTutor(context, async (client) => {
    const [{ policyQuery }, { notificationSettingsQuery }] = await Promise.all([
      import('../features/lessons/cancellation-policy-api.ts'),
      import('../features/accounts/api.ts'),
    ]);
    await Promise.all([
      client.prefetchQuery(policyQuery),
      client.prefetchQuery(notificationSettingsQuery),
    ]);
  });

export const settingsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings',
  loader,
  component,
  staticData: {
    title: 'Settings',
    section: '/settings',
    navigation: {
      order: 9,
      group: 'account',
      phone: ['header', 'more'],
      key: 'e',
      hint: 'Account, teaching and payments',
    },
    commands: [
      {
        keywords: 'calendar integration theme dark logout',
        Icon: IconSettings,
      },
    ],
  },
});

/** An older path of the same page. Existing links use it, and Google returns to it after calendar consent. */
export const mobileSettingsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/mobile-settings',
  loader,
  component,
  staticData: { title: 'Settings', section: '/settings' },
});

export const profileEditRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/profile-edit',
  component: lazyRouteComponent(() => import('../pages/ProfileEdit.tsx'), 'ProfileEditPage'),
  staticData: {
    title: 'Edit Profile',
    section: '/settings',
    commands: [{ keywords: 'name email time zone', Icon: IconUserEdit }],
    settings: { card: 'Account' },
  },
});

const securityLoader = ({ context }: { context: RouterContext }) =>
  prefetchForTutor(context, async (client) => {
    const { securityQuery } = await import('../features/accounts/security-api.ts');
    return client.prefetchQuery(securityQuery);
  });

export const settingsSecurityRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/security',
  loader: securityLoader,
  component: lazyRouteComponent(
    () => import('../pages/SettingsSecurity.tsx'),
    'SettingsSecurityPage',
  ),
  staticData: {
    title: 'Security',
    section: '/settings',
    commands: [{ keywords: 'password passkey two step authenticator logins', Icon: IconLock }],
    settings: { card: 'Account' },
  },
});

export const settingsAccessReviewRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/security/review',
  loader: securityLoader,
  component: lazyRouteComponent(
    () => import('../pages/SettingsAccountAccessReview.tsx'),
    'SettingsAccountAccessReviewPage',
  ),
  staticData: {
    title: 'Review access',
    section: '/settings',
    commands: [
      { keywords: 'security logins passkeys google calendar feed', Icon: IconShieldCheck },
    ],
  },
});

export const settingsBusinessRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/business',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { businessQuery } = await import('../features/business/api.ts');
      return client.prefetchQuery(businessQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsBusiness.tsx'),
    'SettingsBusinessPage',
  ),
  staticData: {
    title: 'Business',
    section: '/settings',
    commands: [
      { keywords: 'bank details trading name address invoice number', Icon: IconBuildingStore },
    ],
    settings: { card: 'Account' },
  },
});

export const paymentMethodsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/payment-methods',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { defaultMethodQuery } = await import('../features/cards/api.ts');
      return client.prefetchQuery(defaultMethodQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/PaymentMethods.tsx'), 'PaymentMethodsPage'),
  staticData: {
    title: 'Payment Methods',
    section: '/settings',
    commands: [{ keywords: 'card stripe bank transfer', Icon: IconWallet }],
    settings: { card: 'Account' },
  },
});

export const settingsActivityRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/activity',
  component: lazyRouteComponent(
    () => import('../pages/SettingsActivity.tsx'),
    'SettingsActivityPage',
  ),
  staticData: {
    title: 'Activity',
    section: '/settings',
    commands: [{ keywords: 'log history audit', Icon: IconHistory }],
    settings: { card: 'Account' },
  },
});

export const settingsYourDataRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/your-data',
  component: lazyRouteComponent(
    () => import('../pages/SettingsYourData.tsx'),
    'SettingsYourDataPage',
  ),
  staticData: {
    title: 'Your data',
    section: '/settings',
    commands: [{ keywords: 'export download delete account', Icon: IconDatabase }],
    settings: { card: 'Account' },
  },
});

export const settingsImportRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/import',
  component: lazyRouteComponent(() => import('../pages/SettingsImport.tsx'), 'SettingsImportPage'),
  staticData: {
    title: 'Import',
    section: '/settings',
    commands: [{ keywords: 'csv spreadsheet students lessons', Icon: IconDatabaseImport }],
  },
});

export const settingsEraseRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/erase',
  // 'student-7' or 'carer-3'.
  validateSearch: ({ person }: Record<string, unknown>): { person?: string } =>
    typeof person === 'string' && /^(student|carer)-\d{1,10}$/.test(person) ? { person } : {},
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { peopleQuery } = await import('../features/privacy/api.ts');
      return client.prefetchQuery(peopleQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsErasePerson.tsx'),
    'SettingsErasePersonPage',
  ),
  staticData: {
    title: 'Erase a person',
    section: '/settings',
    commands: [{ keywords: 'privacy gdpr forget', Icon: IconUserOff }],
  },
});
