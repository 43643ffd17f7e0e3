import 'fake-indexeddb/auto';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getOfflineOwner, setOfflineOwner } from '../lib/offline-owner.ts';
import {
  clearOfflineStore,
  getClearCount,
  readOfflineRecord,
  saveOfflineSnapshot,
} from '../lib/offline-store.ts';
import { createDeferredReply, json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada, offlineSnapshot } from '../test/user-fixtures.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2026-11-17T15:30:00Z');
});
afterEach(() => clearOfflineStore());

async function enableOffline() {
  setOfflineOwner(ada.id);
  await saveOfflineSnapshot(offlineSnapshot(), await getClearCount());
}

const isStored = async () => {
  const owner = getOfflineOwner();
  // Reads as the owner, to check whether the snapshot exists at all.
  setOfflineOwner(offlineSnapshot().owner);
  const record = await readOfflineRecord();
  setOfflineOwner(owner);
  return record !== null;
};

const goOffline = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
const signedInHandlers = {
  'GET /api/me': () => json(200, ada),
  // A request without a handler counts as losing the network, and the next response as regaining it.
  'GET /api/notifications/unread': () => json(200, { unread: 0 }),
  'GET /api/subjects': () => json(200, []),
  'GET /api/sessions': () => json(200, []),
  'GET /api/offline-snapshot': () => json(200, offlineSnapshot()),
};

test('offline, the snapshot is shown with first names, subjects and its age', async () => {
  goOffline();
  await enableOffline();
  mockApi({});
  const { pathname } = renderApp('/schedule');
  expect(await screen.findByRole('heading', { name: "You're offline" })).toBeTruthy();
  expect(screen.getByText('Tue 17 Nov 14:05')).toBeTruthy();
  const day = within(screen.getByRole('region', { name: 'Today, Tue 17 Nov' }));
  expect(day.getByRole('listitem').textContent).toContain('16:00–17:00MMaya Maths');
  const thursday = within(screen.getByRole('region', { name: 'Thu 19 Nov' }));
  expect(thursday.getByText('Cancelled')).toBeTruthy();
  const money = within(screen.getByRole('region', { name: 'Balances' }));
  expect(money.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Maya and LeoOwes £65',
    'Noah€5 in credit',
  ]);
  expect(pathname()).toBe('/schedule');
});

test('without a snapshot, the page mentions the setting and shows neither amounts nor the login page', async () => {
  goOffline();
  mockApi({});
  const { pathname } = renderApp('/reports');
  expect(await screen.findByRole('heading', { name: "You're offline" })).toBeTruthy();
  expect(screen.getByText(/This is my own device/)).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/£|No lessons|Login/);
  expect(pathname()).toBe('/reports');
});

test('an empty snapshot shows messages and no zero amounts', async () => {
  setOfflineOwner(ada.id);
  await saveOfflineSnapshot(offlineSnapshot({ sessions: [], balances: [] }), await getClearCount());
  mockApi({});
  renderApp('/dashboard');
  expect(await screen.findByText('No lessons up to Mon 30 Nov.')).toBeTruthy();
  expect(screen.getByText('No one owes you anything or is in credit.')).toBeTruthy();
  expect(document.body.textContent).not.toContain('£0');
});

test('an unreachable server is reported as such, and a 503 does not end the login', async () => {
  await enableOffline();
  mockApi({ 'GET /api/me': () => json(503, {}) });
  renderApp('/');
  expect(await screen.findByRole('heading', { name: "Can't reach Lessonbook" })).toBeTruthy();
  expect(screen.getByText('Maya')).toBeTruthy();
});

test('the requested page opens automatically when the network returns', async () => {
  const server = mockApi({});
  const { pathname } = renderApp('/schedule');
  await screen.findByRole('heading', { name: "Can't reach Lessonbook" });
  const me = createDeferredReply();
  Object.assign(server.handlers, { ...signedInHandlers, 'GET /api/me': me.handler });
  act(() => void window.dispatchEvent(new Event('online')));
  // The request is pending, and that must not redirect to the login page.
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(pathname()).toBe('/schedule');
  expect(screen.getByRole('heading', { name: "Can't reach Lessonbook" })).toBeTruthy();
  me.reply(json(200, ada));
  expect(await screen.findByRole('heading', { name: 'Schedule' })).toBeTruthy();
});

test('when the login has ended, the login page is shown and the snapshot is deleted', async () => {
  await enableOffline();
  mockApi({ 'GET /api/me': unauthenticated });
  const { pathname } = renderApp('/schedule');
  await vi.waitFor(() => expect(pathname()).toBe('/login'));
  await vi.waitFor(async () => expect(await isStored()).toBe(false));
});

test('a 401 on the landing page deletes the snapshot', async () => {
  await enableOffline();
  mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/');
  await vi.waitFor(async () => expect(await isStored()).toBe(false));
});

test('a 401 from any request ends the login and deletes the snapshot', async () => {
  await enableOffline();
  let ended = false;
  mockApi({
    ...signedInHandlers,
    'GET /api/me': () => (ended ? unauthenticated() : json(200, ada)),
    'GET /api/sessions': () => {
      ended = true;
      return unauthenticated();
    },
    'GET /api/offline-snapshot': () => (ended ? unauthenticated() : json(200, offlineSnapshot())),
  });
  const { pathname } = renderApp('/schedule');
  await vi.waitFor(() => expect(pathname()).toBe('/login'));
  await vi.waitFor(async () => expect(await isStored()).toBe(false));
});

test('logging out deletes the snapshot before the request is sent, even if there is no response', async () => {
  mockApi({ ...signedInHandlers, 'GET /api/notification-settings': () => json(200, {}) });
  await enableOffline();
  const { user } = renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByText('Logout failed')).toBeTruthy();
  expect(await isStored()).toBe(false);
});

test('another tutor logging in deletes the snapshot and disables offline reading', async () => {
  await enableOffline();
  mockApi({ ...signedInHandlers, 'GET /api/me': () => json(200, { ...ada, id: 'tutor-2' }) });
  renderApp('/schedule');
  await screen.findByRole('heading', { name: 'Schedule' });
  await vi.waitFor(async () => expect(await isStored()).toBe(false));
  expect(getOfflineOwner()).toBeNull();
});

test('the switch is off by default, stores the snapshot when enabled and deletes it when disabled', async () => {
  const canary = { ...offlineSnapshot(), notes: 'Canary', tutor: { email: 'canary@example.com' } };
  const server = mockApi({
    ...signedInHandlers,
    'GET /api/offline-snapshot': () => json(200, canary),
  });
  const { user } = renderApp('/settings');
  const offlineSwitch = await screen.findByRole('switch', { name: /This is my own device/ });
  expect((offlineSwitch as HTMLInputElement).checked).toBe(false);
  expect(server.count('GET /api/offline-snapshot')).toBe(0);
  const description = screen.getByText(/next 14 days of lessons/).textContent;
  expect(description).toMatch(
    /Contacts and notes aren't saved.*log out.*login expires.*someone else.*7 days/,
  );

  await user.click(offlineSwitch);
  await vi.waitFor(async () => expect(await isStored()).toBe(true));
  expect(JSON.stringify(await readOfflineRecord())).not.toMatch(/canary/i);

  await user.click(offlineSwitch);
  await vi.waitFor(async () => expect(await isStored()).toBe(false));
});
