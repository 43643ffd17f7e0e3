import { IconUsers } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rememberSearch } from '../lib/remembered-search.ts';
import {
  type FamilyTabSearch,
  parseFamilyTab,
  parseIdParam,
  parseTextParam,
} from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

const FILTERS = ['overdue', 'uninvoiced', 'credit'] as const;
const SORTS = ['name', 'next', 'balance', '-name', '-next', '-balance'] as const;

/** The account shown beside the list uses the same search parameters as its own page. */
interface FamiliesSearch extends FamilyTabSearch {
  q?: string;
  show?: (typeof FILTERS)[number];
  /** The column, with a minus for descending order. */
  sort?: (typeof SORTS)[number];
  selected?: number;
}

export const familiesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/families',
  validateSearch: (search: Record<string, unknown>): FamiliesSearch => {
    const show = FILTERS.find((filter) => filter === search['show']);
    const sort = SORTS.find((candidate) => candidate === search['sort']);
    return {
      ...parseTextParam(search, 'q'),
      ...(show && { show }),
      ...(sort && { sort }),
      ...parseIdParam(search, 'selected'),
      ...parseFamilyTab(search),
    };
  },
  beforeLoad: rememberSearch({ views: ['sort'], filters: ['q', 'show'] }),
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { familiesQuery } = await import('../features/payments/api.ts');
      return client.prefetchQuery(familiesQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/Families.tsx'), 'FamiliesPage'),
  staticData: {
    title: 'Families',
    section: '/families',
    navigation: {
      order: 4,
      group: 'people',
      phone: ['more'],
      key: 'f',
      hint: 'Balances, payments and contacts',
    },
    commands: [{ keywords: 'accounts carers parents balances', Icon: IconUsers }],
  },
});
