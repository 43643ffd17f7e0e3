import type { PaymentFormData } from '@lessonbook/contract/payments';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openCharge, paymentDetails, paymentStart } from '../../test/family-fixtures.ts';
import { deferredReply, json, mockApi } from '../../test/mock-api.ts';
import { renderSignedIn } from '../../test/render-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';
import { RecordPaymentTrigger } from './RecordPaymentTrigger.tsx';

const POST = 'POST /api/payments';
const START = 'GET /api/payments/start';

async function openForm(
  start: PaymentFormData = paymentStart(),
  answers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [START]: () => json(200, start),
    [POST]: () => json(201, paymentDetails({ id: 21 })),
    'POST /api/payments/21/reverse': () => json(200, paymentDetails({ status: 'reversed' })),
    ...answers,
  });
  const app = await renderSignedIn(
    <RecordPaymentTrigger paidFor={{ familyId: 3 }}>
      {(open) => (
        <button type="button" onClick={open}>
          Money came
        </button>
      )}
    </RecordPaymentTrigger>,
  );
  await app.user.click(screen.getByRole('button', { name: 'Money came' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record payment' }));
  const save = () => app.user.click(dialog.getByRole('button', { name: 'Record payment' }));
  return { ...app, server, dialog, save };
}

async function type(form: Awaited<ReturnType<typeof openForm>>, text: string) {
  const amount = await form.dialog.findByLabelText(/^Amount/);
  await form.user.clear(amount);
  if (text) await form.user.type(amount, text);
  return amount;
}

test('[PROD-07] a payment is recorded as it is proposed: balance, last method, today', async () => {
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
  expect(form.server.last(START)?.address).toBe('/api/payments/start?familyId=3');
});

test('which lessons it covers follows the amount while it is typed', async () => {
  const form = await openForm();
  await type(form, '65');
  const preview = form.dialog.getByRole('status');
  expect(preview.textContent).toBe('Covers 2 lessonsMaya, Tue 3 Nov£35Leo, Thu 5 Nov£30 of £35');
  await type(form, '75,50');
  expect(form.dialog.getByRole('status').textContent).toBe(
    'Covers 2 lessonsMaya, Tue 3 Nov£35.00Leo, Thu 5 Nov£35.00£5.50 stays as credit',
  );
  await type(form, '');
  expect(form.dialog.queryByRole('status')).toBeNull();
});

test('an amount that is none is refused at its field, without a call', async () => {
  const form = await openForm();
  const amount = await type(form, '35.505');
  await form.save();
  expect(await form.dialog.findByText('Please enter an amount')).toBeTruthy();
  expect(document.activeElement).toBe(amount);
  expect(form.server.count(POST)).toBe(0);
});

test('Undo takes the payment back, once', async () => {
  const form = await openForm();
  await form.dialog.findByLabelText(/^Amount/);
  await form.save();
  await form.user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Taken back')).toBeTruthy();
  expect(form.server.count('POST /api/payments/21/reverse')).toBe(1);
});

test('a payment that got no answer keeps its name when it is sent again', async () => {
  const form = await openForm(paymentStart(), { [POST]: () => Promise.reject(new TypeError()) });
  await form.dialog.findByLabelText(/^Amount/);
  const names: (string | null)[] = [];
  for (const tries of [1, 2]) {
    await form.save();
    await vi.waitFor(() => expect(form.server.count(POST)).toBe(tries));
    names.push(new Headers(form.server.last(POST)?.init.headers).get('Idempotency-Key'));
    await screen.findByText('Failed to record the payment. Please try again.');
  }
  expect(names[0]).toBe(names[1]);
  await type(form, '20');
  await form.save();
  await vi.waitFor(() => expect(form.server.count(POST)).toBe(3));
  const name = new Headers(form.server.last(POST)?.init.headers).get('Idempotency-Key');
  expect(name).not.toBe(names[0]);
});

test('while it is saved, it cannot be sent a second time', async () => {
  const answer = deferredReply();
  const form = await openForm(paymentStart(), { [POST]: answer.answer });
  await form.dialog.findByLabelText(/^Amount/);
  await form.save();
  const busy = await form.dialog.findByRole<HTMLButtonElement>('button', { name: 'Saving...' });
  expect(busy.disabled).toBe(true);
});

test('the refusal of a field stands at the field', async () => {
  const message = 'Please choose the currency of the lessons';
  const form = await openForm(
    paymentStart({
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

test('with two currencies each has its own amount and lessons', async () => {
  const form = await openForm(
    paymentStart({
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

test('opened for one lesson, all that is owed is one tap away', async () => {
  const form = await openForm(paymentStart({ preselectedChargeIds: [2] }));
  const amount = await form.dialog.findByLabelText<HTMLInputElement>(/^Amount/);
  expect(amount.value).toBe('35');
  expect(form.dialog.getByRole('status').textContent).toContain('Leo, Thu 5 Nov');
  await form.user.click(form.dialog.getByRole('button', { name: '£70 all that is owed' }));
  expect(amount.value).toBe('70');
});

test('what is owed and cannot be loaded offers another try', async () => {
  const form = await openForm(paymentStart(), { [START]: () => json(500, {}) });
  const retry = await form.dialog.findByRole('button', { name: 'Try again' });
  form.server.answers[START] = () => json(200, paymentStart());
  await form.user.click(retry);
  expect(await form.dialog.findByLabelText(/^Amount/)).toBeTruthy();
});
