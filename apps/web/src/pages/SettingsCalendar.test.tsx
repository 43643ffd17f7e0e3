import type { CalendarStatus, ExternalChange } from '@lessonbook/contract/calendar';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { calendarProposal, calendarStatus, syncedStatus } from '../test/calendar-fixtures.ts';
import { json, mockApi, neverReplies, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const STATUS = 'GET /api/google/calendar/status';
const CONNECT = 'GET /api/google/auth';
const DISCONNECT = 'DELETE /api/google/calendar';
const PROPOSALS = 'GET /api/calendar/proposals';
const AT_GOOGLE = 'https://accounts.google.example/o/oauth2/v2/auth?state=1';
const FAILED = 'Failed to connect to Google Calendar. Please try again.';

interface Book {
  status?: CalendarStatus;
  proposals?: ExternalChange[];
  address?: string;
  answers?: Parameters<typeof mockApi>[0];
}

async function openSettings({
  status = calendarStatus(),
  proposals = [],
  address = '/mobile-settings',
  answers = {},
}: Book = {}) {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [STATUS]: () => json(200, status),
    [PROPOSALS]: () => json(200, proposals),
    [CONNECT]: () => json(200, { authUrl: AT_GOOGLE }),
    ...answers,
  });
  const app = renderApp(address);
  const region = await screen.findByRole('region', { name: 'Google Calendar' });
  return { ...app, server, leave, google: within(region) };
}

const connectButton = { name: 'Connect' };

test('[SET-09] it reads Checking while nobody knows', async () => {
  const { google } = await openSettings({ answers: { [STATUS]: neverReplies } });
  expect(google.getByRole('status').textContent).toBe('Checking');
  expect(google.queryByRole('button')).toBeNull();
});

test('[SET-08, SET-11, SET-12] not connected, with a way to change that', async () => {
  const { google } = await openSettings();
  expect(screen.getByRole('region', { name: 'Calendar Integration' })).toBeTruthy();
  expect(await google.findByText('Not connected')).toBeTruthy();
  expect(google.getByRole<HTMLButtonElement>('button', connectButton).disabled).toBe(false);
  expect(google.queryByRole('button', { name: 'Disconnect' })).toBeNull();
});

test('[SET-10, SET-13] connected: nothing to connect, and when it was last in step', async () => {
  const { google } = await openSettings({ status: syncedStatus() });
  expect(await google.findByText('Connected')).toBeTruthy();
  expect(google.getByRole<HTMLButtonElement>('button', connectButton).disabled).toBe(true);
  expect(google.getByText('Last sync 16:05')).toBeTruthy();
  expect(google.queryByRole('progressbar')).toBeNull();
});

test('[AUTH-46] a stranger is not asked about a calendar', async () => {
  const server = mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/mobile-settings');
  await screen.findByRole('heading', { name: 'Welcome back' });
  expect(server.count(STATUS)).toBe(0);
});

test('what could not be asked is neither connected nor not', async () => {
  const { google, user, server } = await openSettings({
    answers: { [STATUS]: () => json(500, {}) },
  });
  const retry = await google.findByRole('button', { name: 'Try again' });
  expect(google.queryByText(/onnected$/)).toBeNull();
  server.answers[STATUS] = () => json(200, syncedStatus());
  await user.click(retry);
  expect(await google.findByText('Connected')).toBeTruthy();
});

test('[SET-14] connecting leads to Google in this window, and is busy until it is gone', async () => {
  const { google, user, leave } = await openSettings();
  await user.click(await google.findByRole('button', connectButton));
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(AT_GOOGLE));
  const busy = google.getByRole<HTMLButtonElement>('button', { name: 'Connecting...' });
  expect(busy.disabled).toBe(true);
  // The browser's own Back shows the page as it was left.
  act(() => void window.dispatchEvent(new Event('pageshow')));
  expect(await google.findByRole('button', connectButton)).toBeTruthy();
});

test.each([
  ['ERR-26', 'no server', 500, {}],
  ['ERR-26', 'no Google', 503, { message: 'Google does not answer.' }],
  ['ERR-27', 'no address', 200, {}],
])('[%s] connecting that fails says so: %s', async (_, _why, status, body) => {
  const { google, user, leave } = await openSettings({
    answers: { [CONNECT]: () => json(status, body) },
  });
  await user.click(await google.findByRole('button', connectButton));
  expect(await screen.findByText(FAILED)).toBeTruthy();
  expect(leave).not.toHaveBeenCalled();
  expect(google.getByRole<HTMLButtonElement>('button', connectButton).disabled).toBe(false);
});

test('the demo is told that another try will not help', async () => {
  const message = 'The demo cannot be connected to Google.';
  const { google, user } = await openSettings({
    answers: { [CONNECT]: () => json(403, { message }) },
  });
  await user.click(await google.findByRole('button', connectButton));
  expect(await screen.findByText(message)).toBeTruthy();
});

