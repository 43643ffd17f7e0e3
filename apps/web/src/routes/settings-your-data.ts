import { IconDatabase } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

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
