import { NOTIFICATION_KINDS, type Notification } from '@lessonbook/contract/notifications';
import type { SessionStudent } from '@lessonbook/contract/sessions';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createDeferredReply, FakeEventSource, json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionDetails } from '../test/session-fixtures.ts';
import { contact, student } from '../test/student-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const LIST = 'GET /api/notifications';
const UNREAD = 'GET /api/notifications/unread';
const READ = 'POST /api/notifications/read';

const notification = (overrides: Partial<Notification> = {}): Notification => ({
  id: 1,
  kind: 'transfer_claimed',
  text: "Ruth Hale says they've paid £70.00 by bank transfer.",
  path: '/families/3',
  targetId: 3,
  requiresAction: true,
  at: '2026-11-15T09:05:00Z',
  read: false,
  ...overrides,
});

const reply = (list: Notification[]) => ({
  unread: list.filter(({ read }) => !read).length,
  open: list.filter(({ requiresAction }) => requiresAction),
  notifications: list,
});

function openInbox(list: Notification[], handlers: Parameters<typeof mockApi>[0] = {}) {
  const unread = list.filter(({ read }) => !read).length;
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [LIST]: () => json(200, reply(list)),
    [UNREAD]: () => json(200, { unread }),
    [READ]: () => json(200, { unread: 0 }),
    ...handlers,
  });
  return { ...renderApp('/notifications'), server };
}

test('[ROUTE-25] notifications that require action come first', async () => {
  const list = NOTIFICATION_KINDS.map((kind, index) =>
    notification({
      id: index + 1,
      kind,
      text: `About ${kind}`,
      requiresAction: index < 2,
      read: kind === 'trial_ending',
    }),
  );
  openInbox(list);
  const requiresAction = within(await screen.findByRole('region', { name: 'To do' }));
  expect(requiresAction.getAllByRole('link')).toHaveLength(2);
  const earlier = within(screen.getByRole('region', { name: 'Earlier' }));
  expect(earlier.getAllByRole('link')).toHaveLength(NOTIFICATION_KINDS.length - 2);
  expect(earlier.getByRole('link', { name: /About payment_failed.*Unread/ })).toBeTruthy();
  expect(earlier.queryByRole('link', { name: /About trial_ending.*Unread/ })).toBeNull();
});

test('F78 a notification requires action until it is done, even if it has been read or is on a later page', async () => {
  const read = notification({ read: true });
  const { user, server } = openInbox([read], {
    [LIST]: () => json(200, { unread: 0, open: [read], notifications: [] }),
    'POST /api/notifications/done': () => json(200, { unread: 0 }),
  });
  const region = within(await screen.findByRole('region', { name: 'To do' }));
  expect(region.getByRole('link', { name: /Ruth Hale says/ })).toBeTruthy();
  server.handlers[LIST] = () =>
    json(200, reply([notification({ read: true, requiresAction: false })]));
  await user.click(region.getByRole('button', { name: /^Done: Ruth Hale says/ }));
  expect(await screen.findByRole('region', { name: 'Earlier' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'To do' })).toBeNull();
  expect(server.last('POST /api/notifications/done')?.body).toEqual({ ids: [1] });
});

test('[ROUTE-24] a click marks the notification as read and navigates; the unread count goes down', async () => {
  const { user, server, pathname } = openInbox([notification()]);
  const bells = await screen.findAllByRole('link', { name: /^Notifications\s+1 unread$/ });
  expect(bells.length).toBeGreaterThan(0);
  await user.click(await screen.findByRole('link', { name: /Ruth Hale says/ }));
  await waitFor(() => expect(pathname()).toBe('/families/3'));
  expect(server.last(READ)?.body).toEqual({ ids: [1] });
  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: 'Notifications' }).length).toBe(bells.length),
  );
});

