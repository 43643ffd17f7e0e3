import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';

const STOP = 'POST /api/unsubscribe/u_token';

const REPORT = 'POST /api/unsubscribe/u_token/report';

function openLink(handler: () => Response) {
  const server = mockApi({ 'GET /api/me': unauthenticated, [STOP]: handler, [REPORT]: handler });
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

test('F06 emails that were not meant for the recipient can be reported', async () => {
  const { user, server } = openLink(() => json(200, { tutorName: 'Ada Fenwick' }));
  await user.click(await screen.findByRole('button', { name: 'Report these emails' }));
  expect(
    await screen.findByText(
      'Ada Fenwick can no longer send emails to this address through Lessonbook.',
    ),
  ).toBeTruthy();
  expect([server.count(REPORT), server.count(STOP)]).toEqual([1, 0]);
});
