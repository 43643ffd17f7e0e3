import type { Notification } from '@lessonbook/contract/notifications';
import { NOTIFICATION_KINDS } from '@lessonbook/contract/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FakeEventSource } from '../test/fake-event-source.ts';
import { deferredReply, json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const LIST = 'GET /api/notifications';
const UNREAD = 'GET /api/notifications/unread';
const READ = 'POST /api/notifications/read';

const notice = (change: Partial<Notification> = {}): Notification => ({
  id: 1,
  kind: 'transfer_claimed',
  text: 'Ruth Hale says that £70.00 was sent by bank transfer.',
  path: '/families/3',
  requiresAction: true,
  at: '2026-11-15T09:05:00Z',
  read: false,
  ...change,
});

function openInbox(list: Notification[], answers: Parameters<typeof mockApi>[0] = {}) {
  const unread = list.filter(({ read }) => !read).length;
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [LIST]: () => json(200, { unread, notifications: list }),
    [UNREAD]: () => json(200, { unread }),
    [READ]: () => json(200, { unread: 0 }),
    ...answers,
  });
  return { ...renderApp('/notifications'), server };
}

test('[ROUTE-25] what needs the tutor stands first, one entry of each kind', async () => {
  const list = NOTIFICATION_KINDS.map((kind, index) =>
    notice({
      id: index + 1,
      kind,
      text: `About ${kind}`,
      requiresAction: index < 2,
      read: index > 4,
    }),
  );
  openInbox(list);
  const requiresAction = within(await screen.findByRole('region', { name: 'Needs you' }));
  expect(requiresAction.getAllByRole('link')).toHaveLength(2);
  const earlier = within(screen.getByRole('region', { name: 'Earlier' }));
  expect(earlier.getAllByRole('link')).toHaveLength(NOTIFICATION_KINDS.length - 2);
  expect(earlier.getByRole('link', { name: /About message_failed.*Unread/ })).toBeTruthy();
  expect(earlier.queryByRole('link', { name: /About trial_ending.*Unread/ })).toBeNull();
});

test('[ROUTE-24] a tap marks it as read and goes there; the bell counts down', async () => {
  const { user, server, address } = openInbox([notice()]);
  const bells = await screen.findAllByRole('link', { name: /^Notifications\s+1 unread$/ });
  expect(bells.length).toBeGreaterThan(0);
  await user.click(await screen.findByRole('link', { name: /Ruth Hale says/ }));
  await waitFor(() => expect(address()).toBe('/families/3'));
  expect(server.last(READ)?.body).toEqual({ ids: [1] });
  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: 'Notifications' }).length).toBe(bells.length),
  );
});

test('all are marked as read at once', async () => {
  const { user, server } = openInbox([notice(), notice({ id: 2, requiresAction: false })]);
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(server.last(READ)?.body).toEqual({}));
  await waitFor(() => expect(screen.queryByText('Unread')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
});

test('it is read at once, on the bell too, and a refusal makes it unread again', async () => {
  const saving = deferredReply();
  const { user } = openInbox([notice({ path: null }), notice({ id: 2 })], {
    [READ]: saving.answer,
  });
  const bell = (count: number) => ({ name: new RegExp(`^Notifications\\s+${count} unread$`) });
  await screen.findAllByRole('link', bell(2));
  await user.click(await screen.findByRole('button', { name: /Ruth Hale says/ }));
  expect(await screen.findAllByRole('link', bell(1))).toBeTruthy();
  expect(screen.getAllByText('Unread')).toHaveLength(1);
  saving.reply(json(500, {}));
  expect(await screen.findByText('Failed to mark as read. Please try again.')).toBeTruthy();
  await waitFor(() => expect(screen.getAllByText('Unread')).toHaveLength(2));
  expect(await screen.findAllByRole('link', bell(2))).toBeTruthy();
});

test('an empty inbox, and one that cannot be loaded', async () => {
  const { user, server } = openInbox([], { [LIST]: () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.answers[LIST] = () => json(200, { unread: 0, notifications: [] });
  await user.click(retry);
  expect(await screen.findByText(/^Nothing needs you/)).toBeTruthy();
});

const stream = () => [...FakeEventSource.open].at(-1);
const say = (what: 'open' | 'message' | 'error') => stream()?.dispatchEvent(new Event(what));

test('[ROUTE-24] news shows without a reload, and what else it changed is fetched anew', async () => {
  const { server } = openInbox([]);
  await screen.findByText(/^Nothing needs you/);
  expect(stream()?.url).toBe('/api/notifications/stream');
  say('open');
  server.answers[LIST] = () => json(200, { unread: 1, notifications: [notice()] });
  server.answers[UNREAD] = () => json(200, { unread: 1 });
  const asked = server.count('GET /api/me');
  say('message');
  expect(await screen.findByRole('link', { name: /Ruth Hale says/ })).toBeTruthy();
  await screen.findAllByRole('link', { name: /^Notifications\s+1 unread$/ });
  // The tutor's revision has risen, which is what the other screens go by.
  expect(server.count('GET /api/me')).toBe(asked + 1);
});

test('nobody listens behind a hidden tab or without a net, and coming back asks once more', async () => {
  const { server } = openInbox([]);
  await screen.findByText(/^Nothing needs you/);
  window.dispatchEvent(new Event('offline'));
  expect(stream()).toBeUndefined();
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(FakeEventSource.open.size).toBe(1));
  const asked = server.count(UNREAD);
  say('open');
  await waitFor(() => expect(server.count(UNREAD)).toBe(asked + 1));
});

test('where the stream breaks, the number on the bell is asked for from time to time', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = openInbox([]);
  await screen.findByText(/^Nothing needs you/);
  say('open');
  await waitFor(() => expect(server.count(UNREAD)).toBe(2));
  // Whoever is told does not ask.
  await act(() => vi.advanceTimersByTimeAsync(45_000));
  expect(server.count(UNREAD)).toBe(2);
  say('error');
  await waitFor(() => expect(server.count(UNREAD)).toBe(3));
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  expect(server.count(UNREAD)).toBe(4);
});
