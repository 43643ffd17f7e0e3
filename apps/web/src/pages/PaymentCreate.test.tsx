import type { PaymentFormData } from '@lessonbook/contract/payments';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openCharge, paymentDetails, paymentStart } from '../test/family-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const START = 'GET /api/payments/start';
const POST = 'POST /api/payments';

async function openPage(start: PaymentFormData, address = '/payments/create/7?session=11') {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [START]: () => json(200, start),
    [POST]: () => json(201, paymentDetails()),
  });
  const app = renderApp(address);
  const form = within(await screen.findByRole('region', { name: 'Payment' }));
  return { ...app, server, form };
}

test('[ROUTE-28] the lesson’s unpaid charges, whose account it is, and the form', async () => {
  const part = openCharge({ outstanding: 500 });
  const other = openCharge({ id: 5, lessonId: 99, studentName: 'Leo Hale' });
  const { server, form } = await openPage(
    paymentStart({ preselectedChargeIds: [1], charges: [part, other] }),
  );
  expect(server.last(START)?.address).toBe('/api/payments/start?lessonId=7&sessionId=11');
  const link = screen.getByRole('link', { name: 'Ruth Hale' });
  expect(link.getAttribute('href')).toBe('/families/3');
  expect(screen.getByText('Owes £70')).toBeTruthy();
  expect(screen.getByText('Maths lesson, Maya Hale')).toBeTruthy();
  expect(screen.getByText('of £35')).toBeTruthy();
  expect(screen.queryByText('Maths lesson, Leo Hale')).toBeNull();
  expect(form.getByLabelText<HTMLInputElement>(/^Amount/).value).toBe('5');
});

test('with nothing owed it says so, and still takes money ahead', async () => {
  const { user, server, form, address } = await openPage(
    paymentStart({ charges: [], balances: [] }),
    '/payments/create/7',
  );
  expect(screen.getByText(/^Nothing is owed for this lesson/)).toBeTruthy();
  await user.type(form.getByLabelText(/^Amount/), '50');
  expect(form.getByText('£50 stays as credit')).toBeTruthy();
  await user.click(form.getByRole('button', { name: 'Record payment' }));
  expect(await screen.findByText('Payment recorded')).toBeTruthy();
  expect(server.last(POST)?.body).toMatchObject({ amount: 5000, chargeIds: [] });
  // Whoever opened the address itself goes on to the account.
  await vi.waitFor(() => expect(address()).toBe('/families/3'));
});

test('a lesson that is not there', async () => {
  mockApi({
    'GET /api/me': () => json(200, ada),
    [START]: () => json(404, { code: 'not_found', message: 'That is not in your book.' }),
  });
  renderApp('/payments/create/1');
  expect(await screen.findByText('Lesson not found')).toBeTruthy();
});
