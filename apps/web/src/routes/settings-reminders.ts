import { IconAlarm } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

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
