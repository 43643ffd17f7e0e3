import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { hasUnsavedChanges } from '../lib/unsaved-changes.ts';
import { createDeferredReply, json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionNotes, sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const due = [
  sessionRow({ id: 1, lessonId: 5, date: '2026-11-10', title: 'Theo Lindqvist - Physics' }),
  sessionRow({ id: 2, lessonId: 7, date: '2026-11-12' }),
  sessionRow({ id: 3, lessonId: 5, date: '2026-11-14', currency: 'EUR', fee: 3000 }),
  sessionRow({ id: 4, lessonId: 6, date: '2026-11-14', startTime: '18:00', fee: null }),
];

async function openCompletePage(path = '/lessons/7/complete') {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/sign-in-options': () => json(200, { google: false, passkeys: false, demo: null }),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/due': () => json(200, due),
    'POST /api/sessions/complete': () => json(200, { completed: 3 }),
  });
  const app = renderApp(path);
  await screen.findAllByRole('checkbox');
  return { ...app, server };
}

const headings = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

test('F116 if the page is opened for one lesson, only that one is selected and the others are offered', async () => {
  const { user, server } = await openCompletePage('/lessons/7/complete?session=2');
  expect(headings()).toEqual(['Thu 12 Nov', 'Yesterday, Sat 14 Nov', 'Tue 10 Nov']);
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.map(({ checked }) => checked)).toEqual([true, false, false, false]);
  expect(screen.getByText('3 more lessons to complete.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Complete 1 lesson (£35)' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/complete')?.body).toEqual({
      sessions: [{ id: 2, attendance: 'attended', charge: true }],
    }),
  );
  const key = new Headers(server.last('POST /api/sessions/complete')?.init.headers);
  expect(key.get('Idempotency-Key')).toBeTruthy();
});

