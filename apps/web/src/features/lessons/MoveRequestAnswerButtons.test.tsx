import type { MoveRequest } from '@lessonbook/contract/move-requests';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { moveRequest, sessionDetails } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const LIST = 'GET /api/move-requests';
const ACCEPT = 'POST /api/move-requests/5/accept';
const SUGGEST = 'POST /api/move-requests/5/suggest';
const DECLINE = 'POST /api/move-requests/5/decline';

const OVERLAP = {
  code: 'overlap',
  message: 'This overlaps with another lesson.',
  overlaps: [
    {
      date: '2026-11-28',
      startTime: '12:30',
      endTime: '13:30',
      withSessionId: 30,
      withTitle: 'Sam Bell - Physics',
      withStartTime: '12:00',
      withEndTime: '13:00',
    },
  ],
};

const handlers = (request: Partial<MoveRequest>) => ({
  'GET /api/me': () => json(200, ada),
  'GET /api/subjects': () => json(200, []),
  'GET /api/time-off': () => json(200, []),
  'GET /api/sessions/12': () => json(200, sessionDetails({ id: 12 })),
  'GET /api/sessions/40': () => json(200, sessionDetails({ id: 40, date: '2026-11-27' })),
  [LIST]: () => json(200, [moveRequest(request)]),
});

async function openLesson(request: Partial<MoveRequest> = {}) {
  const server = mockApi(handlers(request));
  server.handlers[LIST] = ({ url }) =>
    json(200, url.endsWith('sessionId=12') ? [moveRequest(request)] : []);
  const app = renderApp('/sessions/12');
  const card = within(await screen.findByRole('region', { name: 'Request to move' }));
  return { ...app, server, card };
}

/** Settles the request, so that the lists no longer contain it. */
const settle = (server: ReturnType<typeof mockApi>) => {
  server.handlers[LIST] = () => json(200, []);
  return json(200, {});
};

const waitUntilGone = () =>
  vi.waitFor(() => expect(screen.queryByRole('region', { name: 'Request to move' })).toBeNull());

const ACCEPT_FRIDAY = 'Accept Fri 27 Nov, 5pm for Maya Okafor';
const ACCEPT_SATURDAY = 'Accept Sat 28 Nov, 12:30pm for Maya Okafor';

test('the lesson page shows the request and what else is scheduled at each time', async () => {
  const { card } = await openLesson();
  expect(
    card.getByText(
      'Ruth Okafor has asked to move this lesson to Fri 27 Nov, 5pm or Sat 28 Nov, 12:30pm.',
    ),
  ).toBeTruthy();
  expect(card.getByText('Maya has a school trip.')).toBeTruthy();
  const [friday, saturday] = card.getAllByRole('listitem');
  expect(friday?.textContent).toBe('Accept Fri 27 Nov, 5pm');
  expect(saturday?.textContent).toBe(
    'Accept Sat 28 Nov, 12:30pmAt the same time: Sam, 12 noon to 1pm',
  );
});

test('accepting a time moves the lesson and opens its new date', async () => {
  const { user, server, card, pathname } = await openLesson();
  server.handlers[ACCEPT] = () => {
    settle(server);
    return json(200, { sessionId: 40 });
  };
  await user.click(card.getByRole('button', { name: ACCEPT_FRIDAY }));
  expect(
    await screen.findByText('Moved to Fri 27 Nov, 5pm. Messages shows what was sent.'),
  ).toBeTruthy();
  await vi.waitFor(() => expect(pathname()).toBe('/sessions/40'));
  expect(server.last(ACCEPT)?.body).toEqual({
    date: '2026-11-27',
    startTime: '17:00',
    acceptOverlaps: false,
  });
  expect(new Headers(server.last(ACCEPT)?.init.headers).get('Idempotency-Key')).toBeTruthy();
  await waitUntilGone();
});

test('an overlap has to be confirmed before the lesson moves', async () => {
  const { user, server, card, pathname } = await openLesson();
  server.handlers[ACCEPT] = ({ body }) => {
    if (!(body as { acceptOverlaps: boolean }).acceptOverlaps) return json(409, OVERLAP);
    settle(server);
    return json(200, { sessionId: 40 });
  };
  await user.click(card.getByRole('button', { name: ACCEPT_SATURDAY }));
  const modal = within(await screen.findByRole('dialog', { name: 'This lesson overlaps another' }));
  expect(modal.getByText('Sam Bell - Physics')).toBeTruthy();
  await user.click(modal.getByRole('button', { name: 'Move anyway' }));
  await vi.waitFor(() => expect(pathname()).toBe('/sessions/40'));
  expect(server.last(ACCEPT)?.body).toMatchObject({ startTime: '12:30', acceptOverlaps: true });
});

test('if the request has been withdrawn in the meantime, the tutor sees a message', async () => {
  const { user, server, card } = await openLesson();
  server.handlers[ACCEPT] = () =>
    json(409, { code: 'conflict', message: 'The family has withdrawn this request.' });
  await user.click(card.getByRole('button', { name: ACCEPT_FRIDAY }));
  expect(await screen.findByText('The family has withdrawn this request.')).toBeTruthy();
});

test('a time in the past cannot be accepted', async () => {
  const choices = moveRequest().choices.map((choice) => ({ ...choice, isPast: true }));
  const { card } = await openLesson({ choices });
  expect(card.getByText('Fri 27 Nov, 5pm has passed.')).toBeTruthy();
  expect(card.queryByRole('button', { name: /^Accept/ })).toBeNull();
});

