import { IconUmbrella } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseDateSearch } from './search.ts';
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
