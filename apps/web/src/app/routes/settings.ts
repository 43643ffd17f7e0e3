import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { tutorRoute } from './root.ts';
import { daySearch, personSearch } from './search.ts';

const Settings = lazyRouteComponent(() => import('../../pages/Settings.tsx'), 'SettingsPage');

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settings,
    component: Settings,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.mobileSettings,
    component: Settings,
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.profileEdit,
    component: lazyRouteComponent(() => import('../../pages/ProfileEdit.tsx'), 'ProfileEditPage'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.paymentMethods,
    component: lazyRouteComponent(
      () => import('../../pages/PaymentMethods.tsx'),
      'PaymentMethodsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsBusiness,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsBusiness.tsx'),
      'SettingsBusinessPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsTimeOff,
    validateSearch: daySearch,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsTimeOff.tsx'),
      'SettingsTimeOffPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsReminders,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsReminders.tsx'),
      'SettingsRemindersPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsSecurity,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsSecurity.tsx'),
      'SettingsSecurityPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsActivity,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsActivity.tsx'),
      'SettingsActivityPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsYourData,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsYourData.tsx'),
      'SettingsYourDataPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsImport,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsImport.tsx'),
      'SettingsImportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsErase,
    validateSearch: personSearch,
    component: lazyRouteComponent(
      () => import('../../pages/SettingsErase.tsx'),
      'SettingsErasePage',
    ),
  }),
] as const;