test('suggests up to three other times, with a message', async () => {
  const { user, server, card } = await openLesson({ choices: [], message: 'Any evening?' });
  expect(card.getByText('Ruth Okafor has asked to move this lesson.')).toBeTruthy();
  await user.click(card.getByRole('button', { name: /^Suggest another time/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Suggest another time' }));
  expect(dialog.getByText(/^Maya Okafor, Sun 15 Nov, 4pm\./)).toBeTruthy();
  const send = dialog.getByRole('button', { name: 'Send suggestion' });
  await user.click(send);
  expect(await dialog.findByText('Please choose a date')).toBeTruthy();
  expect(server.count(SUGGEST)).toBe(0);
  await user.type(dialog.getByRole('textbox', { name: 'Date' }), '25 Nov');
  await user.tab();
  const add = () => dialog.getByRole('button', { name: 'Add another time' });
  await user.click(add());
  await user.type(dialog.getByRole('textbox', { name: 'Date 2' }), '26 Nov');
  await user.clear(dialog.getByRole('combobox', { name: 'Start 2' }));
  await user.type(dialog.getByRole('combobox', { name: 'Start 2' }), '1730');
  await user.tab();
  await user.click(add());
  expect(dialog.queryByRole('button', { name: 'Add another time' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Remove time 3' }));
  await user.type(
    dialog.getByRole('textbox', { name: 'Message to Ruth (optional)' }),
    'Away on Friday.',
  );
  server.handlers[SUGGEST] = () => {
    const suggestions = [{ date: '2026-11-25', startTime: '16:00' }];
    server.handlers[LIST] = () =>
      json(200, [moveRequest({ choices: [], status: 'suggested', suggestions })]);
    return json(200, {});
  };
  await user.click(send);
  expect(await screen.findByText("Sent. You'll be notified when Ruth answers.")).toBeTruthy();
  expect(server.last(SUGGEST)?.body).toEqual({
    suggestions: [
      { date: '2026-11-25', startTime: '16:00' },
      { date: '2026-11-26', startTime: '17:30' },
    ],
    message: 'Away on Friday.',
  });
  expect(
    await card.findByText("You suggested Wed 25 Nov, 4pm. You'll be notified when Ruth answers."),
  ).toBeTruthy();
  expect(card.queryByRole('button', { name: /^Suggest/ })).toBeNull();
});

test('asks before closing the dialog if a message has been typed', async () => {
  const { user, card } = await openLesson();
  await user.click(card.getByRole('button', { name: /^Decline/ }));
  const modal = within(await screen.findByRole('dialog', { name: 'Decline the request?' }));
  await user.type(modal.getByRole('textbox', { name: 'Message to Ruth (optional)' }), 'Sorry');
  await user.click(modal.getByRole('button', { name: 'Go back' }));
  expect(await screen.findByRole('dialog', { name: /Discard|changes/ })).toBeTruthy();
});

test('declines the request with a message', async () => {
  const { user, server, card } = await openLesson();
  await user.click(card.getByRole('button', { name: /^Decline/ }));
  const modal = within(await screen.findByRole('dialog', { name: 'Decline the request?' }));
  expect(modal.getByText("Maya Okafor's lesson stays on Sun 15 Nov, 4pm.")).toBeTruthy();
  await user.type(modal.getByRole('textbox'), ' My evenings are full. ');
  server.handlers[DECLINE] = () => settle(server);
  await user.click(modal.getByRole('button', { name: 'Decline request' }));
  expect(await screen.findByText('Declined. The lesson stays as it is.')).toBeTruthy();
  expect(server.last(DECLINE)?.body).toEqual({ message: 'My evenings are full.' });
  await waitUntilGone();
});

const NOTIFICATION = {
  id: 1,
  kind: 'move_requested',
  text: "Ruth Okafor has asked to move Maya's lesson from Sun 15 Nov, 4pm to Fri 27 Nov, 5pm.",
  path: '/sessions/12',
  targetId: 5,
  requiresAction: true,
  at: '2026-11-14T09:00:00Z',
  read: false,
};

const inbox = (isOpen: boolean) => ({
  unread: 1,
  open: isOpen ? [NOTIFICATION] : [],
  notifications: [{ ...NOTIFICATION, requiresAction: isOpen }],
});

test('the inbox offers the same answers, and giving one marks the notification as done', async () => {
  const server = mockApi({
    ...handlers({}),
    'GET /api/notifications': () => json(200, inbox(true)),
    'GET /api/notifications/unread': () => json(200, { unread: 1 }),
    'POST /api/notifications/read': () => json(200, { unread: 0 }),
  });
  const { user, pathname } = renderApp('/notifications');
  const todo = within(await screen.findByRole('region', { name: 'To do' }));
  expect(todo.getByRole('link', { name: /^Ruth Okafor has asked/ }).getAttribute('href')).toBe(
    '/sessions/12',
  );
  expect(await todo.findByRole('button', { name: /^Suggest another time/ })).toBeTruthy();
  expect(todo.getByRole('button', { name: /^Decline/ })).toBeTruthy();
  expect(todo.queryByRole('button', { name: /^Done/ })).toBeNull();
  server.handlers[ACCEPT] = () => {
    settle(server);
    server.handlers['GET /api/notifications'] = () => json(200, inbox(false));
    return json(200, { sessionId: 40 });
  };
  await user.click(todo.getByRole('button', { name: ACCEPT_FRIDAY }));
  expect(
    await screen.findByText('Moved to Fri 27 Nov, 5pm. Messages shows what was sent.'),
  ).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: 'To do' })).toBeNull());
  expect(pathname()).toBe('/notifications');
});