test('all notifications can be marked as read at once', async () => {
  const { user, server } = openInbox([
    notification(),
    notification({ id: 2, requiresAction: false }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(server.last(READ)?.body).toEqual({}));
  await waitFor(() => expect(screen.queryByText('Unread')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
});

test('a notification is optimistically marked as read, including in the badge, and reverts on error', async () => {
  const saving = createDeferredReply();
  const { user } = openInbox([notification({ path: null }), notification({ id: 2 })], {
    [READ]: saving.handler,
  });
  const bell = (count: number) => ({ name: new RegExp(`^Notifications\\s+${count} unread$`) });
  await screen.findAllByRole('link', bell(2));
  await user.click(await screen.findByRole('button', { name: /^Ruth Hale says/ }));
  expect(await screen.findAllByRole('link', bell(1))).toBeTruthy();
  expect(screen.getAllByText('Unread')).toHaveLength(1);
  saving.reply(json(500, {}));
  expect(await screen.findByText("We couldn't mark this as read. Please try again.")).toBeTruthy();
  await waitFor(() => expect(screen.getAllByText('Unread')).toHaveLength(2));
  expect(await screen.findAllByRole('link', bell(2))).toBeTruthy();
});

test('an empty inbox shows a message, and a failed request can be retried', async () => {
  const { user, server } = openInbox([], { [LIST]: () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[LIST] = () => json(200, reply([]));
  await user.click(retry);
  expect(await screen.findByText(/^You're all caught up/)).toBeTruthy();
});

const stream = () => [...FakeEventSource.openSources].at(-1);
const emit = (type: 'open' | 'message' | 'error') => stream()?.dispatchEvent(new Event(type));

test('[ROUTE-24] a live update appears without a reload, and other changed data is refetched', async () => {
  const { server } = openInbox([]);
  await screen.findByText(/^You're all caught up/);
  expect(stream()?.url).toBe('/api/notifications/stream');
  emit('open');
  server.handlers[LIST] = () => json(200, reply([notification()]));
  server.handlers[UNREAD] = () => json(200, { unread: 1 });
  const requestsBefore = server.count('GET /api/me');
  emit('message');
  expect(await screen.findByRole('link', { name: /Ruth Hale says/ })).toBeTruthy();
  await screen.findAllByRole('link', { name: /^Notifications\s+1 unread$/ });
  // The tutor's revision has increased, so the other pages refetch.
  expect(server.count('GET /api/me')).toBe(requestsBefore + 1);
});

test('the stream is closed while offline, and reconnecting refetches the unread count', async () => {
  const { server } = openInbox([]);
  await screen.findByText(/^You're all caught up/);
  window.dispatchEvent(new Event('offline'));
  expect(stream()).toBeUndefined();
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(FakeEventSource.openSources.size).toBe(1));
  const requestsBefore = server.count(UNREAD);
  emit('open');
  await waitFor(() => expect(server.count(UNREAD)).toBe(requestsBefore + 1));
});

test('while the stream is down, the unread count is polled', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = openInbox([]);
  await screen.findByText(/^You're all caught up/);
  emit('open');
  await waitFor(() => expect(server.count(UNREAD)).toBe(2));
  // With an open stream there is no polling.
  await act(() => vi.advanceTimersByTimeAsync(45_000));
  expect(server.count(UNREAD)).toBe(2);
  emit('error');
  await waitFor(() => expect(server.count(UNREAD)).toBe(3));
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  expect(server.count(UNREAD)).toBe(4);
});

const smallGroup = notification({
  kind: 'group_below_minimum',
  text: 'Year 11 maths on Mon 16 Nov, 5:45pm: only 1 student is expected, and the minimum is 2.',
  path: '/sessions/12',
  targetId: 12,
});

test('the tutor can teach a small group anyway', async () => {
  const DONE = 'POST /api/notifications/done';
  const { user, server } = openInbox([smallGroup], { [DONE]: () => json(200, { unread: 0 }) });
  await user.click(await screen.findByRole('button', { name: /^Teach anyway/ }));
  await vi.waitFor(() => expect(server.last(DONE)?.body).toEqual({ ids: [1] }));
});

const seat = (studentId: number, state: 'expected' | 'cancelled') => ({
  ...(sessionDetails().students[0] as SessionStudent),
  studentId,
  state,
});
const maya = student({
  contacts: [contact()],
  payers: [{ familyId: 3, contactId: 7, percent: 100, from: '2025-09-01' }],
});
const groupHandlers = (seats: SessionStudent[]) => ({
  'GET /api/sessions/12': () => json(200, sessionDetails({ id: 12, students: seats })),
  'GET /api/sessions/12/students': () => json(200, [maya]),
  'GET /api/rates': () => json(200, []),
  'GET /api/subjects': () => json(200, []),
});

test('the family of the only student expected in a small group is asked about a one-to-one fee', async () => {
  openInbox([smallGroup], groupHandlers([seat(1, 'expected'), seat(2, 'cancelled')]));
  const link = await screen.findByRole('link', { name: /^Ask about a one-to-one fee/ });
  expect(link.getAttribute('href')).toBe('/messages/new?oneToOne=12');
});

test('a lesson with a small group can be cancelled for everyone without a fee', async () => {
  const CANCEL = 'POST /api/sessions/12/cancel';
  const { user, server } = openInbox([smallGroup], {
    [CANCEL]: () => json(200, sessionDetails({ id: 12, status: 'cancelled' })),
  });
  await user.click(await screen.findByRole('button', { name: /^Cancel for everyone/ }));
  await user.click(await screen.findByRole('button', { name: 'Cancel lesson' }));
  await vi.waitFor(() =>
    expect(server.last(CANCEL)?.body).toEqual({ cancelledBy: 'tutor', chargeFee: false }),
  );
});

const WAIVE = 'POST /api/portal-cancellations/31/waive';
const cancelled = notification({
  kind: 'lesson_cancelled',
  text: 'Ruth Hale cancelled Maya, Tue 17 Nov 16:30: £19.00.',
  path: '/sessions/12',
  targetId: 31,
});

test('a fee for a cancellation by a family is removed in one tap, with a link to the lesson', async () => {
  const waiving = createDeferredReply();
  const { user, server } = openInbox([cancelled], { [WAIVE]: waiving.handler });
  const region = within(await screen.findByRole('region', { name: 'To do' }));
  const link = region.getByRole('link', { name: /^Ruth Hale cancelled Maya/ });
  expect(link.getAttribute('href')).toBe('/sessions/12');
  const button = await region.findByRole('button', { name: /^Don't charge: Ruth/ });
  await user.click(button);
  await vi.waitFor(() => expect(button.hasAttribute('disabled')).toBe(true));
  expect(server.count(WAIVE)).toBe(1);
  server.handlers[LIST] = () => json(200, reply([{ ...cancelled, requiresAction: false }]));
  waiving.reply(json(200, { waived: 1 }));
  expect(await screen.findByText('No longer charged')).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: 'To do' })).toBeNull());
  expect(screen.queryByRole('button', { name: /^Don't charge/ })).toBeNull();
});

test('if a fee can no longer be removed, the reason is shown and the notification can be marked as done', async () => {
  const DONE = 'POST /api/notifications/done';
  const message = 'This lesson is on a paid invoice.';
  const { user, server } = openInbox([cancelled], {
    [WAIVE]: () => json(409, { code: 'conflict', message }),
    [DONE]: () => json(200, { unread: 0 }),
  });
  const button = await screen.findByRole('button', { name: /^Don't charge/ });
  await user.click(button);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(button.hasAttribute('disabled')).toBe(false);
  await user.click(screen.getByRole('button', { name: /^Done: Ruth/ }));
  await vi.waitFor(() => expect(server.last(DONE)?.body).toEqual({ ids: [1] }));
});

test('a free cancellation has no button to remove the fee', async () => {
  openInbox([{ ...cancelled, requiresAction: false }]);
  expect(await screen.findByRole('region', { name: 'Earlier' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Don't charge/ })).toBeNull();
});
