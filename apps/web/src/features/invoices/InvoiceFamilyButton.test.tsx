import type { FamilyDetails } from '@lessonbook/contract/families';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { familyDetails, familyListItem } from '../../test/family-and-payment-fixtures.ts';
import { draftInvoice } from '../../test/invoice-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

async function openFamily(
  overrides: Partial<FamilyDetails>,
  handlers: Parameters<typeof mockApi>[0],
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/families/3': () => json(200, familyDetails(overrides)),
    ...handlers,
  });
  const app = renderApp('/families/3');
  await screen.findByRole('heading', { name: 'Ruth Hale' });
  return { ...app, server };
}

test('the Invoice button drafts everything not yet invoiced and opens the draft', async () => {
  const due = { currency: 'GBP' as const, overdue: 0, overdueSince: null, dueOn: null };
  const { user, server, pathname } = await openFamily(
    { due: [{ ...due, uninvoiced: 3500, withoutDueDate: 3500 }] },
    {
      'GET /api/invoices': () => json(200, []),
      'POST /api/invoices': () => json(201, [draftInvoice({ id: 14 })]),
      'GET /api/invoices/14': () => json(200, draftInvoice({ id: 14 })),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Invoice' }));
  await screen.findByRole('heading', { name: 'Draft invoice' });
  expect(pathname()).toBe('/invoices/14');
  expect(server.last('GET /api/invoices')?.url).toContain('familyId=3&state=draft');
  const sent = server.last('POST /api/invoices');
  expect(sent?.body).toMatchObject({ familyId: 3, from: '1900-01-01', to: '2026-11-15' });
});

test('the Invoice button opens an existing draft, and asks for the period if there is nothing to invoice', async () => {
  const { user, server, pathname } = await openFamily(
    { due: [] },
    {
      'GET /api/families': () => json(200, [familyListItem()]),
      'GET /api/invoices': () => json(200, []),
      'GET /api/invoices/14': () => json(200, draftInvoice({ id: 14 })),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Invoice' }));
  const modal = await screen.findByRole('dialog', { name: 'New invoice' });
  await user.click(within(modal).getByRole('button', { name: 'Cancel' }));
  server.handlers['GET /api/invoices'] = () => json(200, [draftInvoice({ id: 14 })]);
  await user.click(await screen.findByRole('button', { name: 'Invoice' }));
  await screen.findByRole('heading', { name: 'Draft invoice' });
  expect(pathname()).toBe('/invoices/14');
});
