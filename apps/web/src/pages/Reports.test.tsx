import type { ListedPayment } from '@lessonbook/contract/payments';
import type { EarningsReport, LessonReport } from '@lessonbook/contract/reports';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { family, paymentDetails } from '../test/family-and-payment-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const empty: EarningsReport = {
  period: 'last_month',
  from: '2026-10-01',
  to: '2026-10-31',
  student: null,
  subject: null,
  booked: { lessons: 0, minutes: 0, fees: [] },
  writtenOff: [],
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
  ...listedFields
} = paymentDetails({ paymentDate: '2026-10-14' });
const payment: ListedPayment = { ...listedFields, share: null };

function openReports(
  url: string,
  report: EarningsReport = empty,
  payments: ListedPayment[] = [],
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
  expect(names.slice(4)).toEqual([
    'This month',
    'Next month',
    'This tax year',
    'Last tax year',
    'Custom dates',
  ]);
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

test('F143 clicking a student’s name limits the report to that student and their part of each payment', async () => {
  const { user, server, pathname, search } = openReports('/reports', full, [payment]);
  server.handlers['GET /api/reports/earnings'] = ({ url }) =>
    json(
      200,
      url.includes('studentId') ? { ...full, student: { id: 1, name: 'Maya Hale' } } : full,
    );
  server.handlers['GET /api/payments'] = ({ url }) =>
    json(200, [{ ...payment, share: url.includes('studentId') ? 3500 : null }]);
  const byStudent = await screen.findByRole('region', { name: 'By student' });
  await user.click(within(byStudent).getByRole('link', { name: 'Maya Hale' }));
  expect(search()).toEqual({ student: 1 });
  const row = await screen.findByRole('link', { name: /Maya Hale and Leo Hale.*£35 of £70/ });
  expect(row).toBeTruthy();
  expect(server.last('GET /api/payments')?.url).toContain('studentId=1');
  expect(screen.queryByRole('region', { name: 'By student' })).toBeNull();
  const student = screen.getByRole('link', { name: 'Maya Hale' });
  expect(student.getAttribute('href')).toBe('/students/1');
  await user.click(screen.getByRole('link', { name: 'Show everything' }));
  expect(await screen.findByRole('region', { name: 'By student' })).toBeTruthy();
  expect([pathname(), search()]).toEqual(['/reports', {}]);
});

test('F143 the forecast is shown separately from the total', async () => {
  const fees = [
    { currency: 'GBP', amount: 36000 },
    { currency: 'EUR', amount: 4000 },
  ] as const;
  openReports('/reports?period=this_month', {
    ...full,
    booked: { lessons: 10, minutes: 630, fees: [...fees] },
  });
  const forecast = await screen.findByText(/Still booked in this period/);
  expect(forecast.textContent).toContain('10 lessons, 10 hrs 30 mins, £360.00 and €40.00');
});

test('F143 custom dates can be chosen', async () => {
  const { user, server, search } = openReports('/reports', empty);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Period' }), 'Custom dates');
  const first = await screen.findByRole('textbox', { name: 'First day' });
  await user.clear(first);
  await user.type(first, '7 Sep 2026{Enter}');
  await vi.waitFor(() =>
    expect(search()).toEqual({ period: 'custom', from: '2026-09-07', to: '2026-10-31' }),
  );
  expect(await screen.findByText('7 Sep 2026 to 31 Oct 2026')).toBeTruthy();
  expect(server.last('GET /api/payments')?.url).toContain('from=2026-09-07&to=2026-10-31');
});

test('F143 custom dates that are missing or in the wrong order fall back to last month', async () => {
  const { server } = openReports('/reports?period=custom&from=2026-11-02&to=2026-11-01');
  await screen.findByText('No payments found');
  expect(server.last('GET /api/payments')?.url).toContain('period=last_month');
});

const lessonReport: LessonReport = {
  period: 'last_month',
  from: '2026-10-01',
  to: '2026-10-31',
  student: null,
  subject: null,
  taught: { lessons: 9, minutes: 570, previousMinutes: 600 },
  booked: { lessons: 2, minutes: 120, fees: [{ currency: 'GBP', amount: 7000 }] },
  toComplete: 1,
  charged: [
    { currency: 'GBP', amount: 31500 },
    { currency: 'EUR', amount: 4000 },
  ],
  attendance: { attended: 7, late: 1, absent: 1, cancelled: 2 },
  months: [{ month: '2026-10', lessons: 9, minutes: 570, bookedMinutes: 120 }],
  students: [
    {
      id: 1,
      name: 'Maya Hale',
      lessons: 9,
      minutes: 570,
      bookedMinutes: 120,
      attended: 7,
      late: 1,
      absent: 1,
      cancelled: 2,
    },
  ],
  subjects: [{ id: 1, name: 'Maths', lessons: 9, minutes: 570, bookedMinutes: 120 }],
};

const openLessons = (sessions: unknown[] = []) =>
  openReports('/reports?show=lessons', empty, [], {
    'GET /api/reports/lessons': () => json(200, lessonReport),
    'GET /api/reports/lessons/sessions': () => json(200, sessions),
  });

test('F143 shows the hours, charges, forecast and attendance of the lessons', async () => {
  openLessons();
  expect(await screen.findByText('Hours taught')).toBeTruthy();
  expect(screen.getAllByText('9 hrs 30 mins').length).toBeGreaterThan(0);
  expect(screen.getByText('30 mins less than the month before')).toBeTruthy();
  expect(screen.getByText('£315.00 and €40.00')).toBeTruthy();
  expect(screen.getByText('2 lessons, 2 hrs, £70.00')).toBeTruthy();
  expect(screen.getByText('£385.00 and €40.00')).toBeTruthy();
  expect(screen.getByText(/1 booked lesson has ended/)).toBeTruthy();
  const attendance = screen.getByRole('region', { name: 'Attendance' });
  expect(attendance.textContent).toContain('8 of 9 (88%)');
  const students = screen.getByRole('region', { name: 'By student' });
  expect(students.textContent).toContain('Attended 8 of 9, 2 cancelled, 2 hrs booked');
  expect(await screen.findByText(/No lessons in this period/)).toBeTruthy();
});

test('F143 the lessons behind the hours link to their pages', async () => {
  const row = sessionRow({ date: '2026-10-06', status: 'completed', charged: 3500 });
  openLessons([row]);
  const link = await screen.findByRole('link', { name: /Tue 6 Oct/ });
  expect(link.getAttribute('href')).toBe(`/sessions/${row.id}`);
  expect(link.textContent).toContain('£35');
});

test('F143 the lessons can be exported and printed', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const { user } = openLessons();
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  const csv = await screen.findByRole('menuitem', { name: 'Export CSV', hidden: true });
  expect(csv.getAttribute('href')).toBe('/api/reports/lessons.csv?period=last_month');
  await user.click(screen.getByRole('menuitem', { name: 'Print', hidden: true }));
  expect(print).toHaveBeenCalledOnce();
});

test('each section can fail and be retried separately', async () => {
  const { user, server } = openReports('/reports', empty, [payment], {
    'GET /api/reports/earnings': () => json(500, {}),
  });
  expect(await screen.findByText("We couldn't load your earnings.")).toBeTruthy();
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
        family({ id: 4, name: 'Omar Aziz', students: ['Omar Aziz'], oldestDueDate: '2026-11-03' }),
      ]),
  });
  const rows = await screen.findAllByRole('link', { name: /Ruth Hale|Omar Aziz/ });
  expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/families/4', '/families/3']);
  // A student who pays for themselves is not named again.
  expect(rows[0]?.textContent).toContain('Since Tue 3 Nov');
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
  expect(row.textContent).toContain('Maya and Leo, reported a transfer on Sat 14 Nov');
  expect(row.getAttribute('href')).toBe('/families/3');
  expect(screen.getByText('£65.00')).toBeTruthy();
  expect(screen.queryByText(/Omar/)).toBeNull();
});
