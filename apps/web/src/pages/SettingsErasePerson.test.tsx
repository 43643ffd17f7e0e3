import type { Person } from '@lessonbook/contract/account-deletion-and-erasure';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const LIST = 'GET /api/people';
const ERASE = 'POST /api/people/erase';

const people: Person[] = [
  {
    kind: 'student',
    id: 7,
    name: 'Lena Hale',
    about: 'Student, carer Ruth Hale',
    isArchived: true,
  },
  { kind: 'carer', id: 3, name: 'Ruth Hale', about: 'Carer of Lena Hale', isArchived: false },
];

const replyWith =
  (list: readonly Person[]) =>
  ({ url }: { url: string }) =>
    json(
      200,
      list.filter(({ kind }) => url.includes(`kind=${kind}`)),
    );

const openErase = (path: string, handlers: Parameters<typeof mockApi>[0] = {}) => ({
  server: mockApi({
    'GET /api/me': () => json(200, ada),
    [LIST]: replyWith(people),
    ...handlers,
  }),
  ...renderApp(path),
});

test('the name has to be typed before a person can be erased', async () => {
  const { user, server } = openErase('/settings/erase', {
    [ERASE]: ({ body }) =>
      (body as { name: string }).name === 'Lena Hale'
        ? json(200, { message: 'Person erased.' })
        : json(400, {
            code: 'invalid',
            message: "The name doesn't match",
            fields: { name: "The name doesn't match" },
          }),
  });
  await user.click(await screen.findByRole('button', { name: 'Erase Lena Hale' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Erase Lena Hale permanently?' }));
  expect(modal.getByText(/Upcoming lessons will be cancelled/)).toBeTruthy();
  const erase = modal.getByRole('button', { name: 'Erase permanently' });
  await user.click(erase);
  expect(await modal.findByText('Please type the name')).toBeTruthy();
  const field = modal.getByLabelText('Type “Lena Hale” to confirm');
  await user.type(field, 'Lena');
  await user.click(erase);
  expect(await modal.findByText("The name doesn't match")).toBeTruthy();
  await user.type(field, ' Hale');
  server.handlers[LIST] = replyWith(people.slice(1));
  await user.click(erase);
  expect(await screen.findByText('Person erased')).toBeTruthy();
  expect(server.last(ERASE)?.body).toEqual({ kind: 'student', id: 7, name: 'Lena Hale' });
  expect(await screen.findByRole('button', { name: 'Erase Ruth Hale' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Erase Lena Hale' })).toBeNull();
});

test('with a person in the URL, the modal opens immediately; a carer’s children are kept', async () => {
  openErase('/settings/erase?person=carer-3');
  const modal = within(await screen.findByRole('dialog', { name: 'Erase Ruth Hale permanently?' }));
  expect(modal.getByText(/Their children stay/)).toBeTruthy();
});

test('an empty list shows a message, and a failed request can be retried', async () => {
  const { user, server } = openErase('/settings/erase', { [LIST]: () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[LIST] = () => json(200, []);
  await user.click(retry);
  expect(await screen.findByText("You haven't added anyone yet.")).toBeTruthy();
});
