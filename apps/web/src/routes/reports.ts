import type { Period } from '@lessonbook/contract/periods';
import { IconChartBar, IconCoins } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

interface ReportsSearch {
  show?: 'owed';
  /** The page checks whether the period exists. */
  period?: string;
}

export const reportsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/reports',
  validateSearch: ({ show, period }: Record<string, unknown>): ReportsSearch => ({
    ...(show === 'owed' && { show }),
    ...(typeof period === 'string' && { period }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { show, period } }) =>
    prefetchForTutor(context, async (client) => {
      const { balancesQuery, earningsQuery } = await import('../features/reports/api.ts');
      return show === 'owed'
        ? client.prefetchQuery(balancesQuery)
        : client.prefetchQuery(earningsQuery((period as Period) ?? 'last_month'));
    }),
  component: lazyRouteComponent(() => import('../pages/Reports.tsx'), 'ReportsPage'),
  staticData: {
    title: 'Tutor Earnings Report',
    section: '/reports',
    navigation: 'main',
    commands: [
      { label: 'Reports', keywords: 'earnings income tax money', Icon: IconChartBar },
      {
        label: 'Owed',
        keywords: 'unpaid outstanding debts reports',
        Icon: IconCoins,
        search: { show: 'owed' },
      },
    ],
  },
});
