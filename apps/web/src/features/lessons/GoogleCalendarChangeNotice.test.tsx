import type { ExternalChange } from '@lessonbook/contract/calendar';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { messagePreview } from '../../test/message-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { calendarChange, sessionDetails } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const CHANGES = 'GET /api/calendar/external-changes';
const ACCEPT = 'POST /api/calendar/external-changes/4/accept';
const REJECT = 'POST /api/calendar/external-changes/4/reject';

const OVERLAP = {
  code: 'overlap',
  message: 'This overlaps with another lesson.',
  overlaps: [
    {
      date: '2026-11-17',
      startTime: '17:00',
      endTime: '18:00',
      withSessionId: 30,
      withTitle: 'Leo Hale - Piano',
      withStartTime: '17:30',
      withEndTime: '18:00',
    },
  ],
};

async function openNotice(
  overrides: Partial<ExternalChange> = {},
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () => json(200, sessionDetails({ id: 12 })),
    'GET /api/sessions/40': () => json(200, sessionDetails({ id: 40, date: '2026-11-17' })),
    [CHANGES]: ({ url }) =>
      json(200, url.endsWith('session=12') ? [calendarChange(overrides)] : []),
    'POST /api/messages/change-notice/preview': () => json(200, [messagePreview()]),
    ...handlers,
  });
  const app = renderApp('/sessions/12');
  const region = await screen.findByRole('region', { name: 'Changed in Google' });
  return { ...app, server, notice: within(region) };
}

/** Removes the change from the list and delays the session, so that the list is refetched first. */
const resolveChange = (server: ReturnType<typeof mockApi>) => {
  server.handlers[CHANGES] = () => json(200, []);
  const session = server.handlers['GET /api/sessions/12'];
  server.handlers['GET /api/sessions/12'] = async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return session?.(call) ?? json(404, {});
  };
};

test('moves the session when a move in Google is accepted', async () => {
  const { notice, user, server, pathname } = await openNotice();
  expect(notice.getByText('Moved in Google to Tue 17 Nov, 17:00–18:00')).toBeTruthy();
  expect(notice.getByText('In Lessonbook it is still Sun 15 Nov, 16:00–17:00.')).toBeTruthy();
  server.handlers[ACCEPT] = () => {
    resolveChange(server);
    return json(200, { sessionId: 40 });
  };
  await user.click(notice.getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('Lesson moved')).toBeTruthy();
  expect(server.last(ACCEPT)?.body).toEqual({ acceptOverlaps: false });
  await vi.waitFor(() => expect(pathname()).toBe('/sessions/40'));
  expect(await screen.findByRole('dialog', { name: 'Let Ruth know?' })).toBeTruthy();
  expect(server.last('POST /api/messages/change-notice/preview')?.body).toMatchObject({
    sessionIds: [12],
  });
  expect(screen.queryByRole('region', { name: 'Changed in Google' })).toBeNull();
});

test('asks for confirmation when the new time overlaps another lesson', async () => {
  const { notice, user, server } = await openNotice(
    {},
    {
      [ACCEPT]: ({ body }) =>
        (body as { acceptOverlaps: boolean }).acceptOverlaps
          ? json(200, { sessionId: 40 })
          : json(409, OVERLAP),
    },
  );
  await user.click(notice.getByRole('button', { name: 'Accept' }));
  const first = within(await screen.findByRole('dialog', { name: 'This lesson overlaps another' }));
  expect(first.getByText('Leo Hale - Piano')).toBeTruthy();
  expect(screen.queryByText(OVERLAP.message)).toBeNull();
  await user.click(first.getByRole('button', { name: 'Go back' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.count(ACCEPT)).toBe(1);

  await user.click(notice.getByRole('button', { name: 'Accept' }));
  const again = within(await screen.findByRole('dialog', { name: 'This lesson overlaps another' }));
  await user.click(again.getByRole('button', { name: 'Move anyway' }));
  expect(await screen.findByText('Lesson moved')).toBeTruthy();
  expect(server.last(ACCEPT)?.body).toEqual({ acceptOverlaps: true });
});

test('cancels the session when a deletion in Google is accepted, and offers undo', async () => {
  const { notice, user, server, pathname } = await openNotice({ kind: 'deleted', to: null });
  expect(notice.getByText('Deleted in Google')).toBeTruthy();
  server.handlers[ACCEPT] = () => {
    resolveChange(server);
    return json(200, { sessionId: 12 });
  };
  await user.click(notice.getByRole('button', { name: 'Cancel the lesson' }));
  expect(await screen.findByText('Lesson cancelled')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Undo', hidden: true })).toBeTruthy();
  expect(await screen.findByRole('dialog', { name: 'Let Ruth know?' })).toBeTruthy();
  expect(server.last('POST /api/messages/change-notice/preview')?.body).toMatchObject({
    sessionIds: [12],
  });
  expect(pathname()).toBe('/sessions/12');
});

test('offers only Undo change when a lesson cannot be moved to the new time', async () => {
  const { notice, user, server } = await openNotice({ to: null });
  expect(
    notice.getByText("Changed in Google to an all-day or overnight event, which can't be a lesson"),
  ).toBeTruthy();
  expect(notice.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Undo change',
  ]);
  server.handlers[REJECT] = () => {
    resolveChange(server);
    return json(200, { sessionId: 12 });
  };
  await user.click(notice.getByRole('button', { name: 'Undo change' }));
  expect(
    await screen.findByText('Google will show the lesson as it is in Lessonbook.'),
  ).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Changed in Google' })).toBeNull(),
  );
});

test('shows the conflict and removes the notice if the change was resolved on another device', async () => {
  const message = 'This was answered before.';
  const { notice, user, server } = await openNotice();
  server.handlers[ACCEPT] = () => {
    resolveChange(server);
    server.handlers['GET /api/me'] = () => json(200, { ...ada, revision: ada.revision + 1 });
    return json(409, { code: 'conflict', message });
  };
  await user.click(notice.getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText(message)).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Changed in Google' })).toBeNull(),
  );
});

test('does not load changes for a completed session', async () => {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions/12': () => json(200, sessionDetails({ id: 12, status: 'completed' })),
    [CHANGES]: () => json(200, [calendarChange()]),
  });
  renderApp('/sessions/12');
  await screen.findByRole('heading', { level: 1, name: /^Maya Okafor/ });
  expect(server.count(CHANGES)).toBe(0);
});
