import type { PaymentFormData } from '@lessonbook/contract/payments';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  openCharge,
  paymentDetails,
  paymentFormData,
} from '../../test/family-and-payment-fixtures.ts';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';
import { RecordPaymentButton } from './RecordPaymentButton.tsx';

const POST = 'POST /api/payments';
const FORM_DATA = 'GET /api/payments/form';

async function openForm(
  formData: PaymentFormData = paymentFormData(),
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [FORM_DATA]: () => json(200, formData),
    [POST]: () => json(201, paymentDetails({ id: 21 })),
    'POST /api/payments/21/reverse': () => json(200, paymentDetails({ status: 'reversed' })),
    ...handlers,
  });
  const app = await renderComponentSignedIn(
    <RecordPaymentButton target={{ familyId: 3 }}>Open payment form</RecordPaymentButton>,
  );
  await app.user.click(screen.getByRole('button', { name: 'Open payment form' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record payment' }));
  const save = () => app.user.click(dialog.getByRole('button', { name: 'Record payment' }));
  return { ...app, server, dialog, save };
}

async function typeAmount(form: Awaited<ReturnType<typeof openForm>>, text: string) {
  const amount = await form.dialog.findByLabelText(/^Amount/);
  await form.user.clear(amount);
  if (text) await form.user.type(amount, text);
  return amount;
}

test('[PROD-07] records a payment with the defaults: balance, last method, today', async () => {
  const form = await openForm();
  const amount = await form.dialog.findByLabelText<HTMLInputElement>(/^Amount/);
  expect(amount.value).toBe('70');
  expect(form.dialog.getByRole<HTMLInputElement>('radio', { name: 'Cash' }).checked).toBe(true);
  expect(form.dialog.queryByRole('combobox', { name: 'Currency' })).toBeNull();
  await form.save();
  expect(await screen.findByText('Payment recorded')).toBeTruthy();
  const sent = form.server.last(POST);
  expect(sent?.body).toEqual({
    familyId: 3,
    amount: 7000,
    currency: 'GBP',
    method: 'cash',
    date: '2026-11-15',
    note: '',
    chargeIds: [],
  });
  expect(new Headers(sent?.init.headers).get('Idempotency-Key')).toBeTruthy();
  expect(form.server.last(FORM_DATA)?.url).toBe('/api/payments/form?familyId=3');
});

test('updates the covered lessons as the amount is typed', async () => {
  const form = await openForm();
  await typeAmount(form, '65');
  const preview = form.dialog.getByRole('status');
  expect(preview.textContent).toBe('Covers 2 lessonsMaya, Tue 3 Nov£35Leo, Thu 5 Nov£30 of £35');
  await typeAmount(form, '75,50');
  expect(form.dialog.getByRole('status').textContent).toBe(
    'Covers 2 lessonsMaya, Tue 3 Nov£35.00Leo, Thu 5 Nov£35.00£5.50 becomes credit',
  );
  await typeAmount(form, '');
  expect(form.dialog.queryByRole('status')).toBeNull();
});

test('shows an error next to an invalid amount and sends no request', async () => {
  const form = await openForm();
  const amount = await typeAmount(form, '35.505');
  await form.save();
  expect(await form.dialog.findByText('Please enter an amount')).toBeTruthy();
  expect(document.activeElement).toBe(amount);
  expect(form.server.count(POST)).toBe(0);
});

test('reverses the payment once on Undo', async () => {
  const form = await openForm();
  await form.dialog.findByLabelText(/^Amount/);
  await form.save();
  await form.user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Payment reversed')).toBeTruthy();
  expect(form.server.count('POST /api/payments/21/reverse')).toBe(1);
});

test('retries with the same idempotency key after a lost response', async () => {
  const form = await openForm(paymentFormData(), { [POST]: () => Promise.reject(new TypeError()) });
  await form.dialog.findByLabelText(/^Amount/);
  const keys: (string | null)[] = [];
  for (const attempts of [1, 2]) {
    await form.save();
    await vi.waitFor(() => expect(form.server.count(POST)).toBe(attempts));
    keys.push(new Headers(form.server.last(POST)?.init.headers).get('Idempotency-Key'));
    await screen.findByText("We couldn't record the payment. Please try again.");
  }
  expect(keys[0]).toBe(keys[1]);
  await typeAmount(form, '20');
  await form.save();
  await vi.waitFor(() => expect(form.server.count(POST)).toBe(3));
  const nextKey = new Headers(form.server.last(POST)?.init.headers).get('Idempotency-Key');
  expect(nextKey).not.toBe(keys[0]);
});

test('disables the button while saving', async () => {
  const reply = createDeferredReply();
  const form = await openForm(paymentFormData(), { [POST]: reply.handler });
  await form.dialog.findByLabelText(/^Amount/);
  await form.save();
  const busy = await form.dialog.findByRole<HTMLButtonElement>('button', { name: 'Saving...' });
  expect(busy.disabled).toBe(true);
});

test('shows a field error from the server next to its field', async () => {
  const message = 'Please choose the currency of the lessons';
  const form = await openForm(
    paymentFormData({
      balances: [
        { currency: 'GBP', owed: 7000, credit: 0 },
        { currency: 'EUR', owed: 0, credit: 0 },
      ],
    }),
    { [POST]: () => json(400, { code: 'invalid', message, fields: { currency: message } }) },
  );
  await form.dialog.findByLabelText(/^Amount/);
  await form.save();
  expect(await form.dialog.findByText(message)).toBeTruthy();
});

test('suggests an amount and lessons for each of two currencies', async () => {
  const form = await openForm(
    paymentFormData({
      balances: [
        { currency: 'GBP', owed: 7000, credit: 0 },
        { currency: 'EUR', owed: 4000, credit: 0 },
      ],
      charges: [openCharge(), openCharge({ id: 9, currency: 'EUR', outstanding: 4000 })],
    }),
  );
  const amount = await form.dialog.findByLabelText<HTMLInputElement>(/^Amount/);
  await selectOption(form.user, form.dialog.getByRole('combobox', { name: 'Currency' }), 'EUR');
  expect(amount.value).toBe('40');
  expect(form.dialog.getByRole('status').textContent).toContain('€40');
});

test('offers the full balance when opened for one lesson', async () => {
  const form = await openForm(paymentFormData({ preselectedChargeIds: [2] }));
  const amount = await form.dialog.findByLabelText<HTMLInputElement>(/^Amount/);
  expect(amount.value).toBe('35');
  expect(form.dialog.getByRole('status').textContent).toContain('Leo, Thu 5 Nov');
  await form.user.click(form.dialog.getByRole('button', { name: 'Full balance (£70)' }));
  expect(amount.value).toBe('70');
});

test('offers a retry when the form data cannot be loaded', async () => {
  const form = await openForm(paymentFormData(), { [FORM_DATA]: () => json(500, {}) });
  const retry = await form.dialog.findByRole('button', { name: 'Try again' });
  form.server.handlers[FORM_DATA] = () => json(200, paymentFormData());
  await form.user.click(retry);
  expect(await form.dialog.findByLabelText(/^Amount/)).toBeTruthy();
});
