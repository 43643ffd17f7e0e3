import type { FamilyDetails } from '@lessonbook/contract/families';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { familyDetails, ledgerEntry, paymentDetails } from '../test/family-fixtures.ts';
import { message, preview } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const GET = 'GET /api/families/3';

const lesson = ledgerEntry({ key: 'c1', amount: 3500, balance: 3500 });
const payment = ledgerEntry({
  key: 'p21',
  kind: 'payment',
  date: '2026-11-14',
  description: 'Payment',
  studentName: null,
  amount: -7000,
  balance: -500,
  chargeId: null,
  sessionId: null,
  paymentId: 21,
  method: 'bank_transfer',
});

async function openFamily(
  change: Partial<FamilyDetails> = {},
  answers: Parameters<typeof mockApi>[0] = {},
  search = '',
) {
  const account = familyDetails({ entries: [payment, lesson], entryCount: 2, ...change });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(200, account),
    'GET /api/payments/21': () => json(200, paymentDetails()),
    ...answers,
  });
  const app = renderApp(`/families/3${search}`);
  await screen.findByRole('heading', { name: 'Ruth Hale' });
  return { ...app, server };
}

const account = () => within(screen.getByRole('region', { name: 'Account' }));

test('the head: children, how to reach them, one figure, two buttons', async () => {
  await openFamily();
  expect(screen.getByText('Maya Hale and Leo Hale')).toBeTruthy();
  expect(screen.getByText('Owes £65')).toBeTruthy();
  expect(screen.getByText('Maya £35, Leo £30')).toBeTruthy();
  const address = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(address('Write to Ruth Hale')).toBe('mailto:ruth@hale.example');
  expect(address('Call Ruth Hale')).toBe('tel:+447700900001');
  expect(address('Invoice')).toBe('/invoices?family=3');
});

test('[PROD-08] one figure for each currency, and credit is never a minus', async () => {
  await openFamily({
    balances: [
      { currency: 'EUR', owed: 0, credit: 500 },
      { currency: 'GBP', owed: 6500, credit: 0 },
    ],
  });
  expect(screen.getByText('Owes £65')).toBeTruthy();
  expect(screen.getByText('In credit €5')).toBeTruthy();
});

test('lines say what, which child, when, how much and what was owed then', async () => {
  await openFamily();
  const [first, second] = account().getAllByRole('listitem');
  expect(first?.textContent).toBe('Payment, bank transferSat 14 Nov£70£5 in credit');
  expect(second?.textContent).toBe('Maths lesson, MayaTue 3 Nov£35£35 owed');
  const link = within(second as HTMLElement).getByRole('link');
  expect(link.getAttribute('href')).toBe('/sessions/11');
});

test('what was taken back folds into one line that can be unfolded', async () => {
  const gone = { ...lesson, reversed: true };
  const takenBack = ledgerEntry({
    key: 'c2',
    kind: 'reversal',
    date: '2026-11-06',
    description: 'Taken back, Maths',
    amount: -3500,
    balance: 0,
    reversed: true,
    reverses: 'c1',
  });
  const { user } = await openFamily({ entries: [takenBack, gone], entryCount: 2 });
  const fold = account().getByRole('button', { expanded: false });
  expect(fold.textContent).toBe('Maths lesson, MayaTaken back Fri 6 Nov£35');
  expect(account().queryAllByRole('link')).toHaveLength(0);
  await user.click(fold);
  expect(account().getAllByRole('link')).toHaveLength(2);
});

test('Show more asks for the next page', async () => {
  const page = (offset: number) =>
    familyDetails({ entries: [ledgerEntry({ key: `c${offset}` })], entryCount: 51 });
  const { user, server } = await openFamily(
    {},
    { [GET]: ({ address }) => json(200, page(address.includes('offset=50') ? 50 : 0)) },
  );
  await user.click(account().getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(account().getAllByRole('listitem')).toHaveLength(2));
  expect(server.last(GET)?.address).toBe('/api/families/3?limit=50&offset=50');
});

