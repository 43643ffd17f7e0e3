import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, neverReplies } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionDetails, sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

async function openSchedule(
  sessions: ReturnType<typeof sessionRow>[],
  handlers: Parameters<typeof mockApi>[0] = {},
  url = '/schedule',
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions': () => json(200, sessions),
    'GET /api/time-off': () => json(200, []),
    ...handlers,
  });
  const app = renderApp(url);
  await screen.findByRole('heading', { name: 'Schedule' });
  return { ...app, server };
}

const rows = async () => within(screen.getByRole('main')).findAllByRole('listitem');

test('[SCHED-19] F137 a day-list item shows the initials of the student, even with a typed title', async () => {
  await openSchedule([
    sessionRow(),
    sessionRow({ startTime: '18:00', endTime: '19:00', title: 'Mock exam' }),
  ]);
  const [first, second] = await rows();
  expect(first && within(first).getByText('MO')).toBeTruthy();
  expect(second && within(second).getByText('MO')).toBeTruthy();
});

test('[SCHED-21] a day-list item shows the first five characters of its start and end times', async () => {
  await openSchedule([sessionRow({ startTime: '16:00:00', endTime: '17:15:30' })]);
  const [row] = await rows();
  expect(row?.textContent).toContain('16:00–17:15');
  expect(row?.textContent).not.toMatch(/:\d\d:\d\d/);
});

test('F137 a row shows the student first, then the typed title and the subject', async () => {
  await openSchedule([
    sessionRow(),
    sessionRow({ startTime: '18:00', endTime: '19:00', title: 'Mock exam' }),
  ]);
  const [first, second] = await rows();
  expect(first?.textContent).toContain('Maya Okafor - Maths GCSE');
  expect(second?.textContent).toContain('Maya Okafor - Mock exam, Maths GCSE');
});

test('rows show their status, and the day shows a total per currency', async () => {
  await openSchedule(
    [
      sessionRow({ status: 'completed', charged: 3500, outstanding: 3500 }),
      sessionRow({ startTime: '17:00', endTime: '18:00', status: 'cancelled' }),
      sessionRow({ id: 4, startTime: '18:00', endTime: '19:00', status: 'rescheduled' }),
      sessionRow({ startTime: '19:00', endTime: '19:45', fee: null }),
      sessionRow({ startTime: '20:00', endTime: '21:00', currency: 'USD', fee: 4000 }),
    ],
    {
      'GET /api/sessions/4': () =>
        json(
          200,
          sessionDetails({
            rescheduledTo: { id: 5, date: '2026-11-17', startTime: '17:00', endTime: '18:00' },
          }),
        ),
    },
  );
  const [taught, cancelled, moved, free] = await rows();
  expect(taught?.textContent).toContain('Completed£35 unpaid');
  expect(cancelled?.textContent).toContain('Cancelled');
  expect(free?.textContent).toContain('Free lesson');
  await vi.waitFor(() => expect(moved?.textContent).toContain('Moved to Tue 17:00'));
  const sum = screen.getByText('2 hrs 45 mins of teaching').parentElement;
  expect(sum && within(sum).getByText('£35')).toBeTruthy();
  expect(sum && within(sum).getByText('$40')).toBeTruthy();
});

test('sessions are requested for the visible range only', async () => {
  const { server } = await openSchedule([], {}, '/schedule?date=2026-12-10');
  await screen.findByText('No lessons scheduled for this day');
  const [first] = server.calls.filter(({ name }) => name === 'GET /api/sessions');
  expect(first?.url).toBe('/api/sessions?from=2026-11-30&to=2027-01-03');
  expect(server.count('GET /api/lessons')).toBe(0);
});

test('a day that is still loading is not shown as empty', async () => {
  await openSchedule([], { 'GET /api/sessions': neverReplies });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(screen.queryByText('No lessons scheduled for this day')).toBeNull();
});

test('a retry is offered when the lessons fail to load', async () => {
  const { user, server } = await openSchedule([], { 'GET /api/sessions': () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers['GET /api/sessions'] = () => json(200, [sessionRow()]);
  await user.click(retry);
  expect(await rows()).toHaveLength(1);
});

test('on a phone the month name opens the month, and the choice is stored', async () => {
  const { user } = await openSchedule([sessionRow()]);
  expect(screen.getByRole('group', { name: 'Week' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'November 2026' }));
  expect(screen.getByRole('grid', { name: 'November 2026' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Next month' })).toBeTruthy();
  expect(localStorage.getItem('lessonbook-schedule-month')).toBe('yes');
});

test('the arrow goes to the next week', async () => {
  const { user } = await openSchedule([]);
  await user.click(await screen.findByRole('button', { name: 'Next week' }));
  expect(await screen.findByRole('heading', { name: '22 November' })).toBeTruthy();
});

test('the installed app’s shortcut opens a new lesson once and is removed from the URL', async () => {
  const { search } = await openSchedule([], {}, '/schedule?new=lesson');
  expect(await screen.findByRole('dialog')).toBeTruthy();
  await vi.waitFor(() => expect(search()).toEqual({}));
});

const halfTerm = {
  id: 1,
  fromDate: '2026-11-14',
  toDate: '2026-11-15',
  startTime: null,
  endTime: null,
  reason: 'Half-term',
  restorableSessions: 0,
};

test('F64 the day shows the time off with its reason and hours', async () => {
  const dentist = { ...halfTerm, id: 2, startTime: '13:00', endTime: '15:45', reason: 'Dentist' };
  await openSchedule([], { 'GET /api/time-off': () => json(200, [halfTerm, dentist]) });
  const list = await screen.findByRole('list', { name: 'Time off' });
  expect(list.textContent).toBe('Half-termAll dayDentist13:00–15:45');
});

test('F119 the day list is not headed Upcoming Lessons for a past day', async () => {
  await openSchedule([], {}, '/schedule?date=2026-11-12');
  expect(await screen.findByText('Lessons')).toBeTruthy();
  expect(screen.queryByText('Upcoming Lessons')).toBeNull();
});

test('F119 on a phone the other days of the week follow the chosen one', async () => {
  await openSchedule(
    [
      sessionRow({ date: '2026-11-10' }),
      sessionRow({ date: '2026-11-12', studentName: 'Noah Hale', students: [] }),
      sessionRow({ date: '2026-11-15', status: 'cancelled' }),
      sessionRow({ date: '2026-11-16' }),
    ],
    { 'GET /api/time-off': () => json(200, [halfTerm]) },
    '/schedule?date=2026-11-11',
  );
  const agenda = await screen.findByRole('region', { name: 'Later this week' });
  const days = within(agenda).getAllByRole('heading', { level: 3 });
  expect(days.map(({ textContent }) => textContent)).toEqual(['Thu 12 Nov', 'Yesterday', 'Today']);
  expect(within(agenda).getAllByRole('link')).toHaveLength(2);
  expect(within(agenda).getAllByText('Half-term')).toHaveLength(2);
});
