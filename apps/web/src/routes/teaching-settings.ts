import { IconAlarm, IconSchool, IconUmbrella, IconUsers } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseDateSearch } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsTimeOffRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/time-off',
  validateSearch: parseDateSearch,
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { timeOffQuery } = await import('../features/lessons/time-off-api.ts');
      return client.prefetchQuery(timeOffQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsTimeOff.tsx'),
    'SettingsTimeOffPage',
  ),
  staticData: {
    title: 'Time off',
    section: '/settings',
    commands: [{ keywords: 'holidays half term away', Icon: IconUmbrella }],
    settings: { card: 'Teaching' },
  },
});

export const settingsTermsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/school-terms',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { termCalendarsQuery } = await import(
        '../features/lessons/shared/term-calendars-api.ts'
      );
      return client.prefetchQuery(termCalendarsQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsSchoolTerms.tsx'),
    'SettingsSchoolTermsPage',
  ),
  staticData: {
    title: 'School terms',
    section: '/settings',
    commands: [{ keywords: 'calendar holidays half term time', Icon: IconSchool }],
    settings: { card: 'Teaching' },
  },
});

export const settingsRemindersRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/reminders',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { remindersQuery } = await import('../features/reminders/api.ts');
      return client.prefetchQuery(remindersQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsReminders.tsx'),
    'SettingsRemindersPage',
  ),
  staticData: {
    title: 'Reminders',
    section: '/settings',
    commands: [{ keywords: 'templates families settings chase', Icon: IconAlarm }],
    settings: { card: 'Teaching' },
  },
});

export const settingsFamilyPortalRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/family-portal',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { portalSettingsQuery } = await import('../features/portal/api.ts');
      return client.prefetchQuery(portalSettingsQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsFamilyPortal.tsx'),
    'SettingsFamilyPortalPage',
  ),
  staticData: {
    title: 'Family portal',
    section: '/settings',
    commands: [{ keywords: 'parents carers sign in access preview', Icon: IconUsers }],
    settings: { card: 'Teaching' },
  },
});
