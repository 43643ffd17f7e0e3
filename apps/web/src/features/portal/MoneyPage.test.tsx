import type {
  PortalAccount,
  PortalInvoice,
  PortalMoney,
} from '@lessonbook/contract/portal-charges-and-invoices';
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { adaAsTutor, portalLogin } from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const PATH = '/family/c_ada_1234567/money';
const MONEY = 'GET /api/portal/tutors/c_ada_1234567/money';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

const invoice = (fields: Partial<PortalInvoice> = {}): PortalInvoice => ({
  id: 31,
  kind: 'invoice',
  number: 'MT-0231',
  issuedOn: '2026-11-14',
  dueOn: '2026-11-30',
  state: 'sent',
  currency: 'GBP',
  total: 14_600,
  due: 14_600,
  paidOn: null,
  ...fields,
});

const charge = (id: number, studentName: string, date: string, outstanding: number) => ({
  id,
  studentName,
  description: studentName === 'Maya' ? 'Maths lesson' : '11+ prep lesson',
  date,
  currency: 'GBP' as const,
  outstanding,
  dueOn: '2026-11-30',
});

const account = (fields: Partial<PortalAccount> = {}): PortalAccount => ({
  id: 7,
  payerName: null,
  balances: [{ currency: 'GBP', owed: 14_600, credit: 0 }],
  charges: [
    charge(1, 'Maya', '2026-11-03', 3800),
    charge(2, 'Maya', '2026-11-10', 3800),
    charge(3, 'Leo', '2026-11-04', 7000),
  ],
  onHold: [],
  plans: [],
  queries: [],
  payUrl: 'https://lessonbook.example/pay/b_token',
  acceptsCards: true,
  transferReportedOn: null,
  paidThisYear: [{ currency: 'GBP', amount: 25_400 }],
  invoices: [
    invoice(),
    invoice({ id: 18, number: 'MT-0218', state: 'paid', paidOn: '2026-11-06', total: 25_400 }),
  ],
  hasMoreInvoices: false,
  ...fields,
});

function openMoney(
  fields: Partial<PortalMoney> | PortalAccount[] = {},
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const money = Array.isArray(fields) ? { accounts: fields } : fields;
  const server = mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [MONEY]: () =>
      json(200, {
        tutorName: 'Ada Fenwick',
        today: '2026-11-17',
        accounts: [account()],
        ...money,
      }),
    ...handlers,
  });
  return { ...renderPortal(PATH), server };
}