test('F116 the other lessons can be added with one click', async () => {
  const { user } = await openCompletePage('/lessons/7/complete?session=2');
  await user.click(screen.getByRole('button', { name: 'Select all 4' }));
  expect(screen.getByRole('button', { name: 'Complete 4 lessons (£70 and €30)' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
});

test('if no lesson is given, the newest day comes first', async () => {
  await openCompletePage();
  expect(headings()).toEqual(['Yesterday, Sat 14 Nov', 'Thu 12 Nov', 'Tue 10 Nov']);
});

test('all sessions are preselected and completed with one request', async () => {
  const { user, server } = await openCompletePage();
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.every(({ checked }) => checked)).toBe(true);
  expect(screen.getByRole('button', { name: 'Complete 4 lessons (£70 and €30)' })).toBeTruthy();

  await user.click(screen.getByRole('checkbox', { name: /Theo Lindqvist/ }));
  await user.click(boxes[0]?.closest('li')?.querySelector('button') as HTMLElement);
  const row = within(boxes[0]?.closest('li') as HTMLElement);
  await user.click(row.getByRole('radio', { name: 'Absent' }));
  await user.click(row.getByRole('radio', { name: "Don't charge" }));
  expect(row.getByText('Not charged')).toBeTruthy();

  server.handlers['GET /api/sessions/due'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Complete 3 lessons (£35)' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/complete')?.body).toEqual({
      sessions: [
        { id: 2, attendance: 'attended', charge: true },
        { id: 3, attendance: 'absent', charge: false },
        { id: 4, attendance: 'attended', charge: true },
      ],
    }),
  );
  expect(await screen.findByText(/^You're all caught up/)).toBeTruthy();
});

test('text for lessons that are not selected stays when the others are completed, even after a reload', async () => {
  const { user, server } = await openCompletePage();
  server.handlers['GET /api/sessions/1/family-notes'] = () => json(200, sessionNotes());
  const openRow = async () => {
    const box = await screen.findByRole('checkbox', { name: /Theo Lindqvist/ });
    await user.click(box.closest('li')?.querySelector('button') as HTMLElement);
    return { box, row: within(box.closest('li') as HTMLElement) };
  };
  const { box, row } = await openRow();
  await user.type(row.getByRole('textbox', { name: /^Note/ }), 'Bring the compass');
  await user.type(row.getByRole('textbox', { name: 'Homework' }), '9B');
  await user.click(box);
  server.handlers['GET /api/sessions/due'] = () => json(200, due.slice(0, 1));
  await user.click(screen.getByRole('button', { name: /^Complete 3 lessons/ }));
  await vi.waitFor(() =>
    expect(screen.getAllByRole('checkbox', { name: /^Select/ })).toHaveLength(1),
  );
  const texts = () =>
    [/^Note/, 'Homework'].map(
      (name) => screen.getByRole<HTMLTextAreaElement>('textbox', { name }).value,
    );
  expect([texts(), hasUnsavedChanges()]).toEqual([['Bring the compass', '9B'], true]);
  cleanup();
  renderApp('/lessons/7/complete');
  await openRow();
  expect(texts()).toEqual(['Bring the compass', '9B']);
});

const seat = (studentId: number, name: string, fee: number, feeSource: 'lesson' | 'student') => ({
  studentId,
  name,
  state: 'expected' as const,
  attendance: null,
  fee,
  feeSource,
  charged: null,
  outstanding: null,
  paymentId: null,
});

test('the three lines for the family are shared, and what was planned last time is shown', async () => {
  const { user, server } = await openCompletePage('/lessons/7/complete?session=2');
  const previous = {
    sessionId: 9,
    date: '2026-11-05',
    nextTime: 'Fractions',
    homework: '',
    isHomeworkDone: false,
  };
  server.handlers['GET /api/sessions/2/family-notes'] = () => json(200, sessionNotes({ previous }));
  const [box] = screen.getAllByRole('checkbox');
  await user.click(box?.closest('li')?.querySelector('button') as HTMLElement);
  const row = within(box?.closest('li') as HTMLElement);
  expect(await row.findByText(/^Planned last time, .*: Fractions$/)).toBeTruthy();
  await user.type(row.getByRole('textbox', { name: 'What we did' }), 'Fractions');
  await user.type(row.getByRole('textbox', { name: 'Homework' }), '9B');
  expect(row.getByText('For Sun 22 Nov, the next lesson.')).toBeTruthy();
  const share = row.getByRole<HTMLInputElement>('checkbox', { name: /^Share with the family/ });
  expect(share.checked).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Complete 1 lesson (£35)' }));
  const familyNote = { did: 'Fractions', nextTime: '', homework: '9B', share: true };
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/complete')?.body).toEqual({
      sessions: [{ id: 2, attendance: 'attended', charge: true, familyNote }],
    }),
  );
});

test('a note that has already been written is shown above the empty fields', async () => {
  const { user, server } = await openCompletePage('/lessons/7/complete?session=2');
  const text = { did: '', nextTime: '', homework: '9B', dueOn: '2026-11-22' };
  const shared = { ...text, version: 1, sharedAt: '2026-11-12T09:00:00Z', withdrawnAt: null };
  const lesson = { sessionId: 2, studentId: 1, date: '2026-11-12', startTime: '16:00' };
  const note = { ...lesson, subjectName: 'Maths', draft: null, shared, homeworkDone: null };
  server.handlers['GET /api/sessions/2/family-notes'] = () => json(200, sessionNotes({ note }));
  const [box] = screen.getAllByRole('checkbox');
  await user.click(box?.closest('li')?.querySelector('button') as HTMLElement);
  const existing = await screen.findByText(/^Already shared/);
  expect(existing.textContent).toBe(
    "Already shared:\nHomework (for Sun 22 Nov): 9B\n\nAnything you leave blank below won't be changed.",
  );
});

