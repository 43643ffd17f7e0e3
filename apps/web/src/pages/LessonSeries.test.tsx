import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionDetails, sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

async function openSession(
  overrides: Parameters<typeof sessionDetails>[0] = {},
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const session = sessionDetails({ id: 12, ...overrides });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () => json(200, session),
    ...handlers,
  });
  const app = renderApp('/sessions/12');
  await screen.findByRole('heading', { level: 1, name: /^Maya Okafor/ });
  return { ...app, server, session };
}

function lessonWithDates(dates: readonly string[]) {
  const rows = dates.map((date, index) =>
    sessionRow({
      id: 10 + index,
      date,
      isRecurring: true,
      status: index < 2 ? 'completed' : 'scheduled',
    }),
  );
  return {
    id: 7,
    recurringPattern: 'weekly',
    recurringEndDate: '2026-12-22',
    isRecurring: true,
    date: dates[0],
    startTime: '16:00',
    endTime: '17:00',
    past: rows.filter(({ status }) => status === 'completed').toReversed(),
    upcoming: rows.filter(({ status }) => status === 'scheduled'),
    money: [{ currency: 'GBP', charged: 7000, outstanding: 3500 }],
  };
}

const dates = [
  '2026-11-01',
  '2026-11-08',
  '2026-11-15',
  '2026-11-22',
  '2026-11-29',
  '2026-12-06',
  '2026-12-13',
];

test('F108 a series shows the dates around this one, and all dates on request', async () => {
  const { user } = await openSession(
    { isRecurring: true },
    { 'GET /api/lessons/7': () => json(200, lessonWithDates(dates)) },
  );
  const series = within(await screen.findByRole('region', { name: 'Part of a weekly series' }));
  const links = () => series.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links()).toEqual([
    '1 Nov Completed',
    '8 Nov Completed',
    '15 NovThis lesson',
    '22 Nov4pm',
    '29 Nov4pm',
    '6 Dec4pm',
  ]);
  expect(series.getByText(/^Every Sunday, 4pm to 5pm, until 22 Dec 2026\./)).toBeTruthy();
  expect(series.getByText(/So far: £70 charged, £35 unpaid\.$/)).toBeTruthy();
  await user.click(series.getByRole('button', { name: 'Show all dates' }));
  expect(links()).toHaveLength(7);
});

test.each([
  ['/lessons/7?session=12', dates],
  ['/lessons/7', dates],
] as const)('F108 [ROUTE-26] %s redirects to the page of a date', async (address, all) => {
  mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () => json(200, sessionDetails({ id: 12 })),
    'GET /api/lessons/7': () => json(200, lessonWithDates(all)),
  });
  const { pathname } = renderApp(address);
  await screen.findByRole('heading', { level: 1, name: /^Maya Okafor/ });
  expect(pathname()).toBe('/sessions/12');
});

test('F108 an unknown series is reported as not found', async () => {
  mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/lessons/8': () => json(404, { code: 'not_found', message: 'Not found' }),
  });
  renderApp('/lessons/8');
  expect(await screen.findByText('Lesson not found')).toBeTruthy();
});

test('F108 Back returns to the page the tutor came from, otherwise to the schedule', async () => {
  const { server } = await openSession();
  expect(screen.getByRole('link', { name: 'Back to schedule' }).getAttribute('href')).toBe(
    '/schedule?date=2026-11-15',
  );
  cleanup();
  server.handlers['GET /api/sessions/by-date/2026-11-15'] = () =>
    json(200, [sessionRow({ id: 12 })]);
  const { user, pathname } = renderApp('/sessions?date=2026-11-15');
  await user.click(await screen.findByRole('link', { name: /^View, Maya/ }));
  await screen.findByRole('heading', { level: 1, name: /^Maya Okafor/ });
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await vi.waitFor(() => expect(pathname()).toBe('/sessions'));
});
