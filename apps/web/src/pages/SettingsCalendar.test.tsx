import type { CalendarStatus, ExternalChange } from '@lessonbook/contract/calendar';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, neverReplies, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { calendarChange, calendarStatus, syncedStatus } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const STATUS = 'GET /api/google/calendar/status';
const CONNECT = 'GET /api/google/auth';
const DISCONNECT = 'DELETE /api/google/calendar';
const CHANGES = 'GET /api/calendar/external-changes';
const GOOGLE_URL = 'https://accounts.google.example/o/oauth2/v2/auth?state=1';
const FAILED = 'Failed to connect to Google Calendar. Please try again.';

interface Options {
  status?: CalendarStatus;
  changes?: ExternalChange[];
  url?: string;
  handlers?: Parameters<typeof mockApi>[0];
}

async function openSettings({
  status = calendarStatus(),
  changes = [],
  url = '/mobile-settings',
  handlers = {},
}: Options = {}) {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [STATUS]: () => json(200, status),
    [CHANGES]: () => json(200, changes),
    [CONNECT]: () => json(200, { authUrl: GOOGLE_URL }),
    ...handlers,
  });
  const app = renderApp(url);
  const region = await screen.findByRole('region', { name: 'Google Calendar' });
  return { ...app, server, assign, google: within(region) };
}

const connectButton = { name: 'Connect' };

test('[SET-09] shows Checking while the status loads', async () => {
  const { google } = await openSettings({ handlers: { [STATUS]: neverReplies } });
  expect(google.getByRole('status').textContent).toBe('Checking');
  expect(google.queryByRole('button')).toBeNull();
});

test('[SET-08, SET-11, SET-12] not connected: shows a Connect button', async () => {
  const { google } = await openSettings();
  expect(screen.getByRole('region', { name: 'Calendar Integration' })).toBeTruthy();
  expect(await google.findByText('Not connected')).toBeTruthy();
  expect(google.getByRole<HTMLButtonElement>('button', connectButton).disabled).toBe(false);
  expect(google.queryByRole('button', { name: 'Disconnect' })).toBeNull();
});

test('[SET-10, SET-13] connected: Connect is disabled and the last sync is shown', async () => {
  const { google } = await openSettings({ status: syncedStatus() });
  expect(await google.findByText('Connected')).toBeTruthy();
  expect(google.getByRole<HTMLButtonElement>('button', connectButton).disabled).toBe(true);
  expect(google.getByText('Last sync 16:05')).toBeTruthy();
  expect(google.queryByRole('progressbar')).toBeNull();
});

test('[AUTH-46] a visitor does not request the calendar status', async () => {
  const server = mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/mobile-settings');
  await screen.findByRole('heading', { name: 'Welcome back' });
  expect(server.count(STATUS)).toBe(0);
});

test('a failed status request shows neither connected nor not connected', async () => {
  const { google, user, server } = await openSettings({
    handlers: { [STATUS]: () => json(500, {}) },
  });
  const retry = await google.findByRole('button', { name: 'Try again' });
  expect(google.queryByText(/onnected$/)).toBeNull();
  server.handlers[STATUS] = () => json(200, syncedStatus());
  await user.click(retry);
  expect(await google.findByText('Connected')).toBeTruthy();
});

test('[SET-14] connecting redirects to Google and stays busy until the tutor leaves the page', async () => {
  const { google, user, assign } = await openSettings();
  await user.click(await google.findByRole('button', connectButton));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(GOOGLE_URL));
  const busy = google.getByRole<HTMLButtonElement>('button', { name: 'Connecting...' });
  expect(busy.disabled).toBe(true);
  // Going back restores the page from the browser's cache.
  act(() => void window.dispatchEvent(new Event('pageshow')));
  expect(await google.findByRole('button', connectButton)).toBeTruthy();
});

test.each([
  ['ERR-26', 'server error', 500, {}],
  ['ERR-26', 'Google unavailable', 503, { message: 'Google does not answer.' }],
  ['ERR-27', 'no URL', 200, {}],
])('[%s] a failed connection shows an error: %s', async (_id, _case, status, body) => {
  const { google, user, assign } = await openSettings({
    handlers: { [CONNECT]: () => json(status, body) },
  });
  await user.click(await google.findByRole('button', connectButton));
  expect(await screen.findByText(FAILED)).toBeTruthy();
  expect(assign).not.toHaveBeenCalled();
  expect(google.getByRole<HTMLButtonElement>('button', connectButton).disabled).toBe(false);
});

test("the demo account shows the server's message", async () => {
  const message = 'The demo cannot be connected to Google.';
  const { google, user } = await openSettings({
    handlers: { [CONNECT]: () => json(403, { message }) },
  });
  await user.click(await google.findByRole('button', connectButton));
  expect(await screen.findByText(message)).toBeTruthy();
});

test.each(['/mobile-settings', '/settings'])(
  '[SET-25, SET-26, TOAST-12] returning from Google to %s shows a toast, clears the URL and refetches the status',
  async (path) => {
    const { server, pathname, search } = await openSettings({
      status: syncedStatus(),
      url: `${path}?calendar=connected`,
    });
    const toastText =
      'Google Calendar connected successfully! Your lessons will now sync with your calendar.';
    expect(await screen.findByText(toastText)).toBeTruthy();
    await vi.waitFor(() => expect(search()).toEqual({}));
    expect(pathname()).toBe('/mobile-settings');
    expect(server.count(STATUS)).toBeGreaterThan(0);
    expect(await screen.findByText('Last sync 16:05')).toBeTruthy();
  },
);

