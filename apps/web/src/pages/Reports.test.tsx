import type { Payment } from '@lessonbook/contract/payments';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { family, paymentDetails } from '../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const empty: EarningsReport = {
  period: 'last_month',
  from: '2026-10-01',
  to: '2026-10-31',
  totals: [],
  months: [],
  students: [],
  subjects: [],
};

const full: EarningsReport = {
  ...empty,
  totals: [
    {
      currency: 'GBP',
      net: 30000,
      received: 32000,
      refunded: 2000,
      payments: 4,
      previousNet: 18000,
    },
    { currency: 'EUR', net: 5000, received: 5000, refunded: 0, payments: 1, previousNet: 0 },
  ],
  months: [
    { month: '2026-09', currency: 'GBP', net: 18000 },
    { month: '2026-10', currency: 'GBP', net: 30000 },
    { month: '2026-10', currency: 'EUR', net: 5000 },
  ],
  students: [
    { id: 1, name: 'Maya Hale', currency: 'GBP', net: 30000 },
    { id: 9, name: 'Lena Vogt', currency: 'EUR', net: 5000 },
  ],
};

const {
  allocations: _allocations,
  credit: _credit,
  refunds: _refunds,
  balance: _balance,
  ...payment
} = paymentDetails({ paymentDate: '2026-10-14' });

function openReports(
  url: string,
  report: EarningsReport = empty,
  payments: Payment[] = [],
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/reports/earnings': () => json(200, report),
    'GET /api/payments': () => json(200, payments),
    ...handlers,
  });
  return { ...renderApp(url), server };
}

test('[REP-01, REP-03, REP-04, REP-06, REP-11] without payments it shows £0.00 for last month', async () => {
  const { server } = openReports('/reports');
  expect(await screen.findByRole('heading', { name: 'Tutor Earnings Report' })).toBeTruthy();
  expect(await screen.findByText('£0.00')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Total Earnings' })).toBeTruthy();
  expect(await screen.findByText('No payments found')).toBeTruthy();
  const period = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Period' });
  expect(period.selectedOptions[0]?.textContent).toBe('Last Month');
  expect(server.last('GET /api/payments')?.url).toContain('period=last_month');
});

test('[REP-02] all periods are offered, and the selected one is requested', async () => {
  const { user, server } = openReports('/reports');
  const period = await screen.findByRole('combobox', { name: 'Period' });
  const names = within(period)
    .getAllByRole('option')
    .map((option) => option.textContent);
  expect(names.slice(0, 4)).toEqual(['Last Month', 'Last Quarter', 'Year to Date', 'All Time']);
  expect(names.slice(4)).toEqual(['This Month', 'This tax year', 'Last tax year']);
  await user.selectOptions(period, 'Last Quarter');
  await screen.findByText('No payments found');
  expect(server.last('GET /api/payments')?.url).toContain('period=last_quarter');
});

test('an unknown period falls back to last month', async () => {
  const { server } = openReports('/reports?period=next_year');
  await screen.findByText('No payments found');
  expect(server.last('GET /api/payments')?.url).toContain('period=last_month');
});

test('[REP-11] shows one total per currency, with refunds listed separately', async () => {
  openReports('/reports', full);
  expect(await screen.findByText('£300.00')).toBeTruthy();
  expect(screen.getByText('€50.00')).toBeTruthy();
  expect(screen.getByText('Received £320.00, refunded £20.00')).toBeTruthy();
  expect(screen.getByText('£120.00 more than the month before')).toBeTruthy();
  expect(screen.queryByText(/350/)).toBeNull();
});

test('the tabs select the currency of the chart and the breakdown', async () => {
  const { user } = openReports('/reports', full);
  const chart = await screen.findByRole('table', { name: 'Earnings by month' });
  expect(within(chart).getByText('October 2026')).toBeTruthy();
  expect(screen.getByText('Maya Hale')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'EUR' }));
  expect(await screen.findByText('Lena Vogt')).toBeTruthy();
  expect(screen.queryByText('Maya Hale')).toBeNull();
});

test('[REP-05] a payment shows date, student and amount, and links to its payer', async () => {
  openReports('/reports', full, [payment]);
  const row = await screen.findByRole('link', { name: /Maya Hale and Leo Hale/ });
  expect(row.textContent).toContain('Wed 14 Oct, Ruth Hale');
  expect(row.textContent).toContain('£70');
  expect(row.getAttribute('href')).toBe('/families/3');
});

test('each section can fail and be retried separately', async () => {
  const { user, server } = openReports('/reports', empty, [payment], {
    'GET /api/reports/earnings': () => json(500, {}),
  });
  expect(await screen.findByText('Your earnings could not be loaded.')).toBeTruthy();
  expect(await screen.findByRole('link', { name: /Maya Hale/ })).toBeTruthy();
  server.handlers['GET /api/reports/earnings'] = () => json(200, empty);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('£0.00')).toBeTruthy();
});

test('[PROD-08] balances show the oldest debt first', async () => {
  openReports('/reports?show=owed', empty, [], {
    'GET /api/balances': () =>
      json(200, [
        family({ oldestDueDate: '2026-11-05' }),
        family({ id: 4, name: 'Omar Aziz', oldestDueDate: '2026-11-03' }),
      ]),
  });
  const rows = await screen.findAllByRole('link', { name: /Ruth Hale|Omar Aziz/ });
  expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/families/4', '/families/3']);
});

test('balances are listed by payer, with reported transfers', async () => {
  openReports('/reports?show=owed', empty, [], {
    'GET /api/balances': () =>
      json(200, [
        family({ claim: { amount: null, currency: null, claimedOn: '2026-11-14' } }),
        family({ id: 4, name: 'Omar Aziz', balances: [{ currency: 'GBP', owed: 0, credit: 500 }] }),
      ]),
  });
  const row = await screen.findByRole('link', { name: /Ruth Hale/ });
  expect(row.textContent).toContain('Maya and Leo, says it was transferred on Sat 14 Nov');
  expect(row.getAttribute('href')).toBe('/families/3');
  expect(screen.getByText('£65.00')).toBeTruthy();
  expect(screen.queryByText(/Omar/)).toBeNull();
});
