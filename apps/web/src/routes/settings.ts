import { IconSettings } from '@tabler/icons-react';
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
    navigation: 'account',
    commands: [
      {
        keywords: 'calendar integration theme dark logout cancellation policy',
        Icon: IconSettings,
      },
    ],
  },
});

/** An older path of the same page, which existing links and calendar consents return to. */
export const mobileSettingsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/mobile-settings',
  loader,
  component,
  staticData: { title: 'Settings', section: '/settings' },
});
