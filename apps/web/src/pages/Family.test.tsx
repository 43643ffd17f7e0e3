import type { FamilyDetails } from '@lessonbook/contract/families';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { familyDetails, ledgerEntry, paymentDetails } from '../test/family-and-payment-fixtures.ts';
import { message, messagePreview } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const GET = 'GET /api/families/3';
const REMINDERS = 'GET /api/families/3/reminders';

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
  overrides: Partial<FamilyDetails> = {},
  handlers: Parameters<typeof mockApi>[0] = {},
  search = '',
) {
  const account = familyDetails({ entries: [payment, lesson], entryCount: 2, ...overrides });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(200, account),
    'GET /api/payments/21': () => json(200, paymentDetails()),
    [REMINDERS]: () => json(200, { stoppedKinds: [], hasStoppedWhatsApp: false }),
    ...handlers,
  });
  const app = renderApp(`/families/3${search}`);
  await screen.findByRole('heading', { name: 'Ruth Hale' });
  return { ...app, server };
}

const account = () => within(screen.getByRole('tabpanel', { name: 'Account' }));

test('F133 the summary shows the children, contact links, and the balance with each share', async () => {
  await openFamily();
  expect(screen.getByText('£65 due')).toBeTruthy();
  expect(screen.getByText('£35 overdue by 12 days')).toBeTruthy();
  expect(screen.getByText('Maya £35, Leo £30')).toBeTruthy();
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(hrefOf('Maya Hale')).toBe('/students/1');
  expect(hrefOf('Email Ruth Hale')).toBe('mailto:ruth@hale.example');
  expect(hrefOf('Call Ruth Hale')).toBe('tel:+447700900001');
});

test('a student who pays for themselves is not named twice', async () => {
  const self = { id: 1, name: 'Ruth Hale', isCurrent: true, balances: [] };
  await openFamily({ carerId: null, studentId: 1, students: ['Ruth Hale'], children: [self] });
  const link = screen.getByRole('link', { name: 'Pays for their own lessons' });
  expect(link.getAttribute('href')).toBe('/students/1');
  expect(link.parentElement?.parentElement?.textContent).toBe('Pays for their own lessons');
});

test('the selected tab is in the URL, and the arrow keys move between the tabs', async () => {
  const invoice = {
    id: 8,
    kind: 'invoice',
    number: 'MT-0231',
    state: 'overdue',
    familyId: 3,
    familyName: 'Ruth Hale',
    students: ['Maya'],
    currency: 'GBP',
    total: 14_600,
    due: 14_600,
    onHold: 0,
    holdReason: null,
    issuedOn: '2026-11-02',
    dueOn: '2026-11-09',
    lineCount: 4,
    token: 'token',
  };
  const { user, search } = await openFamily(
    {},
    { 'GET /api/invoices': () => json(200, [invoice]) },
  );
  screen.getByRole('tab', { name: 'Account' }).focus();
  await user.keyboard('{ArrowRight}{Enter}');
  expect(search()).toEqual({ tab: 'invoices' });
  const link = await screen.findByRole('link', { name: /MT-0231/ });
  expect(link.textContent).toBe('MT-0231Mon 2 Nov, due Mon 9 NovOverdue£146');
  expect(link.getAttribute('href')).toBe('/invoices/8');
});

test('the people in the family are shown with what each of them receives', async () => {
  const { people } = familyDetails();
  const ann = {
    contactId: 8,
    name: 'Ann Frost',
    relationship: null,
    email: null,
    phone: null,
    familyId: 12,
    mainContactOf: [],
  };
  await openFamily({ people: [...people, ann] }, {}, '?tab=people');
  const [ruth, other] = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(ruth).toContain(
    "Receives invoices, payment reminders and messages about Leo's and Maya's lessons",
  );
  expect(other).toContain('Receives no messages');
  const accountLink = screen.getByRole('link', { name: "Ann's account" });
  expect(accountLink.getAttribute('href')).toBe('/families/12');
});

test('F74 the account shows which reminders the family has stopped', async () => {
  await openFamily(
    {},
    {
      [REMINDERS]: () =>
        json(200, { stoppedKinds: ['payment_reminder'], hasStoppedWhatsApp: true }),
    },
  );
  expect(
    await screen.findByText(
      'Ruth has unsubscribed from payment reminders and WhatsApp reminders. Invoices and changes to lessons are still sent.',
    ),
  ).toBeTruthy();
});

