import type { ReminderKind } from '@lessonbook/contract/messages';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, type RecordedCall, unauthenticated } from '../test/mock-api.ts';
import { renderLink } from '../test/render-app.tsx';

const READ = 'GET /api/unsubscribe/u_token/reminders';
const SAVE = 'PUT /api/unsubscribe/u_token/reminders';
const REPORT = 'POST /api/unsubscribe/u_token/report';
const WITHDRAW = 'DELETE /api/unsubscribe/u_token/report';

function openLink(stoppedKinds: ReminderKind[] = [], handlers: Parameters<typeof mockApi>[0] = {}) {
  const tutorName = 'Ada Fenwick';
  const server = mockApi({
    'GET /api/me': unauthenticated,
    [READ]: () => json(200, { tutorName, stoppedKinds }),
    [SAVE]: ({ body }: RecordedCall) => json(200, { tutorName, ...(body as object) }),
    [REPORT]: () => json(200, { tutorName }),
    [WITHDRAW]: () => json(200, { tutorName }),
    ...handlers,
  });
  const page = renderLink('/unsubscribe/u_token');
  const press = async (name: string) =>
    page.user.click(await screen.findByRole('button', { name }));
  return { ...page, server, press };
}

test('F86 opening the page changes nothing; the button stops all kinds, and each kind can be turned on again', async () => {
  const { server, press } = openLink();
  expect(
    await screen.findByText(
      "Choose which reminders from Ada Fenwick to stop. You'll still receive invoices and changes to lessons.",
    ),
  ).toBeTruthy();
  expect(server.count(SAVE)).toBe(0);
  await press('Stop reminders');
  expect(
    await screen.findByText(
      "You won't get lesson reminders, payment reminders or emails with lesson notes from Ada Fenwick. You'll still receive invoices and changes to lessons.",
    ),
  ).toBeTruthy();
  await press('Get lesson reminders again');
  await screen.findByText(/^You won't get payment reminders or emails with lesson notes from/);
  await press('Get emails with lesson notes again');
  expect(await screen.findByText(/^You won't get payment reminders from/)).toBeTruthy();
  await press('Get payment reminders again');
  expect(await screen.findByRole('button', { name: 'Stop reminders' })).toBeTruthy();
  expect(server.last(SAVE)?.body).toEqual({ stoppedKinds: [] });
});

test('F86 one kind can be stopped and the others kept', async () => {
  const { user, server, press } = openLink();
  await user.click(await screen.findByRole('checkbox', { name: 'Lesson reminders' }));
  await user.click(screen.getByRole('checkbox', { name: 'Emails with lesson notes' }));
  await press('Stop reminders');
  expect(await screen.findByText(/^You won't get payment reminders from/)).toBeTruthy();
  expect(server.last(SAVE)?.body).toEqual({ stoppedKinds: ['payment_reminder'] });
  await press('Stop lesson reminders too');
  expect(await screen.findByText(/^You won't get lesson reminders or/)).toBeTruthy();
});

test("an unknown link shows the server's message", async () => {
  const message = "This link doesn't work any more. Please reply to the email instead.";
  openLink([], { [READ]: () => json(404, { code: 'not_found', message }) });
  expect((await screen.findByRole('alert')).textContent).toBe(message);
});

test('F06 emails can be reported after a confirmation, and the report can be withdrawn', async () => {
  const { server, press } = openLink();
  await press('Report these emails');
  await press('Cancel');
  await press('Report these emails');
  expect(screen.getByText(/won't be able to email you any more/)).toBeTruthy();
  expect(server.count(REPORT)).toBe(0);
  await press('Report these emails');
  expect(
    await screen.findByText('Ada Fenwick can no longer email you through Lessonbook.'),
  ).toBeTruthy();
  await press('This was a mistake');
  expect(await screen.findByText('Ada Fenwick can email you again.')).toBeTruthy();
  expect([REPORT, WITHDRAW, SAVE].map((call) => server.count(call))).toEqual([1, 1, 0]);
});