test.each(['/mobile-settings', '/settings'])(
  '[SET-25, SET-26, TOAST-12] back from Google at %s: said, taken out of the address, asked anew',
  async (path) => {
    const { server, address, search } = await openSettings({
      status: syncedStatus(),
      address: `${path}?calendar=connected`,
    });
    const words =
      'Google Calendar connected successfully! Your lessons will now sync with your calendar.';
    expect(await screen.findByText(words)).toBeTruthy();
    await vi.waitFor(() => expect(search()).toEqual({}));
    expect(address()).toBe('/mobile-settings');
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
])('[SET-27..29, ERR-28, ERR-29] back from Google without consent: %s', async (reason, words) => {
  const { address, search } = await openSettings({
    address: `/mobile-settings?calendar=error${reason}`,
  });
  expect(await screen.findByText('Google Calendar Connection Failed')).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
  await vi.waitFor(() => expect(search()).toEqual({}));
  expect(address()).toBe('/mobile-settings');
});

test('the first filling is counted, asked about while it lasts, and not after', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { google, server } = await openSettings({
    status: syncedStatus({ initialSyncRunning: true, waiting: 728, lastSyncAt: null }),
  });
  expect(await google.findByText('312 of 1,040 lessons are in your calendar')).toBeTruthy();
  const bar = google.getByRole('progressbar', { name: 'Lessons in your calendar' });
  expect(bar.getAttribute('aria-valuenow')).toBe('312');
  expect(bar.getAttribute('aria-valuemax')).toBe('1040');
  server.answers[STATUS] = () => json(200, syncedStatus({ waiting: 1 }));
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(await google.findByText('Last sync 16:05. 1 lesson waits to be sent.')).toBeTruthy();
  server.answers[STATUS] = () => json(200, syncedStatus());
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(await google.findByText('Last sync 16:05')).toBeTruthy();
  const asked = server.count(STATUS);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(server.count(STATUS)).toBe(asked);
});

const AT_NOON = { nextTryAt: '2026-11-15T12:20:00Z', waiting: 2 };

test.each([
  ['access_lost', { connected: false }, /^Google no longer lets Lessonbook in\. Connect again/],
  ['calendar_deleted', { connected: false }, /was deleted in Google\. Connect again to make a new/],
  [
    'unreachable',
    AT_NOON,
    /^Google does not answer\. It is tried again at 12:20; there is nothing/,
  ],
  ['busy', AT_NOON, /^Google asks for a pause\. It goes on at 12:20; there is nothing for you/],
  ['refused', { waiting: 1 }, /^Google refuses a lesson, and would again\. The others are in/],
  ['refused', { waiting: 2 }, /^Google refuses 2 lessons, and would again\./],
] as const)('a problem, and what to do about it: %s', async (problem, change, words) => {
  const { google } = await openSettings({ status: syncedStatus({ problem, ...change }) });
  expect(await google.findByText(words)).toBeTruthy();
  const isLost = 'connected' in change;
  const connect = { name: isLost ? 'Connect again' : 'Connect' };
  expect(google.getByRole<HTMLButtonElement>('button', connect).disabled).toBe(!isLost);
  expect(google.getByRole('button', { name: 'Disconnect' })).toBeTruthy();
});

test('disconnecting says first that the lessons in Google stay', async () => {
  const { google, user, server } = await openSettings({
    status: syncedStatus(),
    answers: { [DISCONNECT]: () => json(200, calendarStatus()) },
  });
  const disconnect = await google.findByRole('button', { name: 'Disconnect' });
  await user.click(disconnect);
  const sheet = within(await screen.findByRole('dialog', { name: 'Disconnect Google Calendar?' }));
  expect(sheet.getByText(/^The lessons already in Google stay there/)).toBeTruthy();
  await user.click(sheet.getByRole('button', { name: 'Cancel' }));
  expect(server.count(DISCONNECT)).toBe(0);
  await user.click(disconnect);
  const again = within(await screen.findByRole('dialog', { name: 'Disconnect Google Calendar?' }));
  await user.click(again.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Google Calendar disconnected')).toBeTruthy();
  expect(await google.findByText('Not connected')).toBeTruthy();
});

test('a server that cannot speak with Google leads to the address', async () => {
  const { google } = await openSettings({ status: calendarStatus({ offered: false }) });
  expect(await google.findByText(/by their address, as any other calendar can/)).toBeTruthy();
  expect(google.queryByRole('button')).toBeNull();
  expect(screen.getByRole('button', { name: 'Show address' })).toBeTruthy();
});

test('changes made in Google lead to their lessons', async () => {
  const { google } = await openSettings({
    status: syncedStatus(),
    proposals: [
      calendarProposal(),
      calendarProposal({ id: 5, sessionId: 13, kind: 'deleted', to: null }),
      calendarProposal({ id: 6, sessionId: 14, to: null }),
      calendarProposal({ id: 7, sessionId: 15 }),
    ],
  });
  expect(await google.findByText('4 changes in Google wait for you')).toBeTruthy();
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
    'Maya Okafor, Sun 15 Nov, 16:00–17:00 Changed to something a lesson cannot be',
    'and 1 more in your notifications',
  ]);
});
