import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';

const STOP = 'POST /api/unsubscribe/u_token';

const REPORT = 'POST /api/unsubscribe/u_token/report';

const WITHDRAW = 'DELETE /api/unsubscribe/u_token/report';

function openLink(handler: () => Response) {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    [STOP]: handler,
    [REPORT]: handler,
    [WITHDRAW]: handler,
  });
  return { ...renderApp('/unsubscribe/u_token'), server };
}

test('opening the page changes nothing; the button stops reminders and says what is still sent', async () => {
  const { user, server } = openLink(() => json(200, { tutorName: 'Ada Fenwick' }));
  const stop = await screen.findByRole('button', { name: 'Stop reminders' });
  expect(server.count(STOP)).toBe(0);
  await user.click(stop);
  expect(
    await screen.findByText('No more reminders from Ada Fenwick. Invoices still come.'),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Stop reminders' })).toBeNull();
});

test("an unknown link shows the server's message", async () => {
  const message = 'This link is not known. Please answer the mail instead.';
  const { user } = openLink(() => json(404, { code: 'not_found', message }));
  await user.click(await screen.findByRole('button', { name: 'Stop reminders' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
});

test('F06 emails can be reported after a confirmation, and the report can be withdrawn', async () => {
  const { user, server } = openLink(() => json(200, { tutorName: 'Ada Fenwick' }));
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await press('Report these emails');
  await press('Cancel');
  await press('Report these emails');
  expect(screen.getByText(/won't be able to email you any more/)).toBeTruthy();
  expect(server.count(REPORT)).toBe(0);
  await press('Report');
  expect(
    await screen.findByText('Ada Fenwick can no longer email you through Lessonbook.'),
  ).toBeTruthy();
  await press('This was a mistake');
  expect(await screen.findByText('Ada Fenwick can email you again.')).toBeTruthy();
  expect([REPORT, WITHDRAW, STOP].map((call) => server.count(call))).toEqual([1, 1, 0]);
});
