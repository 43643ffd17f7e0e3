import { IconFiles } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseIdsParam } from './parse-search-params.ts';
import { tutorRoute } from './tutor.ts';

/** Ids of the invoices under review, so that a reload returns to them. */
interface BulkInvoiceSearch {
  drafts?: string;
}

export const bulkInvoiceRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/invoices/everyone',
  validateSearch: (search: Record<string, unknown>): BulkInvoiceSearch =>
    parseIdsParam(search, 'drafts'),
  component: lazyRouteComponent(() => import('../pages/BulkInvoice.tsx'), 'BulkInvoicePage'),
  staticData: {
    title: 'Bulk invoice',
    section: '/invoices',
    commands: [{ keywords: 'invoice everyone all families bills month', Icon: IconFiles }],
  },
});
