import { IconShieldCheck } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsAccessReviewRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/security/review',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { securityQuery } = await import('../features/accounts/security-api.ts');
      return client.prefetchQuery(securityQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsAccessReview.tsx'),
    'SettingsAccessReviewPage',
  ),
  staticData: {
    title: 'Review access',
    section: '/settings',
    commands: [
      { keywords: 'security logins passkeys google calendar feed', Icon: IconShieldCheck },
    ],
  },
});