test('a payment opens above its account, and can be taken back with its consequences in view', async () => {
  const reverse = 'POST /api/payments/21/reverse';
  const { user, server } = await openFamily(
    {},
    {
      [reverse]: () => json(200, paymentDetails({ status: 'reversed' })),
    },
  );
  await user.click(account().getByRole('link', { name: /^Payment/ }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Payment' }));
  expect(await sheet.findByText('£5 unused')).toBeTruthy();
  const link = sheet.getByRole('link', { name: 'Maya, Tue 3 Nov' });
  expect(link.getAttribute('href')).toBe('/sessions/11');
  await user.click(sheet.getByRole('button', { name: 'Take back' }));
  expect(sheet.getByRole('status').textContent).toContain('2 lessons are unpaid again.');
  await user.click(sheet.getByRole('button', { name: 'Take back £70' }));
  await vi.waitFor(() => expect(server.count(reverse)).toBe(1));
  expect(new Headers(server.last(reverse)?.init.headers).get('Idempotency-Key')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refund is a part of what is left, and cannot be more', async () => {
  const refund = 'POST /api/payments/21/refund';
  const words = 'That is more than is left of this payment';
  const { user, server } = await openFamily(
    {},
    { [refund]: () => json(400, { code: 'invalid', message: words, fields: { amount: words } }) },
    '?payment=21',
  );
  const sheet = within(await screen.findByRole('dialog'));
  await user.click(await sheet.findByRole('button', { name: 'Refund' }));
  const amount = sheet.getByLabelText<HTMLInputElement>(/^Amount/);
  expect(amount.value).toBe('70');
  await user.clear(amount);
  await user.type(amount, '80{Enter}');
  expect(await sheet.findByText(words)).toBeTruthy();
  expect(server.last(refund)?.body).toEqual({ amount: 8000, date: '2026-11-15', note: '' });
});

test('a card payment goes back to the card, on its way until the provider has done it', async () => {
  const card = paymentDetails({ method: 'card' });
  const asked = paymentDetails({ method: 'card', refundsWaiting: 2000 });
  let stands = card;
  let revision = 1;
  const { user, server } = await openFamily(
    {},
    {
      'GET /api/me': () => json(200, { ...ada, revision }),
      'GET /api/payments/21': () => json(200, stands),
      'POST /api/payments/21/refund': () => {
        stands = asked;
        return json(201, asked);
      },
    },
    '?payment=21',
  );
  const sheet = within(await screen.findByRole('dialog'));
  expect(await sheet.findByText('Card')).toBeTruthy();
  expect(sheet.queryByRole('button', { name: 'Take back' })).toBeNull();
  await user.click(sheet.getByRole('button', { name: 'Refund' }));
  expect(sheet.getByText('The money goes back to the card. That may take some days.')).toBeTruthy();
  // The provider says on which day.
  expect(sheet.queryByText('Date')).toBeNull();
  const amount = sheet.getByLabelText(/^Amount/);
  await user.clear(amount);
  await user.type(amount, '20');
  await user.click(sheet.getByRole('button', { name: 'Refund £20' }));
  expect(server.last('POST /api/payments/21/refund')?.body).toMatchObject({ amount: 2000 });
  expect(await sheet.findByText('£20.00 is on its way back')).toBeTruthy();
  expect(await screen.findByText('Refund asked for')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  // Done: the book's revision has risen.
  stands = paymentDetails({
    method: 'card',
    refunded: 2000,
    refunds: [{ id: 30, amount: -2000, date: '2026-11-15' }],
  });
  revision = 2;
  expect(await sheet.findByText('£20 on Sun 15 Nov')).toBeTruthy();
  expect(sheet.queryByText('£20.00 is on its way back')).toBeNull();
  expect(sheet.queryByRole('button', { name: /^Take back/ })).toBeNull();
});

test('a refunded payment offers its refunds to take back, and not itself', async () => {
  const details = paymentDetails({
    refunded: 2000,
    refunds: [{ id: 30, amount: -2000, date: '2026-11-15' }],
  });
  const reverse = 'POST /api/payments/30/reverse';
  const { user, server } = await openFamily(
    {},
    {
      'GET /api/payments/21': () => json(200, details),
      [reverse]: () => json(200, paymentDetails()),
    },
    '?payment=21',
  );
  const sheet = within(await screen.findByRole('dialog'));
  const takeBack = await sheet.findAllByRole('button', { name: /^Take back/ });
  expect(takeBack).toHaveLength(1);
  await user.click(takeBack[0] as HTMLElement);
  await user.click(sheet.getByRole('button', { name: 'Take back £20' }));
  await vi.waitFor(() => expect(server.count(reverse)).toBe(1));
});

test('a payer who says that it was transferred: recorded or dismissed', async () => {
  const dismiss = 'DELETE /api/families/3/claim';
  const { user, server } = await openFamily(
    { claim: { amount: 6500, currency: 'GBP', on: '2026-11-14' } },
    { [dismiss]: () => json(200, { message: 'Set aside' }) },
  );
  expect(screen.getByText('Says it was transferred on Sat 14 Nov')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Record £65' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await vi.waitFor(() => expect(server.count(dismiss)).toBe(1));
  await vi.waitFor(() => expect(server.count(GET)).toBe(2));
});

test('an opening balance in credit is sent as a negative amount, and can be taken back', async () => {
  const post = 'POST /api/families/3/opening-balance';
  const { user, server } = await openFamily({}, { [post]: () => json(201, { balances: [] }) });
  await user.click(screen.getByRole('button', { name: 'More about this account' }));
  await user.click(await screen.findByText('Opening balance'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Opening balance' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Please enter an amount')).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: 'In credit' }));
  await user.type(dialog.getByLabelText(/^Amount/), '12.50');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(server.last(post)?.body).toEqual({ amount: -1250, currency: 'GBP', date: '2026-11-15' }),
  );
});

test('an opening balance that was a mistake is taken back from its line', async () => {
  const opening = ledgerEntry({
    key: 'c9',
    kind: 'opening',
    description: 'Opening balance',
    studentName: null,
    chargeId: 9,
    sessionId: null,
  });
  const reverse = 'POST /api/families/3/charges/9/reverse';
  const { user, server } = await openFamily(
    { entries: [opening], entryCount: 1 },
    { [reverse]: () => json(200, { balances: [] }) },
  );
  await user.click(account().getByRole('button', { name: /^Opening balance/ }));
  const sheet = within(await screen.findByRole('dialog'));
  await user.click(sheet.getByRole('button', { name: 'Take back' }));
  await vi.waitFor(() => expect(server.count(reverse)).toBe(1));
});

test('address and reference are saved; a refusal stands at its field', async () => {
  const put = 'PUT /api/families/3';
  const { user, server } = await openFamily({}, { [put]: ({ body }) => json(200, body) });
  await user.click(screen.getByRole('button', { name: 'More about this account' }));
  await user.click(await screen.findByText('Address and reference'));
  const sheet = within(await screen.findByRole('dialog'));
  const reference = sheet.getByLabelText(/^Payment reference/);
  await user.clear(reference);
  await user.type(reference, 'Hale & co');
  await user.click(sheet.getByRole('button', { name: 'Save Changes' }));
  expect(await sheet.findByText('Letters, digits, spaces, dots and dashes only')).toBeTruthy();
  await user.clear(reference);
  await user.type(reference, 'HALE{Enter}');
  await vi.waitFor(() =>
    expect(server.last(put)?.body).toEqual({ address: '', reference: 'HALE' }),
  );
});

test('an account that is not there, and one that could not be loaded', async () => {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(500, {}),
  });
  const { user } = renderApp('/families/3');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.answers[GET] = () => json(404, { code: 'not_found', message: 'Not in your book.' });
  await user.click(retry);
  expect(await screen.findByText('Family not found')).toBeTruthy();
});

