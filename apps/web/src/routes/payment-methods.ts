import { IconWallet } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const paymentMethodsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/payment-methods',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { defaultMethodQuery } = await import('../features/cards/api.ts');
      return client.prefetchQuery(defaultMethodQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/PaymentMethods.tsx'), 'PaymentMethodsPage'),
  staticData: {
    title: 'Payment Methods',
    section: '/settings',
    commands: [{ keywords: 'card stripe bank transfer', Icon: IconWallet }],
    settings: { card: 'Account' },
  },
});
