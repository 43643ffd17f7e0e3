import { IconFileInvoice } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { InvoicesSearch } from '../features/invoices/invoice-search-params.ts';
import { rememberSearch } from '../lib/remembered-search.ts';
import {
  parseChoiceParam,
  parseIdParam,
  parseIdsParam,
  parseTextParam,
} from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const invoicesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/invoices',
  validateSearch: (search: Record<string, unknown>): InvoicesSearch => ({
    ...parseIdParam(search, 'family'),
    ...parseChoiceParam(search, 'state', ['draft', 'sent', 'overdue', 'paid']),
    ...parseTextParam(search, 'q'),
    ...parseChoiceParam(search, 'period', ['this_month', 'this_tax_year', 'last_tax_year']),
    ...parseChoiceParam(search, 'sort', ['number', 'family', 'issued', 'due', 'amount']),
    ...parseChoiceParam(search, 'direction', ['asc', 'desc']),
    ...parseIdsParam(search, 'selected'),
  }),
  beforeLoad: rememberSearch({
    views: ['sort', 'direction'],
    filters: ['state', 'q', 'period'],
  }),
  loaderDeps: ({ search: { selected: _selected, ...search } }) => search,
  loader: ({ context, deps }) =>
    prefetchForTutor(context, async (client, { today }) => {
      const [{ invoiceSummaryQuery, invoicesQuery }, { toInvoiceFilter, toInvoiceSort }] =
        await Promise.all([
          import('../features/invoices/api.ts'),
          import('../features/invoices/invoice-search-params.ts'),
        ]);
      const filter = toInvoiceFilter(deps, today);
      return Promise.all([
        client.prefetchInfiniteQuery(invoicesQuery({ ...filter, ...toInvoiceSort(deps) })),
        client.prefetchQuery(invoiceSummaryQuery(filter)),
      ]);
    }),
  component: lazyRouteComponent(() => import('../pages/Invoices.tsx'), 'InvoicesPage'),
  staticData: {
    title: 'Invoices',
    section: '/invoices',
    navigation: {
      order: 5,
      group: 'business',
      phone: ['more'],
      key: 'i',
      badge: 'overdueInvoices',
      hint: ({ overdueInvoices, draftInvoices }) =>
        [
          overdueInvoices > 0 && `${overdueInvoices} overdue`,
          draftInvoices > 0 && `${draftInvoices} ${draftInvoices === 1 ? 'draft' : 'drafts'}`,
        ]
          .filter(Boolean)
          .join(', '),
    },
    commands: [{ keywords: 'bills', Icon: IconFileInvoice }],
  },
});
