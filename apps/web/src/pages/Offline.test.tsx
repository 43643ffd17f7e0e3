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
import { deferredReply, json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { offlineSnapshot } from '../test/offline-fixtures.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2026-11-17T15:30:00Z');
});
afterEach(() => clearOfflineStore());

async function onOwnDevice() {
  setOfflineOwner(ada.id);
  await saveOfflineSnapshot(offlineSnapshot(), await getClearCount());
}

const isKept = async () => {
  const owner = getOfflineOwner();
  // Whoever may read it or not: whether it is there at all.
  setOfflineOwner(offlineSnapshot().owner);
  const kept = await readOfflineRecord();
  setOfflineOwner(owner);
  return kept !== null;
};

const browserIsOffline = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
const atHome = {
  'GET /api/me': () => json(200, ada),
  // Whatever is not answered counts as a network that is gone, and what comes then as one that is back.
  'GET /api/notifications/unread': () => json(200, { unread: 0 }),
  'GET /api/subjects': () => json(200, []),
  'GET /api/sessions': () => json(200, []),
  'GET /api/offline-book': () => json(200, offlineSnapshot()),
};

test('without a network a kept book opens to read, with first names, tones and the time it is from', async () => {
  browserIsOffline();
  await onOwnDevice();
  mockApi({});
  const { address } = renderApp('/schedule');
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeTruthy();
  expect(screen.getByText('Tue 17 Nov 14:05')).toBeTruthy();
  const day = within(screen.getByRole('region', { name: 'Today, Tue 17 Nov' }));
  expect(day.getByRole('listitem').textContent).toContain('16:00–17:00MMaya Maths');
  const thursday = within(screen.getByRole('region', { name: 'Thu 19 Nov' }));
  expect(thursday.getByText('Cancelled')).toBeTruthy();
  const money = within(screen.getByRole('region', { name: 'Balances' }));
  expect(money.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Maya and LeoOwes £65',
    'NoahIn credit €5',
  ]);
  expect(address()).toBe('/schedule');
});

test('without anything kept it says so, names the switch, and shows neither amounts nor the login', async () => {
  browserIsOffline();
  mockApi({});
  const { address } = renderApp('/reports');
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeTruthy();
  expect(screen.getByText(/This is my own device/)).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/£|No lessons|Login/);
  expect(address()).toBe('/reports');
});

test('a kept book without lessons and debts says that in words, and never as nought', async () => {
  setOfflineOwner(ada.id);
  await saveOfflineSnapshot(offlineSnapshot({ sessions: [], balances: [] }), await getClearCount());
  mockApi({});
  renderApp('/dashboard');
  expect(await screen.findByText('No lessons up to Mon 30 Nov.')).toBeTruthy();
  expect(screen.getByText('Nothing was open.')).toBeTruthy();
  expect(document.body.textContent).not.toContain('£0');
});

test('a network without Lessonbook at its end is called by its name, and a server that stumbles ends no login', async () => {
  await onOwnDevice();
  mockApi({ 'GET /api/me': () => json(503, {}) });
  renderApp('/');
  expect(await screen.findByRole('heading', { name: 'Lessonbook cannot be reached' })).toBeTruthy();
  expect(screen.getByText('Maya')).toBeTruthy();
});

test('with the network the screen of the address comes by itself', async () => {
  const server = mockApi({});
  const { address } = renderApp('/schedule');
  await screen.findByRole('heading', { name: 'Lessonbook cannot be reached' });
  const me = deferredReply();
  Object.assign(server.answers, { ...atHome, 'GET /api/me': me.answer });
  act(() => void window.dispatchEvent(new Event('online')));
  // Asked, and not answered yet: nobody is sent to the login page for that.
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(address()).toBe('/schedule');
  expect(screen.getByRole('heading', { name: 'Lessonbook cannot be reached' })).toBeTruthy();
  me.reply(json(200, ada));
  expect(await screen.findByRole('heading', { name: 'Schedule' })).toBeTruthy();
});

test('a login that has ended shows the login page, and nothing stays', async () => {
  await onOwnDevice();
  mockApi({ 'GET /api/me': unauthenticated });
  const { address } = renderApp('/schedule');
  await vi.waitFor(() => expect(address()).toBe('/login'));
  await vi.waitFor(async () => expect(await isKept()).toBe(false));
});

test('a visitor who is nobody leaves nothing of the tutor before, on the landing page too', async () => {
  await onOwnDevice();
  mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/');
  await vi.waitFor(async () => expect(await isKept()).toBe(false));
});

test('whatever call is refused first, the login is asked for again and nothing stays', async () => {
  await onOwnDevice();
  let ended = false;
  mockApi({
    ...atHome,
    'GET /api/me': () => (ended ? unauthenticated() : json(200, ada)),
    'GET /api/sessions': () => {
      ended = true;
      return unauthenticated();
    },
    'GET /api/offline-book': () => (ended ? unauthenticated() : json(200, offlineSnapshot())),
  });
  const { address } = renderApp('/schedule');
  await vi.waitFor(() => expect(address()).toBe('/login'));
  await vi.waitFor(async () => expect(await isKept()).toBe(false));
});

test('logging out wipes before the server is asked, so also without an answer', async () => {
  mockApi({ ...atHome, 'GET /api/notification-settings': () => json(200, {}) });
  await onOwnDevice();
  const { user } = renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByText('Logout failed')).toBeTruthy();
  expect(await isKept()).toBe(false);
});

test('another tutor who logs in here finds nothing, and a device that is not theirs', async () => {
  await onOwnDevice();
  mockApi({ ...atHome, 'GET /api/me': () => json(200, { ...ada, id: 'tutor-2' }) });
  renderApp('/schedule');
  await screen.findByRole('heading', { name: 'Schedule' });
  await vi.waitFor(async () => expect(await isKept()).toBe(false));
  expect(getOfflineOwner()).toBeNull();
});

test('the switch is off until it is moved, keeps at once, says what and until when, and off is off', async () => {
  const canary = { ...offlineSnapshot(), notes: 'Canary', tutor: { email: 'canary@example.com' } };
  const server = mockApi({ ...atHome, 'GET /api/offline-book': () => json(200, canary) });
  const { user } = renderApp('/settings');
  const own = await screen.findByRole('switch', { name: /This is my own device/ });
  expect((own as HTMLInputElement).checked).toBe(false);
  expect(server.count('GET /api/offline-book')).toBe(0);
  const words = screen.getByText(/next 14 days of lessons/).textContent;
  expect(words).toMatch(/No contacts, no notes.*log out.*login ends.*somebody else.*7 days/);

  await user.click(own);
  await vi.waitFor(async () => expect(await isKept()).toBe(true));
  expect(JSON.stringify(await readOfflineRecord())).not.toMatch(/canary/i);

  await user.click(own);
  await vi.waitFor(async () => expect(await isKept()).toBe(false));
});
