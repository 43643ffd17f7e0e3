import { IconCalendarX } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsCancellationPolicyRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/cancellation-policy',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { policyQuery } = await import('../features/lessons/cancellation-policy-api.ts');
      return client.prefetchQuery(policyQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsCancellationPolicy.tsx'),
    'SettingsCancellationPolicyPage',
  ),
  staticData: {
    title: 'Cancellation policy',
    section: '/settings',
    commands: [{ keywords: 'late fee notice illness free', Icon: IconCalendarX }],
    settings: { card: 'Teaching' },
  },
});
