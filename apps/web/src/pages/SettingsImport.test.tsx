import type { ImportPreview } from '@lessonbook/contract/import';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { selectOption } from '../test/select-option.ts';
import { ada } from '../test/user-fixtures.ts';

const PREVIEW = 'POST /api/import/preview';
const IMPORT = 'POST /api/import';

const preview = (overrides: Partial<ImportPreview> = {}): ImportPreview => ({
  rows: [
    { row: 2, what: 'Maya Okafor', state: 'new', makes: 'New student', notes: [] },
    {
      row: 3,
      what: 'Lena Hale',
      state: 'existing',
      makes: null,
      notes: ['Already in your account'],
    },
  ],
  columns: [{ heading: 'name', field: 'name' }],
  missingFields: [],
  pastCount: 0,
  ...overrides,
});

async function openImport(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [PREVIEW]: () => json(200, preview()),
    ...handlers,
  });
  const app = renderApp('/settings/import');
  await screen.findByRole('heading', { name: 'Import' });
  const choose = async (text: string, name = 'people.csv') => {
    await screen.findByRole('button', { name: 'Choose a file' });
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    await app.user.upload(input as HTMLInputElement, new File([text], name, { type: 'text/csv' }));
  };
  return { ...app, server, choose };
}

test('a file is previewed row by row and then imported', async () => {
  const { user, server, choose, pathname } = await openImport({
    [IMPORT]: () => json(201, { added: 1, updated: 0, existing: 1, skipped: 0 }),
  });
  await choose('name\nMaya Okafor\nLena Hale');
  expect(await screen.findByText('1 new, 1 already in Lessonbook.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'people.csv' })).toBeTruthy();
  expect(screen.getByText('Already in your account')).toBeTruthy();
  expect(server.count(IMPORT)).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Import 1 student' }));
  expect(await screen.findByText('1 student imported')).toBeTruthy();
  expect(server.last(IMPORT)?.body).toEqual({
    kind: 'students',
    text: 'name\nMaya Okafor\nLena Hale',
    pastSessions: 'unpaid',
    acceptOverlaps: false,
  });
  expect(new Headers(server.last(IMPORT)?.init.headers).get('Idempotency-Key')).toBeTruthy();
  await waitFor(() => expect(pathname()).toContain('/schedule'));
});

test('F114 a row with an error comes first, shows the reason and does not block the others', async () => {
  const { user, choose, server } = await openImport({
    [PREVIEW]: () =>
      json(
        200,
        preview({
          rows: [
            { row: 2, what: 'Maya Okafor', state: 'new', makes: 'New student', notes: [] },
            {
              row: 3,
              what: 'Tom Bad',
              state: 'invalid',
              makes: null,
              notes: ['Email: Invalid email'],
            },
          ],
          columns: [
            { heading: 'name', field: 'name' },
            { heading: 'Shoe size', field: null },
          ],
        }),
      ),
    [IMPORT]: () => json(201, { added: 1, updated: 0, existing: 0, skipped: 1 }),
  });
  await choose('name');
  const rows = await screen.findAllByText(/^Row \d/);
  expect(rows.map((row) => row.textContent)).toEqual(['Row 3', 'Row 2']);
  expect(screen.getByText('1 new, 1 with errors, left out.')).toBeTruthy();
  expect(screen.getByText('Email: Invalid email')).toBeTruthy();
  expect(screen.getByText('Left out: Shoe size')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Import 1 student' }));
  expect(await screen.findByText('1 row left out.')).toBeTruthy();
  expect(server.count(IMPORT)).toBe(1);
});

test('F114 columns that are not recognised can be chosen', async () => {
  const { user, choose, server } = await openImport({
    [PREVIEW]: () =>
      json(
        200,
        preview({
          rows: [],
          columns: [{ heading: 'Who', field: null }],
          missingFields: ['Name'],
        }),
      ),
  });
  await choose('Who\nMaya Okafor');
  expect(await screen.findByText('Choose which column contains: Name.')).toBeTruthy();
  server.handlers[PREVIEW] = () => json(200, preview());
  await selectOption(user, screen.getByRole('combobox', { name: 'Who' }), 'Name');
  expect(await screen.findByText('1 new, 1 already in Lessonbook.')).toBeTruthy();
  expect(server.last(PREVIEW)?.body).toMatchObject({ columns: ['name'] });
});

test('F114 the template has the headings and an example', async () => {
  await openImport();
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Download template' });
  expect(link.download).toBe('students-template.csv');
  const text = decodeURIComponent(link.href);
  expect(text).toContain('Name,Email,Subject,School,School year,Carer name');
  expect(text).toContain('Maya Okafor,maya@example.com,Maths');
});

test('F101 the tutor chooses how lessons before today are imported, and each row shows what it creates', async () => {
  const lesson = {
    row: 2,
    what: 'Maya Okafor, 03/11/2026 16:00',
    state: 'new' as const,
    notes: [],
  };
  const { user, choose, server } = await openImport({
    [PREVIEW]: ({ body }) => {
      const { pastSessions } = body as { pastSessions: string };
      const makes = `4 lessons: 2 ${pastSessions}`;
      return json(200, preview({ rows: [{ ...lesson, makes }], pastCount: 2 }));
    },
    [IMPORT]: () => json(201, { added: 1, updated: 0, existing: 0, skipped: 0 }),
  });
  await user.click(screen.getByRole('radio', { name: 'Lessons' }));
  await choose('student,date,start');
  expect(await screen.findByText('4 lessons: 2 unpaid')).toBeTruthy();
  expect(screen.getByRole('group', { name: '2 lessons before today' })).toBeTruthy();
  await user.click(screen.getByLabelText('Mark as completed and paid'));
  expect(await screen.findByText('4 lessons: 2 taught')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Import 1 lesson' }));
  await waitFor(() =>
    expect(server.last(IMPORT)?.body).toMatchObject({ kind: 'lessons', pastSessions: 'taught' }),
  );
});

test('overlapping lessons are imported only if the tutor chooses to include them', async () => {
  const { user, server, choose } = await openImport({
    [PREVIEW]: () =>
      json(
        200,
        preview({
          rows: [
            { row: 2, what: 'Maya', state: 'new', makes: '1 lesson', notes: [] },
            { row: 3, what: 'Tom', state: 'overlapping', makes: '1 lesson', notes: ['Overlaps'] },
          ],
        }),
      ),
    [IMPORT]: () => json(201, { added: 2, updated: 0, existing: 0, skipped: 0 }),
  });
  await user.click(screen.getByRole('radio', { name: 'Lessons' }));
  expect(screen.getByText(/Dates as 17\/11\/2026/)).toBeTruthy();
  await choose('student,subject');
  await screen.findByRole('button', { name: 'Import 1 lesson' });
  await user.click(screen.getByLabelText('Also import the one that overlaps'));
  await user.click(screen.getByRole('button', { name: 'Import 2 lessons' }));
  await waitFor(() =>
    expect(server.last(IMPORT)?.body).toMatchObject({ kind: 'lessons', acceptOverlaps: true }),
  );
});

test("an invalid file shows the server's message", async () => {
  const { choose } = await openImport({
    [PREVIEW]: () =>
      json(400, { code: 'invalid', message: 'There are no rows below the heading.' }),
  });
  await choose('name');
  expect(await screen.findByText('There are no rows below the heading.')).toBeTruthy();
});
