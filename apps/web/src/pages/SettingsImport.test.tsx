import type { ImportPreview } from '@lessonbook/contract/import';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const PREVIEW = 'POST /api/import/preview';
const IMPORT = 'POST /api/import';

const preview = (overrides: Partial<ImportPreview> = {}): ImportPreview => ({
  rows: [
    { row: 2, what: 'Maya Okafor', state: 'new', notes: [] },
    { row: 3, what: 'Lena Hale', state: 'existing', notes: ['Already in your book'] },
  ],
  unknownColumns: [],
  overlapCount: 0,
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
    [IMPORT]: () => json(201, { added: 1, existing: 1 }),
  });
  await choose('name\nMaya Okafor\nLena Hale');
  expect(await screen.findByText('1 new, 1 already there.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'people.csv' })).toBeTruthy();
  expect(screen.getByText('Already in your book')).toBeTruthy();
  expect(server.count(IMPORT)).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Import 1 student' }));
  expect(await screen.findByText('1 student imported')).toBeTruthy();
  expect(server.last(IMPORT)?.body).toEqual({
    kind: 'students',
    text: 'name\nMaya Okafor\nLena Hale',
    acceptOverlaps: false,
  });
  expect(new Headers(server.last(IMPORT)?.init.headers).get('Idempotency-Key')).toBeTruthy();
  await waitFor(() => expect(pathname()).toContain('/schedule'));
});

test('an invalid row comes first, shows the reason and blocks the import', async () => {
  const { user, choose } = await openImport({
    [PREVIEW]: () =>
      json(
        200,
        preview({
          rows: [
            { row: 2, what: 'Maya Okafor', state: 'new', notes: [] },
            { row: 3, what: 'Tom Bad', state: 'invalid', notes: ['Email: Invalid email'] },
          ],
          unknownColumns: ['Shoe size'],
        }),
      ),
  });
  await choose('name');
  const rows = await screen.findAllByText(/^Row \d/);
  expect(rows.map((row) => row.textContent)).toEqual(['Row 3', 'Row 2']);
  expect(screen.getByText('Email: Invalid email')).toBeTruthy();
  expect(screen.getByText('Left out: Shoe size.')).toBeTruthy();
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Import 1 student' });
  expect(save.disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Choose another file' }));
  expect(await screen.findByRole('button', { name: 'Choose a file' })).toBeTruthy();
});

test('overlapping lessons need confirmation', async () => {
  const { user, server, choose } = await openImport({
    [PREVIEW]: () => json(200, preview({ overlapCount: 1 })),
    [IMPORT]: () => json(201, { added: 1, existing: 1 }),
  });
  await user.click(screen.getByRole('radio', { name: 'Lessons' }));
  expect(screen.getByText(/Dates as 2026-11-17/)).toBeTruthy();
  await choose('student,subject');
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Import 1 lesson' });
  expect(save.disabled).toBe(true);
  await user.click(screen.getByLabelText('Import the one that overlaps all the same'));
  await user.click(save);
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
