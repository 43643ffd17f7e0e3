import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { student } from '../../test/student-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { NewLessonDialog } from './NewLessonDialog.tsx';

const terms = [
  { name: 'First half', fromDate: '2026-11-02', toDate: '2026-11-27' },
  { name: 'Second half', fromDate: '2026-12-07', toDate: '2026-12-18' },
];
const surrey = { id: 2, name: 'Surrey', terms, lessons: 0 };
const kent = { id: 3, name: 'Kent', terms, lessons: 0 };

async function openRecurringLesson(calendars: object[]) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students': () => json(200, [student({ termCalendarId: 3 })]),
    'GET /api/subjects': () => json(200, []),
    'GET /api/time-off': () => json(200, []),
    'GET /api/term-calendars': () => json(200, calendars),
  });
  const values = { studentId: '1', date: '2026-11-17', isRecurring: true };
  const { user } = await renderComponentSignedIn(
    <NewLessonDialog opened onClose={vi.fn()} defaults={{ date: '2026-11-17', values }} />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Lesson' }));
  return { user, dialog, server };
}

test('a term-time series lists the dates that are outside the terms', async () => {
  const { user, dialog } = await openRecurringLesson([surrey]);
  await user.click(await dialog.findByLabelText('Only in term time'));
  expect(dialog.getByText('Next: Tue 24 Nov, Tue 8 Dec, Tue 15 Dec')).toBeTruthy();
  expect(
    dialog.getByText(/^Not in term time: Tue 1 Dec\. These terms end on Fri 18 Dec/),
  ).toBeTruthy();
  expect(dialog.queryByRole('combobox', { name: 'School terms' })).toBeNull();
});

test("with several calendars, the student's calendar is suggested", async () => {
  const { user, dialog } = await openRecurringLesson([surrey, kent]);
  await user.click(await dialog.findByLabelText('Only in term time'));
  const select = dialog.getByRole<HTMLInputElement>('combobox', { name: 'School terms' });
  expect(select.value).toBe('Kent');
  await selectOption(user, select, 'Surrey');
  expect(select.value).toBe('Surrey');
});

test('without a calendar, the term-time option is not shown', async () => {
  const { dialog, server } = await openRecurringLesson([]);
  await vi.waitFor(() => expect(server.count('GET /api/term-calendars')).toBe(1));
  expect(dialog.queryByLabelText('Only in term time')).toBeNull();
});
