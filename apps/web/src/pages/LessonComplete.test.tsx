import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { deferredReply, json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const due = [
  sessionRow({ id: 1, lessonId: 5, date: '2026-11-10', title: 'Theo Lindqvist - Physics' }),
  sessionRow({ id: 2, lessonId: 7, date: '2026-11-12' }),
  sessionRow({ id: 3, lessonId: 5, date: '2026-11-14', currency: 'EUR', fee: 3000 }),
  sessionRow({ id: 4, lessonId: 6, date: '2026-11-14', startTime: '18:00', fee: null }),
];

async function openCompletePage() {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/due': () => json(200, due),
    'POST /api/sessions/complete': () => json(200, { completed: 3 }),
  });
  const app = renderApp('/lessons/7/complete?session=2');
  await screen.findByText('4 to tick off');
  return { ...app, server };
}

test('sessions of this lesson come first, then all other due sessions by day', async () => {
  await openCompletePage();
  const days = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(days).toEqual(['Thu 12 Nov, this lesson', 'Tue 10 Nov', 'Yesterday']);
});

test('all sessions are preselected and completed with one request', async () => {
  const { user, server } = await openCompletePage();
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.every(({ checked }) => checked)).toBe(true);
  expect(screen.getByRole('button', { name: 'Complete 4, £70, €30' })).toBeTruthy();

  await user.click(screen.getByRole('checkbox', { name: /Theo Lindqvist/ }));
  await user.click(boxes[0]?.closest('li')?.querySelector('button') as HTMLElement);
  const row = within(boxes[0]?.closest('li') as HTMLElement);
  await user.click(row.getByRole('radio', { name: 'Absent' }));
  await user.click(row.getByRole('radio', { name: 'Waive' }));
  expect(row.getByText('Absent, fee waived')).toBeTruthy();

  server.handlers['GET /api/sessions/due'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Complete 3, €30' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/complete')?.body).toEqual({
      sessions: [
        { id: 2, attendance: 'absent', charge: false },
        { id: 3, attendance: 'attended', charge: true },
        { id: 4, attendance: 'attended', charge: true },
      ],
    }),
  );
  expect(await screen.findByText('All ticked off')).toBeTruthy();
});

test("a batch can be undone as a whole, and an error shows the server's message", async () => {
  const { user, server } = await openCompletePage();
  server.handlers['GET /api/sessions/due'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Complete 4, £70, €30' }));
  expect(await screen.findByText('3 sessions completed')).toBeTruthy();
  server.handlers['POST /api/sessions/reopen'] = () => json(200, { reopened: 4 });
  server.handlers['GET /api/sessions/due'] = () => json(200, due);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('4 sessions reopened')).toBeTruthy();
  expect(server.last('POST /api/sessions/reopen')?.body).toEqual({ ids: [1, 2, 3, 4] });
  expect(await screen.findByText('4 to tick off')).toBeTruthy();

  const message = 'Nothing was taken back. Maya Okafor - Maths: This lesson is on an invoice.';
  server.handlers['POST /api/sessions/reopen'] = () => json(409, { code: 'conflict', message });
  await user.click(screen.getByRole('button', { name: 'Complete 4, £70, €30' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(message)).toBeTruthy();
});

test('other lists are updated optimistically, except for money, and restored if saving fails', async () => {
  const { user, server, queryClient } = await openCompletePage();
  const day = ['/api/sessions', 'by-date', '2026-11-10'];
  const dashboard = { incomplete: due, incompleteCount: 9, unpaidCount: 3 };
  queryClient.setQueryData(day, due.slice(0, 1));
  queryClient.setQueryData(['/api/dashboard'], dashboard);
  const saving = deferredReply();
  server.handlers['POST /api/sessions/complete'] = saving.handler;
  await user.click(screen.getByRole('button', { name: 'Complete 4, £70, €30' }));
  await vi.waitFor(() =>
    expect(queryClient.getQueryData(day)).toEqual([
      { ...due[0], status: 'completed', charged: null, outstanding: null },
    ]),
  );
  const optimistic = { incomplete: [], incompleteCount: 5, unpaidCount: 3 };
  expect(queryClient.getQueryData(['/api/dashboard'])).toEqual(optimistic);
  // The input for each session stays on the page until it is saved.
  expect(screen.getAllByRole('checkbox')).toHaveLength(4);

  saving.reply(json(503, {}));
  expect(
    await screen.findByText('Failed to complete the sessions. Please try again.'),
  ).toBeTruthy();
  expect(queryClient.getQueryData(day)).toEqual(due.slice(0, 1));
  expect(queryClient.getQueryData(['/api/dashboard'])).toEqual(dashboard);
  expect(await screen.findByRole('button', { name: 'Complete 4, £70, €30' })).toBeTruthy();
});
