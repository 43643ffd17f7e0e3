import { IconFiles } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

/** Ids of the drafts created for all families and of those already issued, so that a reload returns to the review. */
interface BulkInvoiceSearch {
  drafts?: string;
  issued?: string;
}

/** Ids joined by '-'. A single id arrives as a number, because the router parses it. */
function parseIds<Name extends string>(search: Record<string, unknown>, name: Name) {
  const value = search[name];
  const text = typeof value === 'number' ? String(value) : value;
  const isValid = typeof text === 'string' && /^\d{1,10}(-\d{1,10})*$/.test(text);
  return (isValid ? { [name]: text } : {}) as { [K in Name]?: string };
}

export const bulkInvoiceRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/invoices/everyone',
  validateSearch: (search: Record<string, unknown>): BulkInvoiceSearch => ({
    ...parseIds(search, 'drafts'),
    ...parseIds(search, 'issued'),
  }),
  component: lazyRouteComponent(() => import('../pages/BulkInvoice.tsx'), 'BulkInvoicePage'),
  staticData: {
    title: 'Invoice everyone',
    section: '/reports',
    commands: [{ keywords: 'all families bills month', Icon: IconFiles }],
  },
});
