import { IconUsersGroup } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const familiesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/families',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { familiesQuery } = await import('../features/payments/api.ts');
      return client.prefetchQuery(familiesQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/Families.tsx'), 'FamiliesPage'),
  staticData: {
    title: 'Accounts',
    section: '/reports',
    commands: [{ keywords: 'families carers parents balances', Icon: IconUsersGroup }],
    settings: { card: 'Account', label: 'Family accounts' },
  },
});
