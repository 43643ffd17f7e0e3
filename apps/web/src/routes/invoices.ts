import { IconFileInvoice } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseIdParam } from './search.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

const STATES = ['draft', 'open', 'overdue', 'paid'] as const;

interface InvoicesSearch {
  /** Filters by payer. */
  family?: number;
  state?: (typeof STATES)[number];
}

export const invoicesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/invoices',
  validateSearch: (search: Record<string, unknown>): InvoicesSearch => {
    const state = STATES.find((candidate) => candidate === search['state']);
    return { ...parseIdParam(search, 'family'), ...(state && { state }) };
  },
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { family: familyId, state } }) =>
    prefetchForTutor(context, async (client) => {
      const { INVOICES_PAGE_SIZE, invoicesQuery } = await import('../features/invoices/api.ts');
      const filter = { familyId, ...(state && { state }), limit: INVOICES_PAGE_SIZE };
      return client.prefetchInfiniteQuery(invoicesQuery(filter));
    }),
  component: lazyRouteComponent(() => import('../pages/Invoices.tsx'), 'InvoicesPage'),
  staticData: {
    title: 'Invoices',
    section: '/reports',
    commands: [{ keywords: 'bills', Icon: IconFileInvoice }],
  },
});