test('[PROD-08] shows one balance per currency, and credit without a minus sign', async () => {
  await openFamily({
    balances: [
      { currency: 'EUR', owed: 0, credit: 500 },
      { currency: 'GBP', owed: 6500, credit: 0 },
    ],
  });
  expect(screen.getByText('£65 due')).toBeTruthy();
  expect(screen.getByText('€5 in credit')).toBeTruthy();
});

test('ledger lines show the description, child, date, amount and balance', async () => {
  await openFamily();
  const [first, second] = account().getAllByRole('listitem');
  expect(first?.textContent).toBe('14 NovPayment, bank transfer£70£5 in credit');
  expect(second?.textContent).toBe('3 NovMaths lesson, Maya£35£35 due');
  const link = within(second as HTMLElement).getByRole('link');
  expect(link.getAttribute('href')).toBe('/sessions/11');
});

test('a reversed entry is collapsed into one line that can be expanded', async () => {
  const reversed = { ...lesson, reversed: true };
  const reversal = ledgerEntry({
    key: 'c2',
    kind: 'reversal',
    date: '2026-11-06',
    description: 'Reversed, Maths',
    amount: -3500,
    balance: 0,
    reversed: true,
    reverses: 'c1',
  });
  const { user } = await openFamily({ entries: [reversal, reversed], entryCount: 2 });
  const toggle = account().getByRole('button', { expanded: false });
  expect(toggle.textContent).toBe('3 NovMaths lesson, MayaReversed Fri 6 Nov£35');
  expect(account().queryAllByRole('link')).toHaveLength(0);
  await user.click(toggle);
  expect(account().getAllByRole('link')).toHaveLength(2);
});

test('Show more requests the next page', async () => {
  const page = (offset: number) =>
    familyDetails({ entries: [ledgerEntry({ key: `c${offset}` })], entryCount: 51 });
  const { user, server } = await openFamily(
    {},
    { [GET]: ({ url }) => json(200, page(url.includes('offset=50') ? 50 : 0)) },
  );
  await user.click(account().getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(account().getAllByRole('listitem')).toHaveLength(2));
  expect(server.last(GET)?.url).toBe('/api/families/3?limit=50&offset=50');
});