test('shows what is due, for whom and by when, and links to the payment page', async () => {
  openMoney();
  expect(await screen.findByText('To pay by Mon 30 Nov')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'Money' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Money' }).getAttribute('aria-current')).toBe('page');
  const [due, invoices] = screen.getAllByRole('list') as [HTMLElement, HTMLElement];
  expect(
    within(due)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([
    'Maya, Maths lessonTue 3 Nov and Tue 10 Nov£76.00Query',
    'Leo, 11+ prep lessonWed 4 Nov£70.00Query',
  ]);
  expect(
    within(invoices)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([
    'MT-0231, November 2026Due Mon 30 Nov£146.00',
    'MT-0218, November 2026Paid Fri 6 Nov£254.00',
  ]);
  for (const name of ['Pay £146.00 by card', 'Pay by bank transfer'])
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(
      'https://lessonbook.example/pay/b_token',
    );
  expect(screen.getByRole('link', { name: 'Download MT-0231' }).getAttribute('href')).toBe(
    '/api/portal/tutors/c_ada_1234567/accounts/7/invoices/31/pdf',
  );
});

test('shows overdue amounts, credit, amounts on hold and a reported transfer', async () => {
  openMoney([
    account({
      balances: [
        { currency: 'GBP', owed: 3800, credit: 0 },
        { currency: 'EUR', owed: 0, credit: 2000 },
      ],
      charges: [{ ...charge(1, 'Maya', '2026-11-03', 3800), dueOn: '2026-11-10' }],
      onHold: [{ currency: 'GBP', amount: 1000, reason: 'dispute' }],
      acceptsCards: false,
      transferReportedOn: '2026-11-16',
    }),
  ]);
  expect(await screen.findByText('Was due Tue 10 Nov')).toBeTruthy();
  expect(screen.getByText(/You have €20.00 in credit/)).toBeTruthy();
  expect(screen.getByText(/£10.00 was disputed with the bank/)).toBeTruthy();
  expect(screen.getByText(/You said on Mon 16 Nov that you've sent a transfer/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Pay £38.00' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /card|transfer/ })).toBeNull();
});

test('says how much is overdue, how much is due later and how much is not invoiced yet', async () => {
  openMoney([
    account({
      balances: [{ currency: 'GBP', owed: 11_400, credit: 0 }],
      charges: [
        { ...charge(1, 'Maya', '2026-11-16', 3800), dueOn: null },
        { ...charge(2, 'Maya', '2026-11-03', 3800), dueOn: '2026-11-10' },
        { ...charge(3, 'Maya', '2026-11-09', 3800), dueOn: '2026-11-24' },
      ],
    }),
  ]);
  expect(await screen.findByRole('heading', { name: 'To pay' })).toBeTruthy();
  expect(
    screen.getByText(
      '£38.00 was due Tue 10 Nov. £38.00 is due Tue 24 Nov. £38.00 has not been invoiced yet.',
    ),
  ).toBeTruthy();
});

test('a person who does not pay sees who does, and no payment methods', async () => {
  openMoney([account({ payerName: 'Ruth', payUrl: null })]);
  expect(await screen.findByText('Ruth pays for these lessons.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
});

test('says when there is nothing to pay', async () => {
  openMoney([account({ balances: [], charges: [], invoices: [] })]);
  expect(await screen.findByRole('heading', { name: 'Nothing to pay' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Invoices and receipts' })).toBeNull();
});

test('says when there is no account to show', async () => {
  openMoney([]);
  expect(await screen.findByText(/There are no invoices or payments to show/)).toBeTruthy();
});

test('earlier invoices are added on request', async () => {
  openMoney([account({ hasMoreInvoices: true })], {
    'GET /api/portal/tutors/c_ada_1234567/accounts/7/invoices': () =>
      json(200, {
        invoices: [invoice({ id: 3, number: 'MT-0003', issuedOn: '2025-01-14' })],
        hasMore: false,
      }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show earlier invoices' }));
  expect(await screen.findByText('MT-0003, January 2025')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show earlier invoices' })).toBeNull();
});

test('a statement needs a valid period', async () => {
  openMoney();
  const link = await screen.findByRole('link', { name: 'Download statement' });
  expect(link.getAttribute('href')).toBe(
    '/api/portal/tutors/c_ada_1234567/accounts/7/statement?from=2026-01-01&to=2026-11-17',
  );
  expect(screen.getByText('Paid in 2026:').textContent).toBe('Paid in 2026: £254.00');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-12-01' } });
  expect(screen.queryByRole('link', { name: 'Download statement' })).toBeNull();
  expect(screen.getByRole('alert').textContent).toContain("an end date that isn't before it");
});

test('the page is not available to a person who may not see payments', async () => {
  openMoney(
    {},
    {
      'GET /api/portal/login': () =>
        json(200, portalLogin({ tutors: [{ ...adaAsTutor, seesMoney: false }] })),
      'GET /api/portal/tutors/c_ada_1234567/lessons': () => json(404, {}),
    },
  );
  expect(await screen.findByRole('heading', { name: 'Next lessons' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Money' })).toBeNull();
});

test('explains that access has ended', async () => {
  openMoney({}, { [MONEY]: () => json(404, { code: 'not_found', message: 'Not found' }) });
  expect(await screen.findByText(/no longer shares this with you/)).toBeTruthy();
});

test('a question about a charge is sent, and then shown with its answer', async () => {
  const QUERY = 'POST /api/portal/tutors/c_ada_1234567/accounts/7/queries';
  const { user, server } = openMoney({}, { [QUERY]: () => json(200, { id: 1 }) });
  await user.click(await screen.findByRole('button', { name: 'Query Maya, Maths lesson' }));
  const sheet = screen.getByRole('dialog', { name: 'Query a charge' });
  await user.click(within(sheet).getByRole('button', { name: 'Send question' }));
  expect(within(sheet).getByRole('alert').textContent).toBe('Please write your question.');
  await user.click(within(sheet).getByRole('radio', { name: /Tue 10 Nov/ }));
  await user.type(within(sheet).getByRole('textbox'), 'Maya was ill.');
  const query = {
    id: 1,
    studentName: 'Maya',
    description: 'Maths lesson',
    date: '2026-11-10',
    status: 'open' as const,
    isOwed: null,
    isOwn: true,
    message: 'Maya was ill.',
    answer: null,
  };
  server.handlers[MONEY] = () =>
    json(200, {
      tutorName: 'Ada Fenwick',
      today: '2026-11-17',
      accounts: [account({ queries: [query] })],
    });
  await user.click(within(sheet).getByRole('button', { name: 'Send question' }));
  expect(await screen.findByText(/^You have asked about this/)).toBeTruthy();
  expect(server.last(QUERY)?.body).toEqual({ chargeId: 2, message: 'Maya was ill.' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Withdraw question' })).toBeTruthy();
});
