import { IconCash } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsRatesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/rates',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { ratesQuery } = await import('../features/rates/api.ts');
      return client.prefetchQuery(ratesQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/SettingsRates.tsx'), 'SettingsRatesPage'),
  staticData: {
    title: 'Rates',
    section: '/settings',
    commands: [{ keywords: 'prices fees per hour students', Icon: IconCash }],
    settings: { card: 'Teaching' },
  },
});

export const priceRiseRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/rates/raise',
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { termCalendarsQuery } = await import(
        '../features/lessons/shared/term-calendars-api.ts'
      );
      return client.prefetchQuery(termCalendarsQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/PriceRise.tsx'), 'PriceRisePage'),
  staticData: {
    title: 'Raise prices',
    section: '/settings',
    commands: [{ keywords: 'rates increase fees percentage', Icon: IconCash }],
  },
});
