import type { PaymentFormData } from '@lessonbook/contract/payments';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  openCharge,
  paymentDetails,
  paymentFormData,
} from '../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const FORM_DATA = 'GET /api/payments/form';
const POST = 'POST /api/payments';

async function openPage(formData: PaymentFormData, url = '/payments/create/7?session=11') {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [FORM_DATA]: () => json(200, formData),
    [POST]: () => json(201, paymentDetails()),
  });
  const app = renderApp(url);
  const form = within(await screen.findByRole('region', { name: 'Payment' }));
  return { ...app, server, form };
}

test('[ROUTE-28] shows the lesson’s unpaid charges, the account and the payment form', async () => {
  const partlyPaid = openCharge({ outstanding: 500 });
  const otherLesson = openCharge({ id: 5, lessonId: 99, studentName: 'Leo Hale' });
  const { server, form } = await openPage(
    paymentFormData({ preselectedChargeIds: [1], charges: [partlyPaid, otherLesson] }),
  );
  expect(server.last(FORM_DATA)?.url).toBe('/api/payments/form?lessonId=7&sessionId=11');
  const link = screen.getByRole('link', { name: 'Ruth Hale' });
  expect(link.getAttribute('href')).toBe('/families/3');
  expect(screen.getByText('Owes £70')).toBeTruthy();
  expect(screen.getByText('Maths lesson, Maya Hale')).toBeTruthy();
  expect(screen.getByText('of £35')).toBeTruthy();
  expect(screen.queryByText('Maths lesson, Leo Hale')).toBeNull();
  expect(form.getByLabelText<HTMLInputElement>(/^Amount/).value).toBe('5');
});

test('with nothing owed, a message is shown and a payment in advance can be recorded', async () => {
  const { user, server, form, pathname } = await openPage(
    paymentFormData({ charges: [], balances: [] }),
    '/payments/create/7',
  );
  expect(screen.getByText(/^Nothing is due for this lesson/)).toBeTruthy();
  await user.type(form.getByLabelText(/^Amount/), '50');
  expect(form.getByText('£50 becomes credit')).toBeTruthy();
  await user.click(form.getByRole('button', { name: 'Record payment' }));
  expect(await screen.findByText('Payment recorded')).toBeTruthy();
  expect(server.last(POST)?.body).toMatchObject({ amount: 5000, chargeIds: [] });
  // The page was opened directly, so it continues to the account.
  await vi.waitFor(() => expect(pathname()).toBe('/families/3'));
});

test('an unknown lesson shows a message', async () => {
  mockApi({
    'GET /api/me': () => json(200, ada),
    [FORM_DATA]: () => json(404, { code: 'not_found', message: "We couldn't find that." }),
  });
  renderApp('/payments/create/1');
  expect(await screen.findByText('Lesson not found')).toBeTruthy();
});
