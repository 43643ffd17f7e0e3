import type { PortalMoveRequest } from '@lessonbook/contract/portal';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import {
  portalLesson,
  portalLessons,
  portalLogin,
  portalMoveRequest,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const PATH = '/api/portal/tutors/c_ada_1234567';
const LESSONS = `GET ${PATH}/lessons`;
const WITHDRAW = `DELETE ${PATH}/move-requests/5`;
const ACCEPT = `POST ${PATH}/move-requests/5/accept`;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

async function openPortal(
  request: Partial<PortalMoveRequest>,
  page: Parameters<typeof portalLessons>[0] = {},
) {
  const lesson = (moveRequest: PortalMoveRequest | null) =>
    portalLesson({ moveRequest, mayAskToMove: moveRequest === null });
  const show = (moveRequest: PortalMoveRequest | null) => {
    server.handlers[LESSONS] = () =>
      json(200, portalLessons({ lessons: [lesson(moveRequest)], ...page }));
  };
  const server = mockApi({ 'GET /api/portal/login': () => json(200, portalLogin()) });
  show(portalMoveRequest(request));
  const portal = renderPortal();
  const row = within(await screen.findByRole('listitem'));
  return { ...portal, server, show, row };
}

const suggested: Partial<PortalMoveRequest> = {
  status: 'suggested',
  suggestions: [
    { date: '2026-11-25', startTime: '18:00' },
    { date: '2026-11-26', startTime: '17:30' },
  ],
  answer: "I'm away on Friday.",
};

test('an open request can be withdrawn', async () => {
  const { user, server, show, row } = await openPortal({});
  expect(
    row.getByText(
      'You asked for Fri 27 Nov, 5pm or Sat 28 Nov, 12:30pm. The lesson stays as it is until Ada Fenwick answers.',
    ),
  ).toBeTruthy();
  server.handlers[WITHDRAW] = () => {
    show(null);
    return json(200, {});
  };
  await user.click(row.getByRole('button', { name: "Withdraw request for Maya's lesson" }));
  expect(await row.findByRole('button', { name: /^Ask to move/ })).toBeTruthy();
  expect(row.queryByText(/You asked for/)).toBeNull();
  expect(screen.getByText('Request withdrawn. The lesson stays as it is.')).toBeTruthy();
});

test('a request without chosen times does not mention a time', async () => {
  const { row } = await openPortal({ choices: [] });
  expect(row.getByText(/^You asked for another time\./)).toBeTruthy();
});

test('a suggested time is accepted with one press', async () => {
  const { user, server, show, row } = await openPortal(suggested);
  expect(
    row.getByText('Ada Fenwick suggests: Wed 25 Nov, 6pm or Thu 26 Nov, 5:30pm.'),
  ).toBeTruthy();
  expect(row.getByText("I'm away on Friday.")).toBeTruthy();
  server.handlers[ACCEPT] = () => {
    show(null);
    return json(200, {});
  };
  await user.click(row.getByRole('button', { name: 'Move to Thu 26 Nov, 5:30pm' }));
  expect(await screen.findByText('Moved to Thu 26 Nov, 5:30pm.')).toBeTruthy();
  expect(server.last(ACCEPT)?.body).toEqual({ date: '2026-11-26', startTime: '17:30' });
  expect(new Headers(server.last(ACCEPT)?.init.headers).get('Idempotency-Key')).toBeTruthy();
});

test('if a suggested time is no longer free, the error is shown inline', async () => {
  const { user, server, show, row } = await openPortal(suggested);
  server.handlers[ACCEPT] = () => {
    show(portalMoveRequest({ ...suggested, suggestions: suggested.suggestions?.slice(1) ?? [] }));
    return json(409, { code: 'conflict', message: 'Ada has another lesson then.' });
  };
  await user.click(row.getByRole('button', { name: 'Move to Wed 25 Nov, 6pm' }));
  expect((await row.findByRole('alert')).textContent).toBe('Ada has another lesson then.');
  await vi.waitFor(() =>
    expect(row.queryByRole('button', { name: 'Move to Wed 25 Nov, 6pm' })).toBeNull(),
  );
  expect(row.getByRole('button', { name: 'Move to Thu 26 Nov, 5:30pm' })).toBeTruthy();
});

test('a suggestion can be declined', async () => {
  const { user, server, show, row } = await openPortal(suggested);
  server.handlers[WITHDRAW] = () => {
    show(null);
    return json(200, {});
  };
  await user.click(row.getByRole('button', { name: 'Keep the lesson as it is' }));
  expect(await row.findByRole('button', { name: /^Ask to move/ })).toBeTruthy();
  expect(screen.getByText('Suggestion declined. The lesson stays as it is.')).toBeTruthy();
  expect(server.count(WITHDRAW)).toBe(1);
});

test('if the request no longer exists, a message says so and the list is refetched', async () => {
  const { user, server, show, row } = await openPortal({});
  server.handlers[WITHDRAW] = () => {
    show(null);
    return json(404, { code: 'not_found', message: 'This request has been answered.' });
  };
  await user.click(row.getByRole('button', { name: /^Withdraw/ }));
  expect(await screen.findByText('This request has been answered.')).toBeTruthy();
  expect(await row.findByRole('button', { name: /^Ask to move/ })).toBeTruthy();
  expect(row.queryByRole('alert')).toBeNull();
});

test('a declined request shows what the tutor wrote', async () => {
  const { row } = await openPortal({ status: 'declined', answer: 'My evenings are full.' });
  expect(row.getByText("Ada Fenwick can't move this lesson.")).toBeTruthy();
  expect(row.getByText('My evenings are full.')).toBeTruthy();
  expect(row.queryByRole('button')).toBeNull();
});

test.each<[Partial<PortalMoveRequest>, RegExp]>([
  [{}, /^Someone else asked for Fri 27 Nov, 5pm or/],
  [suggested, /^Ada Fenwick suggests: .* Only the person who asked can accept\.$/],
])("another person's request has no buttons: %o", async (request, text) => {
  const { row } = await openPortal({ ...request, isOwn: false });
  expect(row.getByText(text)).toBeTruthy();
  expect(row.queryByRole('button')).toBeNull();
});

test('a person in another time zone sees both times', async () => {
  const { row } = await openPortal(suggested, { timeZone: 'America/New_York' });
  expect(
    row.getByRole('button', {
      name: 'Move to Wed 25 Nov, 6pm London time (1pm your time)',
    }),
  ).toBeTruthy();
});
