import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { overviewOf, student, studentListItem } from '../test/student-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const maya = studentListItem({
  debts: [{ currency: 'GBP', owed: 7600, overdue: 0, dueOn: '2026-11-30', withoutDueDate: 0 }],
});
const noah = studentListItem({
  id: 2,
  name: 'Noah Goldberg',
  schoolYear: null,
  contactNames: ['Dan Goldberg'],
  nextSession: { ...maya.nextSession, date: '2026-11-18' } as StudentListItem['nextSession'],
  debts: [{ currency: 'GBP', owed: 9000, overdue: 8300, dueOn: '2026-11-01', withoutDueDate: 0 }],
});
const ivy = studentListItem({ id: 3, name: 'Ivy Xu', subjects: [], nextSession: null });
const leo = studentListItem({
  id: 4,
  name: 'Leo Okafor',
  nextSession: null,
  pause: { fromDate: '2026-11-01', toDate: '2027-01-05' },
});
const oscar = studentListItem({ id: 5, name: 'Oscar Mensah', status: 'left', nextSession: null });

/** A wide window, in which the selected student is shown beside the list. */
function useWideWindow() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), { matches: media.includes('min-width') }) as MediaQueryList,
  );
}

function openStudents(
  list: StudentListItem[] = [ivy, leo, maya, noah, oscar],
  path = '/students',
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    'GET /api/students/list': () => json(200, list),
    'GET /api/carers': () => json(200, []),
    ...Object.fromEntries(
      list.flatMap(({ id, name }) => [
        [
          `GET /api/students/${id}`,
          () => json(200, overviewOf({ student: student({ id, name }) })),
        ],
        [`GET /api/students/${id}/timeline`, () => json(200, { entries: [], hasMore: false })],
      ]),
    ),
    ...handlers,
  });
  return { ...renderApp(path), server };
}

const findRows = async () =>
  within(await screen.findByRole('list', { name: 'Students' })).findAllByRole('link');
const namesOf = (rows: HTMLElement[]) => rows.map((row) => row.querySelector('b')?.textContent);

test('F107 F133 lists active students by next lesson, with their year, subject and own balance', async () => {
  openStudents();
  const rows = await findRows();
  expect(namesOf(rows)).toEqual(['Maya Hale', 'Noah Goldberg', 'Ivy Xu']);
  expect(rows[0]?.textContent).toContain('Year 10, Maths GCSE');
  expect(rows[0]?.textContent).toContain('Today 16:30');
  expect(rows[0]?.textContent).toContain('£76 due');
  expect(rows[1]?.textContent).toContain('Wed 16:30');
  expect(rows[2]?.textContent).toContain('No upcoming lessons');
  expect(rows[2]?.textContent).toContain('Nothing due');
  expect(rows[0]?.getAttribute('href')).toBe('/students/1');
  expect(screen.getByText('3 students, sorted by next lesson')).toBeTruthy();
});

test('only the overdue part is shown as overdue', async () => {
  openStudents();
  const [first, second] = await findRows();
  expect(second?.querySelector('[data-overdue]')?.textContent).toBe('£83 overdue');
  expect(first?.querySelector('[data-overdue]')).toBeNull();
});

test('F145 filters have counts, and those without a student are left out', async () => {
  const { user, search } = openStudents();
  await findRows();
  const pills = within(screen.getByRole('group', { name: 'Show' })).getAllByRole('button');
  expect(pills.map((pill) => pill.textContent)).toEqual([
    'Active 3',
    'Owes money 2',
    'No upcoming lessons 1',
    'Paused 1',
    'Left 1',
  ]);
  await user.click(screen.getByRole('button', { name: 'Paused 1' }));
  await waitFor(async () => expect(namesOf(await findRows())).toEqual(['Leo Okafor']));
  expect((await findRows())[0]?.textContent).toContain('Paused until 5 Jan 2027');
  expect(search()).toEqual({ show: 'paused' });
});

test('the search finds students by contact, including those who have left, and is in the URL', async () => {
  const { user, search } = openStudents();
  const field = await screen.findByLabelText('Find a student or family');
  await user.type(field, 'goldberg');
  await waitFor(async () => expect(namesOf(await findRows())).toEqual(['Noah Goldberg']));
  expect(search()).toEqual({ q: 'goldberg' });
  await user.clear(field);
  await user.type(field, 'oscar');
  await waitFor(async () => expect(namesOf(await findRows())).toEqual(['Oscar Mensah']));
  await user.type(field, ' xyz');
  await user.click(await screen.findByRole('link', { name: 'Clear filters' }));
  await waitFor(async () => expect(await findRows()).toHaveLength(3));
  expect(field).toHaveProperty('value', '');
});

test('F107 on a wide screen a row shows the student beside the list, arrows move and Enter opens', async () => {
  useWideWindow();
  const { user, pathname, search } = openStudents();
  const [first, second] = await findRows();
  const panel = await screen.findByRole('region', { name: 'Selected student' });
  expect(await within(panel).findByRole('heading', { level: 2, name: 'Maya Hale' })).toBeTruthy();
  expect(first?.getAttribute('aria-current')).toBe('true');
  await user.click(second as HTMLElement);
  expect(await within(panel).findByRole('heading', { name: 'Noah Goldberg' })).toBeTruthy();
  await waitFor(() => expect(search()).toEqual({ student: 2 }));
  (second as HTMLElement).focus();
  await user.keyboard('{ArrowDown}');
  expect(await within(panel).findByRole('heading', { name: 'Ivy Xu' })).toBeTruthy();
  await waitFor(() => expect(search()).toEqual({ student: 3 }));
  await user.keyboard('{ArrowUp}');
  await waitFor(() => expect(search()).toEqual({ student: 2 }));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(pathname()).toBe('/students/2'));
});

test('says what to do first if there are no students', async () => {
  const { user } = openStudents([]);
  expect(await screen.findByText('Your students will be listed here')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Import a spreadsheet' }).getAttribute('href')).toBe(
    '/settings/import',
  );
  expect(screen.queryByLabelText('Find a student or family')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Add Student' }));
  expect(await screen.findByRole('dialog', { name: 'Add New Student' })).toBeTruthy();
});

test('says that the students could not be loaded, and lets the tutor try again', async () => {
  const { user, server } = openStudents([maya], '/students', {
    'GET /api/students/list': () => json(400, {}),
  });
  await screen.findByText(/We couldn't load your students/);
  server.handlers['GET /api/students/list'] = () => json(200, [maya]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(namesOf(await findRows())).toEqual(['Maya Hale']);
});
