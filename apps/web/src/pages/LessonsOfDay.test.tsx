import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

async function openSessions(sessions: ReturnType<typeof sessionRow>[]) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/sessions': () => json(200, sessions),
    'GET /api/sessions/by-date/2026-11-15': () => json(200, sessions),
    'GET /api/sessions/by-date/2026-11-16': () => json(200, []),
  });
  const app = renderApp('/sessions');
  await screen.findByRole('heading', { name: '15 November' });
  return { ...app, server };
}

test('the table has column headers', async () => {
  await openSessions([sessionRow({ id: 8, status: 'completed', charged: 3500, outstanding: 0 })]);
  await screen.findByRole('table');
  const columns = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(columns).toEqual(['Time', 'Student', 'Lesson', 'Status', 'Payment', 'Actions']);
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent);
  expect(cells).toEqual(['16:00–17:00', 'Maya Okafor', 'Maths GCSE', 'Completed', 'Paid', 'View']);
  expect(screen.getByRole('link', { name: /^View/ }).getAttribute('href')).toBe('/sessions/8');
});

test("Next day opens the next day without the previous day's sessions", async () => {
  const { user } = await openSessions([sessionRow()]);
  await user.click(await screen.findByRole('button', { name: 'Next day' }));
  expect(await screen.findByText('No sessions scheduled for this day')).toBeTruthy();
  expect(screen.getByRole('heading', { name: '16 November' })).toBeTruthy();
});

test('[CONST-12] weeks in the day picker start on Monday', async () => {
  const { user } = await openSessions([]);
  await user.click(screen.getByRole('button', { name: 'Choose a day' }));
  await screen.findByRole('grid', { name: 'November 2026', hidden: true });
  const [first] = screen.getAllByRole('columnheader', { hidden: true });
  expect(first?.textContent).toContain('Monday');
});