test('a group is one row that expands to its students; the fee for an absence can be waived', async () => {
  const group = sessionRow({
    id: 9,
    date: '2026-11-14',
    title: 'Year 11 maths',
    studentName: 'Noah Goldberg, Amira Haddad, Sam Reid',
    fee: 6200,
    students: [
      seat(1, 'Noah Goldberg', 2200, 'lesson'),
      seat(2, 'Amira Haddad', 1800, 'student'),
      seat(3, 'Sam Reid', 2200, 'lesson'),
      { ...seat(4, 'Ida Lund', 2200, 'lesson'), state: 'cancelled' as const },
    ],
  });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/due': () => json(200, [group]),
    'POST /api/sessions/complete': () => json(200, { completed: 1 }),
  });
  const { user } = renderApp('/lessons/7/complete');
  await user.click(await screen.findByRole('button', { name: /Year 11 maths · 3/ }));
  expect(screen.getByText('3 here')).toBeTruthy();
  expect(screen.getByText('Cancelled for Ida.')).toBeTruthy();
  const choose = (name: string, value: string) =>
    user.click(
      within(screen.getByRole('group', { name: `Attendance of ${name}` })).getByRole('radio', {
        name: value,
      }),
    );
  await choose('Amira Haddad', 'Late');
  await choose('Sam Reid', 'Absent');
  expect(screen.getByText('2 here, 1 absent')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Complete 1 lesson (£62)' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: "Don't charge £22" }));
  await user.click(screen.getByRole('button', { name: 'Complete 1 lesson (£40)' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/sessions/complete')?.body).toEqual({
      sessions: [
        {
          id: 9,
          attendance: 'attended',
          charge: true,
          students: [
            { studentId: 2, attendance: 'late', charge: true },
            { studentId: 3, attendance: 'absent', charge: false },
          ],
        },
      ],
    }),
  );
});

test("a batch can be undone as a whole, and an error shows the server's message", async () => {
  const { user, server } = await openCompletePage();
  server.handlers['GET /api/sessions/due'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Complete 4 lessons (£70 and €30)' }));
  expect(await screen.findByText('3 lessons completed')).toBeTruthy();
  server.handlers['POST /api/sessions/reopen'] = () => json(200, { reopened: 4 });
  server.handlers['GET /api/sessions/due'] = () => json(200, due);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('4 lessons reopened')).toBeTruthy();
  expect(server.last('POST /api/sessions/reopen')?.body).toEqual({ ids: [1, 2, 3, 4] });
  expect(await screen.findAllByRole('checkbox')).toHaveLength(4);

  const message = 'Nothing was reopened. Maya Okafor - Maths: This lesson is on an invoice.';
  server.handlers['POST /api/sessions/reopen'] = () => json(409, { code: 'conflict', message });
  await user.click(screen.getByRole('button', { name: 'Complete 4 lessons (£70 and €30)' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(message)).toBeTruthy();
});

test('other lists are updated optimistically, except for money, and restored if saving fails', async () => {
  const { user, server, queryClient } = await openCompletePage();
  const day = ['/api/sessions', 'by-date', '2026-11-10'];
  const dashboard = { incomplete: due, incompleteCount: 9, unpaidCount: 3 };
  queryClient.setQueryData(day, due.slice(0, 1));
  queryClient.setQueryData(['/api/dashboard'], dashboard);
  const saving = createDeferredReply();
  server.handlers['POST /api/sessions/complete'] = saving.handler;
  await user.click(screen.getByRole('button', { name: 'Complete 4 lessons (£70 and €30)' }));
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
    await screen.findByText("The lessons couldn't be completed. Please try again."),
  ).toBeTruthy();
  expect(queryClient.getQueryData(day)).toEqual(due.slice(0, 1));
  expect(queryClient.getQueryData(['/api/dashboard'])).toEqual(dashboard);
  expect(
    await screen.findByRole('button', { name: 'Complete 4 lessons (£70 and €30)' }),
  ).toBeTruthy();
});
