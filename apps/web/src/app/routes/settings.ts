import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { tutorRoute } from './root.ts';
import { daySearch } from './search.ts';

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
] as const;
