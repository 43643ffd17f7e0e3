import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const invoiceRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/invoices/$id',
  // Digits are an invoice id; anything else is the token from a family's link.
  params: { parse: ({ id }) => /^\d{1,10}$/.test(id) && { id } },
  loader: ({ context, params }) =>
    prefetchForTutor(context, async (client) => {
      const { invoiceQuery } = await import('../features/invoices/api.ts');
      return client.prefetchQuery(invoiceQuery(Number(params.id)));
    }),
  component: lazyRouteComponent(() => import('../pages/Invoice.tsx'), 'InvoicePage'),
  staticData: { title: 'Invoice', section: '/invoices' },
});
