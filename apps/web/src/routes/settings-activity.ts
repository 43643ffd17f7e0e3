import { IconHistory } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

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