test('a payment offers its receipt, whose words can be changed, and a refusal is said in words', async () => {
  const receipt = preview({ subject: 'Thank you for £65.00', text: 'Hello Ruth' });
  const words = 'Ruth Hale has no e-mail address yet. Please add one.';
  const SEND = 'POST /api/payments/21/receipt';
  const { user, server } = await openFamily(
    {},
    {
      'POST /api/payments/21/receipt/preview': () => json(200, receipt),
      [SEND]: () => json(409, { code: 'conflict', message: words }),
    },
    '?payment=21',
  );
  await user.click(await screen.findByRole('button', { name: 'Send receipt' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Send receipt' }));
  await user.type(await sheet.findByDisplayValue('Hello Ruth'), ', thank you.');
  const send = sheet.getByRole('button', { name: 'Send receipt' });
  await user.click(send);
  expect(await screen.findByText(words)).toBeTruthy();
  const sent = message({ kind: 'receipt', channel: 'email', state: 'waiting' });
  server.answers[SEND] = () => json(201, { messages: [sent] });
  await user.click(send);
  expect(await screen.findByText('E-mail on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toEqual({
    channel: 'email',
    subject: 'Thank you for £65.00',
    text: 'Hello Ruth, thank you.',
  });
});

test('whoever owes can be reminded from the account, whoever does not cannot', async () => {
  const { user } = await openFamily(
    {},
    { 'POST /api/reminders/preview': () => json(200, preview()) },
  );
  await user.click(screen.getByRole('button', { name: 'Remind' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Send reminder' }));
  expect(await sheet.findByDisplayValue(preview().subject)).toBeTruthy();
  cleanup();
  await openFamily({ balances: [{ currency: 'GBP', owed: 0, credit: 0 }] });
  expect(screen.queryByRole('button', { name: 'Remind' })).toBeNull();
});
