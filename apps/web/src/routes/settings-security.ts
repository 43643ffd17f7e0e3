import { IconLock } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsSecurityRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/security',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { securityQuery } = await import('../features/accounts/security-api.ts');
      return client.prefetchQuery(securityQuery);
    }),
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
