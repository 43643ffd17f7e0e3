import { createRoute } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { lazyPage } from '../preloadable-pages.tsx';
import { tutorRoute } from './root-and-layout-routes.ts';
import { parseDateSearch, parsePersonSearch } from './search-params.ts';

const Settings = lazyPage('Settings');

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
    component: lazyPage('ProfileEdit'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.paymentMethods,
    component: lazyPage('PaymentMethods'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsBusiness,
    component: lazyPage('SettingsBusiness'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsTimeOff,
    validateSearch: parseDateSearch,
    component: lazyPage('SettingsTimeOff'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsReminders,
    component: lazyPage('SettingsReminders'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsSecurity,
    component: lazyPage('SettingsSecurity'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsAccessReview,
    component: lazyPage('SettingsAccessReview'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsActivity,
    component: lazyPage('SettingsActivity'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsYourData,
    component: lazyPage('SettingsYourData'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsImport,
    component: lazyPage('SettingsImport'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsErase,
    validateSearch: parsePersonSearch,
    component: lazyPage('SettingsErase'),
  }),
] as const;
