import { IconBuildingStore } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsBusinessRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/business',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { businessQuery } = await import('../features/business/api.ts');
      return client.prefetchQuery(businessQuery);
    }),
  component: lazyRouteComponent(
    () => import('../pages/SettingsBusiness.tsx'),
    'SettingsBusinessPage',
  ),
  staticData: {
    title: 'Business',
    section: '/settings',
    commands: [
      { keywords: 'bank details trading name address invoice number', Icon: IconBuildingStore },
    ],
    settings: { card: 'Account' },
  },
});