test('a payment opens in a modal and can be reversed after its impact is shown', async () => {
  const reverse = 'POST /api/payments/21/reverse';
  const { user, server } = await openFamily(
    {},
    {
      [reverse]: () => json(200, paymentDetails({ status: 'reversed' })),
    },
  );
  await user.click(account().getByRole('link', { name: /Payment/ }));
  const modal = within(await screen.findByRole('dialog', { name: 'Payment' }));
  expect(await modal.findByText('£5 unused')).toBeTruthy();
  const link = modal.getByRole('link', { name: 'Maya, Tue 3 Nov' });
  expect(link.getAttribute('href')).toBe('/sessions/11');
  await user.click(modal.getByRole('button', { name: 'Reverse payment' }));
  expect(modal.getByRole('status').textContent).toContain('2 lessons will become unpaid.');
  await user.click(modal.getByRole('button', { name: 'Reverse £70' }));
  await vi.waitFor(() => expect(server.count(reverse)).toBe(1));
  expect(new Headers(server.last(reverse)?.init.headers).get('Idempotency-Key')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refund cannot exceed the remaining amount of the payment', async () => {
  const refund = 'POST /api/payments/21/refund';
  const errorText = "That's more than is left of this payment";
  const { user, server } = await openFamily(
    {},
    {
      [refund]: () =>
        json(400, { code: 'invalid', message: errorText, fields: { amount: errorText } }),
    },
    '?payment=21',
  );
  const modal = within(await screen.findByRole('dialog'));
  await user.click(await modal.findByRole('button', { name: 'Refund' }));
  const amount = modal.getByLabelText<HTMLInputElement>(/^Amount/);
  expect(amount.value).toBe('70');
  expect(modal.getByRole('status').textContent).toContain(
    "This only records the refund. If you haven't already, return the money to Ruth Hale yourself.",
  );
  await user.clear(amount);
  await user.type(amount, '80{Enter}');
  expect(await modal.findByText(errorText)).toBeTruthy();
  expect(server.last(refund)?.body).toEqual({ amount: 8000, date: '2026-11-15', note: '' });
});

test('a card payment is refunded to the card and is pending until the provider confirms', async () => {
  const card = paymentDetails({ method: 'card' });
  const refunding = paymentDetails({ method: 'card', pendingRefundAmount: 2000 });
  let current = card;
  let revision = 1;
  const { user, server } = await openFamily(
    {},
    {
      'GET /api/me': () => json(200, { ...ada, revision }),
      'GET /api/payments/21': () => json(200, current),
      'POST /api/payments/21/refund': () => {
        current = refunding;
        return json(201, refunding);
      },
    },
    '?payment=21',
  );
  const modal = within(await screen.findByRole('dialog'));
  expect(await modal.findByText('Card')).toBeTruthy();
  expect(modal.queryByRole('button', { name: 'Reverse payment' })).toBeNull();
  await user.click(modal.getByRole('button', { name: 'Refund' }));
  expect(
    modal.getByText('Stripe will return the money to the card. This may take a few days.'),
  ).toBeTruthy();
  // The provider sets the date.
  expect(modal.queryByText('Date')).toBeNull();
  const amount = modal.getByLabelText(/^Amount/);
  await user.clear(amount);
  await user.type(amount, '20');
  await user.click(modal.getByRole('button', { name: 'Refund £20' }));
  expect(server.last('POST /api/payments/21/refund')?.body).toMatchObject({ amount: 2000 });
  expect(await modal.findByText('£20.00 is on its way back')).toBeTruthy();
  expect(await screen.findByText('Refund requested')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  // The provider has confirmed the refund, which increases the tutor's revision.
  current = paymentDetails({
    method: 'card',
    refunded: 2000,
    refunds: [{ id: 30, kind: 'refund', amount: -2000, date: '2026-11-15' }],
  });
  revision = 2;
  expect(await modal.findByText('£20 refunded on Sun 15 Nov')).toBeTruthy();
  expect(modal.queryByText('£20.00 is on its way back')).toBeNull();
  expect(modal.queryByRole('button', { name: /^Reverse/ })).toBeNull();
});

test('a payment with refunds cannot be reversed, but its refunds can', async () => {
  const details = paymentDetails({
    refunded: 2000,
    refunds: [{ id: 30, kind: 'refund', amount: -2000, date: '2026-11-15' }],
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
  const modal = within(await screen.findByRole('dialog'));
  const reverseButtons = await modal.findAllByRole('button', { name: /^Reverse/ });
  expect(reverseButtons).toHaveLength(1);
  await user.click(reverseButtons[0] as HTMLElement);
  await user.click(modal.getByRole('button', { name: 'Reverse £20' }));
  await vi.waitFor(() => expect(server.count(reverse)).toBe(1));
});

test('a reported transfer can be recorded or dismissed', async () => {
  const dismiss = 'DELETE /api/families/3/claim';
  const { user, server } = await openFamily(
    { claim: { amount: 6500, currency: 'GBP', claimedOn: '2026-11-14' } },
    { [dismiss]: () => json(200, { message: 'Set aside' }) },
  );
  expect(screen.getByText('Ruth reported a bank transfer on Sat 14 Nov')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Record £65' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await vi.waitFor(() => expect(server.count(dismiss)).toBe(1));
  await vi.waitFor(() => expect(server.count(GET)).toBe(2));
});

test('an opening balance in credit is sent as a negative amount', async () => {
  const post = 'POST /api/families/3/opening-balance';
  const { user, server } = await openFamily({}, { [post]: () => json(201, { balances: [] }) });
  await user.click(screen.getByRole('button', { name: 'More actions for this account' }));
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

test('an opening balance can be reversed from its line', async () => {
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
  await user.click(account().getByRole('button', { name: /Opening balance/ }));
  const modal = within(await screen.findByRole('dialog'));
  await user.click(modal.getByRole('button', { name: 'Reverse' }));
  await vi.waitFor(() => expect(server.count(reverse)).toBe(1));
});

test('the address and reference are saved, and errors are shown next to their fields', async () => {
  const put = 'PUT /api/families/3';
  const { user, server } = await openFamily({}, { [put]: ({ body }) => json(200, body) });
  await user.click(screen.getByRole('button', { name: 'More actions for this account' }));
  await user.click(await screen.findByText('Address, reference and time zone'));
  const modal = within(await screen.findByRole('dialog'));
  const reference = modal.getByLabelText(/^Payment reference/);
  await user.clear(reference);
  await user.type(reference, 'Hale & co');
  await user.click(modal.getByRole('button', { name: 'Save Changes' }));
  expect(
    await modal.findByText('Letters, digits, spaces, full stops and hyphens only'),
  ).toBeTruthy();
  await user.clear(reference);
  await user.type(reference, 'HALE{Enter}');
  await vi.waitFor(() =>
    expect(server.last(put)?.body).toEqual({ address: '', reference: 'HALE', timeZone: '' }),
  );
});

test('an unknown account and a failed request show different messages', async () => {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(500, {}),
  });
  const { user } = renderApp('/families/3');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[GET] = () => json(404, { code: 'not_found', message: "We couldn't find that." });
  await user.click(retry);
  expect(await screen.findByText('Family not found')).toBeTruthy();
});

test('a receipt can be edited before sending, and an error message is shown', async () => {
  const receipt = messagePreview({ subject: 'Thank you for £65.00', text: 'Hello Ruth' });
  const errorText = 'Ruth Hale has no e-mail address yet. Please add one.';
  const SEND = 'POST /api/payments/21/receipt';
  const { user, server } = await openFamily(
    {},
    {
      'POST /api/payments/21/receipt/preview': () => json(200, receipt),
      [SEND]: () => json(409, { code: 'conflict', message: errorText }),
    },
    '?payment=21',
  );
  await user.click(await screen.findByRole('button', { name: 'Send receipt' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Send receipt' }));
  await user.type(await modal.findByDisplayValue('Hello Ruth'), ', thank you.');
  const send = modal.getByRole('button', { name: 'Send receipt' });
  await user.click(send);
  expect(await screen.findByText(errorText)).toBeTruthy();
  const sent = message({ kind: 'receipt', channel: 'email', state: 'waiting' });
  server.handlers[SEND] = () => json(201, { messages: [sent] });
  await user.click(send);
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toEqual({
    channel: 'email',
    subject: 'Thank you for £65.00',
    text: 'Hello Ruth, thank you.',
  });
});

test('a family can be sent a reminder from its account only if it owes money', async () => {
  const { user } = await openFamily(
    {},
    { 'POST /api/reminders/preview': () => json(200, messagePreview()) },
  );
  await user.click(screen.getByRole('button', { name: 'Remind' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Send reminder' }));
  expect(await modal.findByDisplayValue(messagePreview().subject)).toBeTruthy();
  cleanup();
  await openFamily({ balances: [{ currency: 'GBP', owed: 0, credit: 0 }] });
  expect(screen.queryByRole('button', { name: 'Remind' })).toBeNull();
});

test('F83 the payment link can be replaced after a confirmation', async () => {
  const { user, server } = await openFamily({}, {}, '?tab=ways-to-pay');
  server.handlers['POST /api/families/3/link/replace'] = () => {
    server.handlers[GET] = () => json(200, familyDetails({ payToken: 'b_new' }));
    return json(200, { payToken: 'b_new' });
  };
  await user.click(screen.getByRole('button', { name: 'Replace link' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Replace the link?' }));
  await user.click(dialog.getByRole('button', { name: 'Replace link' }));
  expect(await screen.findByText(/\/pay\/b_new$/)).toBeTruthy();
  expect(await screen.findByText('Link replaced')).toBeTruthy();
});

test('F77 the tutor is asked whether a refunded payment is still owed', async () => {
  const SETTLE = 'POST /api/payments/21/returned';
  const { user, server } = await openFamily(
    {
      returnedPayments: [
        {
          paymentId: 21,
          kind: 'refund',
          state: 'undecided',
          amount: 4200,
          currency: 'GBP',
          date: '2026-11-14',
        },
      ],
    },
    { [SETTLE]: () => json(200, paymentDetails()) },
  );
  expect(
    screen.getByText(/^Ruth Hale was refunded £42 in Stripe.*Is this amount still owed\?$/),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'No longer owed' }));
  await waitFor(() => expect(server.last(SETTLE)?.body).toEqual({ stillOwed: false }));
});

test('F77 a disputed payment is marked and needs no answer yet', async () => {
  await openFamily({
    returnedPayments: [
      {
        paymentId: 21,
        kind: 'dispute',
        state: 'disputed',
        amount: 4200,
        currency: 'GBP',
        date: '2026-11-14',
      },
    ],
  });
  expect(screen.getByText(/^Ruth Hale's bank disputed £42 on/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Still owed' })).toBeNull();
});
