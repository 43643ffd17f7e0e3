import type { TermCalendar, TermCalendarChange } from '@lessonbook/contract/term-calendars';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const surrey: TermCalendar = {
  id: 2,
  name: 'Surrey',
  terms: [
    { name: 'Autumn 2025', fromDate: '2025-09-01', toDate: '2025-12-19' },
    { name: 'Autumn 2026', fromDate: '2026-09-07', toDate: '2026-12-18' },
  ],
  lessons: 0,
};

const change = (fields: Partial<TermCalendarChange> = {}): TermCalendarChange => ({
  calendar: surrey,
  lessons: [],
  overlaps: [],
  ...fields,
});

function openTerms(calendars: TermCalendar[], handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/term-calendars': () => json(200, calendars),
    'POST /api/term-calendars': () => json(201, surrey),
    'PUT /api/term-calendars/2': () => json(200, change()),
    'DELETE /api/term-calendars/2': () => json(200, { message: 'deleted' }),
    ...handlers,
  });
  return { ...renderApp('/settings/school-terms'), server };
}

test('adds a calendar; a missing date shows an error next to its field', async () => {
  const { user, server } = openTerms([]);
  await user.click(await screen.findByRole('button', { name: 'Add school terms' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add school terms' }));
  await user.type(dialog.getByLabelText(/^Name/), 'Surrey');
  await user.type(dialog.getByLabelText('Term name'), 'Autumn 2026');
  await user.type(dialog.getByLabelText('First day'), '2026-09-07');
  await user.tab();
  await user.click(dialog.getByRole('button', { name: 'Save terms' }));
  expect(await dialog.findByText('Last day is required')).toBeTruthy();
  expect(server.count('POST /api/term-calendars')).toBe(0);
  await user.type(dialog.getByLabelText('Last day'), '2026-12-18');
  await user.click(dialog.getByRole('button', { name: 'Save terms' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/term-calendars')?.body).toEqual({
      name: 'Surrey',
      terms: [{ name: 'Autumn 2026', fromDate: '2026-09-07', toDate: '2026-12-18' }],
    }),
  );
  expect(await screen.findByText('School terms saved')).toBeTruthy();
});

test('shows the current terms, and copies the last year to the next one', async () => {
  const { user, server } = openTerms([surrey]);
  expect(await screen.findByText('Autumn 2026: Mon 7 Sep to Fri 18 Dec')).toBeTruthy();
  expect(screen.queryByText(/Autumn 2025/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Edit Surrey' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit school terms' }));
  await user.click(dialog.getByRole('button', { name: 'Copy to next year' }));
  await user.click(dialog.getByRole('button', { name: 'Remove Autumn 2025' }));
  await user.click(dialog.getByRole('button', { name: 'Save terms' }));
  await vi.waitFor(() =>
    expect(server.last('PUT /api/term-calendars/2')?.body).toEqual({
      name: 'Surrey',
      terms: [
        { name: 'Autumn 2026', fromDate: '2026-09-07', toDate: '2026-12-18' },
        { name: 'Autumn 2027', fromDate: '2027-09-06', toDate: '2027-12-17' },
      ],
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await vi.waitFor(() =>
    expect(server.last('PUT /api/term-calendars/2')?.body).toEqual({
      name: 'Surrey',
      terms: surrey.terms,
    }),
  );
});

test('lists the lessons that a change adds and cancels before it is saved', async () => {
  const followed = { ...surrey, lessons: 1 };
  const { user, server } = openTerms([followed], {
    'POST /api/term-calendars/2/preview': () =>
      json(
        200,
        change({
          lessons: [
            {
              lessonId: 5,
              title: 'Maya - Maths',
              startTime: '16:00',
              added: ['2027-01-05'],
              removed: ['2026-12-01', '2026-12-08'],
              kept: ['2026-12-15'],
            },
          ],
        }),
      ),
  });
  expect(await screen.findByText('1 recurring lesson follows these terms')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Edit Surrey' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit school terms' }));
  expect(
    await dialog.findByText('1 lesson will be added, 2 lessons will be cancelled.'),
  ).toBeTruthy();
  expect(dialog.getByText('Will be cancelled: Tue 1 Dec, Tue 8 Dec')).toBeTruthy();
  expect(dialog.getByText(/^Won't change because you've edited/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save and cancel 2 lessons' }));
  await vi.waitFor(() => expect(server.count('PUT /api/term-calendars/2')).toBe(1));
});

test('asks before a calendar is deleted', async () => {
  const { user, server } = openTerms([surrey]);
  await user.click(await screen.findByRole('button', { name: 'Delete Surrey' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Delete Surrey?' }));
  await user.click(modal.getByRole('button', { name: 'Delete terms' }));
  await vi.waitFor(() => expect(server.count('DELETE /api/term-calendars/2')).toBe(1));
  expect(await screen.findByText('School terms deleted')).toBeTruthy();
});
