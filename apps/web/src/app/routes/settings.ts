import { createRoute } from '@tanstack/react-router';
import { screen } from '../chunks.tsx';
import { paths } from '../paths.ts';
import { tutorRoute } from './root.ts';
import { daySearch, personSearch } from './search.ts';

const Settings = screen('Settings');

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
    component: screen('ProfileEdit'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.paymentMethods,
    component: screen('PaymentMethods'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsBusiness,
    component: screen('SettingsBusiness'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsTimeOff,
    validateSearch: daySearch,
    component: screen('SettingsTimeOff'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsReminders,
    component: screen('SettingsReminders'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsSecurity,
    component: screen('SettingsSecurity'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsActivity,
    component: screen('SettingsActivity'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsYourData,
    component: screen('SettingsYourData'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsImport,
    component: screen('SettingsImport'),
  }),
  createRoute({
    getParentRoute: () => tutorRoute,
    path: paths.settingsErase,
    validateSearch: personSearch,
    component: screen('SettingsErase'),
  }),
] as const;