test.each([
  ['&reason=some_reason', 'Error: some reason'],
  ['&reason=access_denied', 'Error: access denied'],
  ['', 'Error: unknown error'],
  ['&reason=', 'Error: unknown error'],
  ['&reason=null', 'Error: unknown error'],
])(
  '[SET-27..29, ERR-28, ERR-29] returning from Google without consent shows an error: %s',
  async (reason, errorText) => {
    const { pathname, search } = await openSettings({
      url: `/mobile-settings?calendar=error${reason}`,
    });
    expect(await screen.findByText('Google Calendar Connection Failed')).toBeTruthy();
    expect(screen.getByText(errorText)).toBeTruthy();
    await vi.waitFor(() => expect(search()).toEqual({}));
    expect(pathname()).toBe('/mobile-settings');
  },
);

test('the initial sync shows its progress and is polled while it runs', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { google, server } = await openSettings({
    status: syncedStatus({ initialSyncRunning: true, waiting: 728, lastSyncAt: null }),
  });
  expect(await google.findByText('312 of 1,040 lessons are in your calendar')).toBeTruthy();
  const bar = google.getByRole('progressbar', { name: 'Lessons in your calendar' });
  expect(bar.getAttribute('aria-valuenow')).toBe('312');
  expect(bar.getAttribute('aria-valuemax')).toBe('1040');
  server.handlers[STATUS] = () => json(200, syncedStatus({ waiting: 1 }));
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(await google.findByText('Last sync 16:05. 1 lesson still to be sent.')).toBeTruthy();
  server.handlers[STATUS] = () => json(200, syncedStatus());
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(await google.findByText('Last sync 16:05')).toBeTruthy();
  const requests = server.count(STATUS);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(server.count(STATUS)).toBe(requests);
});

const RETRY_LATER = { nextTryAt: '2026-11-15T12:20:00Z', waiting: 2 };

test.each([
  [
    'access_lost',
    { connected: false },
    /^Lessonbook no longer has access to your Google Calendar\./,
  ],
  [
    'calendar_deleted',
    { connected: false },
    /was deleted in Google\. Connect again to create a new/,
  ],
  ['unreachable', RETRY_LATER, /^We can't reach Google\. We'll try again at 12:20\./],
  ['busy', RETRY_LATER, /^Google is limiting requests\. We'll try again at 12:20\./],
  ['refused', { waiting: 1 }, /^Google rejected a lesson\. Edit it to try again\./],
  ['refused', { waiting: 2 }, /^Google rejected 2 lessons\. Edit them to try again\./],
] as const)('the problem %s is explained', async (problem, change, text) => {
  const { google } = await openSettings({ status: syncedStatus({ problem, ...change }) });
  expect(await google.findByText(text)).toBeTruthy();
  const isLost = 'connected' in change;
  const connect = { name: isLost ? 'Connect again' : 'Connect' };
  expect(google.getByRole<HTMLButtonElement>('button', connect).disabled).toBe(!isLost);
  expect(google.getByRole('button', { name: 'Disconnect' })).toBeTruthy();
});

test.each([
  [1, /^Google couldn't create a Meet link for a lesson\./],
  [1200, /^Google couldn't create a Meet link for 1,200 lessons\./],
])('%i lessons without a Meet link are explained', async (meetFailures, text) => {
  const { google } = await openSettings({ status: syncedStatus({ meetFailures }) });
  expect(await google.findByText(text)).toBeTruthy();
});

test('disconnecting first explains that the lessons stay in Google', async () => {
  const { google, user, server } = await openSettings({
    status: syncedStatus(),
    handlers: { [DISCONNECT]: () => server.saved(STATUS, calendarStatus()) },
  });
  const disconnect = await google.findByRole('button', { name: 'Disconnect' });
  await user.click(disconnect);
  const modal = within(await screen.findByRole('dialog', { name: 'Disconnect Google Calendar?' }));
  expect(modal.getByText(/^Lessons already in Google stay there/)).toBeTruthy();
  await user.click(modal.getByRole('button', { name: 'Cancel' }));
  expect(server.count(DISCONNECT)).toBe(0);
  await user.click(disconnect);
  const again = within(await screen.findByRole('dialog', { name: 'Disconnect Google Calendar?' }));
  await user.click(again.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Google Calendar disconnected')).toBeTruthy();
  expect(await google.findByText('Not connected')).toBeTruthy();
});

test('a server without Google integration points to the feed URL', async () => {
  const { google } = await openSettings({ status: calendarStatus({ offered: false }) });
  expect(await google.findByText(/with the address below/)).toBeTruthy();
  expect(google.queryByRole('button')).toBeNull();
  expect(screen.getByRole('button', { name: 'Show address' })).toBeTruthy();
});

test('changes made in Google link to their sessions', async () => {
  const { google } = await openSettings({
    status: syncedStatus(),
    changes: [
      calendarChange(),
      calendarChange({ id: 5, sessionId: 13, kind: 'deleted', to: null }),
      calendarChange({ id: 6, sessionId: 14, to: null }),
      calendarChange({ id: 7, sessionId: 15 }),
    ],
  });
  expect(await google.findByText('4 changes in Google to review')).toBeTruthy();
  const links = google.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/sessions/12',
    '/sessions/13',
    '/sessions/14',
    '/notifications',
  ]);
  expect(links.map((link) => link.textContent)).toEqual([
    'Maya Okafor, Sun 15 Nov, 16:00–17:00 Moved to Tue 17 Nov, 17:00–18:00',
    'Maya Okafor, Sun 15 Nov, 16:00–17:00 Deleted',
    "Maya Okafor, Sun 15 Nov, 16:00–17:00 This change can't be applied to a lesson",
    'and 1 more in your notifications',
  ]);
});
