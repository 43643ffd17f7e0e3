import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { notifications } from '@lessonbook/contract/notifications';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CalendarTestApp,
  connectGoogleCalendar,
  googleUser,
  listGoogleEvents,
  startCalendarTestApp,
} from '../../test/calendar-test-app.ts';
import {
  addLesson,
  createLessonFixture,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp } from '../../test/test-app.ts';
import { createTutor } from '../../test/tutor.ts';
import { enqueueDueSyncs } from './service/schedule-sync.ts';

let all: CalendarTestApp;
let fixture: LessonFixture;
let user: string;

beforeAll(async () => {
  all = await startCalendarTestApp();
});
afterAll(() => all.close());
beforeEach(async () => {
  await all.app.restartClock();
  await all.google.control.clearFaults();
  fixture = await createLessonFixture(all.app);
  user = await googleUser(fixture.browser);
});

const status = async () => (await fixture.browser.call(calendar.calendarStatus)).body;
const inGoogle = () => listGoogleEvents(all.google, user);
const connect = async () => {
  const back = await connectGoogleCalendar(all.google, fixture.browser, { user });
  await all.waitUntilIdle();
  return back;
};
const look = async () => {
  all.app.clock.forward({ hours: 1, minutes: 1 });
  await enqueueDueSyncs(all.app.context);
  await all.waitUntilIdle();
};
const stateIn = async () => {
  const { authUrl } = (await fixture.browser.call(calendar.connectCalendar)).body;
  return { authUrl, state: new URL(authUrl).searchParams.get('state') ?? '' };
};

describe('consent', () => {
  test('asks for nothing but calendars of our own making, with a challenge and a state [API-36]', async () => {
    const { authUrl } = (await fixture.browser.call(calendar.connectCalendar)).body;
    const asked = Object.fromEntries(new URL(authUrl).searchParams);
    expect(asked).toMatchObject({
      scope: 'https://www.googleapis.com/auth/calendar.app.created',
      access_type: 'offline',
      prompt: 'consent',
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    expect(asked['state']?.length).toBeGreaterThanOrEqual(32);
  });

  test('refused, or without the calendar: said so, and nothing is connected', async () => {
    const refused = await connectGoogleCalendar(all.google, fixture.browser, {
      user,
      decision: 'refuse',
    });
    expect(refused).toBe('/mobile-settings?calendar=error&reason=access_denied');
    const half = await connectGoogleCalendar(all.google, fixture.browser, {
      user,
      decision: 'allow-without-calendar',
    });
    expect(half).toBe('/mobile-settings?calendar=error&reason=calendar_access_was_not_allowed');
    expect(await status()).toMatchObject({ connected: false, problem: null });
  });

  test('[V10.1.2, V10.2.1] a state is good once, for the login that began it, and for half an hour', async () => {
    const tooOld = '/mobile-settings?calendar=error&reason=this_link_was_used_or_is_too_old';
    const { authUrl } = await stateIn();
    const { redirect } = await all.google.control.consent(authUrl, { user });
    const { pathname, search } = new URL(redirect);
    const by = async (browser: typeof fixture.browser) =>
      (await browser.send('GET', pathname + search)).headers.get('location');
    const other = await createTutor(all.app);
    expect(await by(other.browser)).toBe(tooOld);
    expect(await by(all.app.browser())).toBe('/login');
    expect(await by(fixture.browser)).toBe('/mobile-settings?calendar=connected');
    expect(await by(fixture.browser)).toBe(tooOld);

    const late = await stateIn();
    const back = await all.google.control.consent(late.authUrl, { user });
    all.app.clock.forward({ minutes: 31 });
    const { pathname: path, search: query } = new URL(back.redirect);
    expect((await fixture.browser.send('GET', path + query)).headers.get('location')).toBe(tooOld);
  });

  test('a code of somebody else does not fit: the verifier belongs to the state', async () => {
    const mine = await stateIn();
    const other = await createLessonFixture(all.app);
    const theirs = (await other.browser.call(calendar.connectCalendar)).body.authUrl;
    const stolen = await all.google.control.consent(theirs, { user: 'mallory@gmail.example' });
    const code = new URL(stolen.redirect).searchParams.get('code') ?? '';
    const path = `/api/google/callback?${new URLSearchParams({ state: mine.state, code }).toString()}`;
    expect((await fixture.browser.send('GET', path)).headers.get('location')).toBe(
      '/mobile-settings?calendar=error&reason=google_did_not_accept_it',
    );
    expect(await status()).toMatchObject({ connected: false });
  });

  test('Google away when the browser comes back: said so', async () => {
    await all.google.control.addFault({ kind: 'status', status: 503, times: 5, path: '/token' });
    expect(await connectGoogleCalendar(all.google, fixture.browser, { user })).toBe(
      '/mobile-settings?calendar=error&reason=google_cannot_be_reached',
    );
  });

  test('the demo cannot be connected', async () => {
    const { username } = (await fixture.browser.call(accounts.me)).body;
    await all.app.admin.query('update login_directory set is_demo = true where username = $1', [
      username,
    ]);
    const refused = await fixture.browser.call(calendar.connectCalendar);
    expect(refused.status).toBe(403);
    expect(refused.error.message).toBe('The demo cannot be connected to Google Calendar.');
  });

  test('[V10.1.1] the way in is kept sealed, for this tutor alone', async () => {
    await connect();
    const { rows } = await all.app.admin.query<{ encrypted_token: string }>(
      `select encrypted_token from calendar_connections where encrypted_token is not null`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { encrypted_token } of rows) {
      expect(encrypted_token).toMatch(/^k1\.[\w-]{60,}$/);
      expect(encrypted_token).not.toContain('1//');
    }
  });
});

describe('losing and finding', () => {
  test('revoked at Google: said in words and in the inbox, once, and nothing is sent', async () => {
    await connect();
    await all.google.control.revoke(user);
    await addLesson(fixture);
    await all.waitUntilIdle();
    await look();
    expect(await status()).toMatchObject({ connected: false, problem: 'access_lost' });
    const inbox = (await fixture.browser.call(notifications.listNotifications, { query: {} })).body;
    const told = inbox.notifications.filter((one) => one.kind === 'calendar_disconnected');
    expect(told).toMatchObject([{ requiresAction: true, path: '/settings' }]);
  });

  test('connecting again doubles nothing, and sends what changed meanwhile', async () => {
    await addLesson(fixture, weekly());
    await connect();
    await all.google.control.revoke(user);
    await addLesson(fixture, { date: '2026-11-20' });
    await all.waitUntilIdle();
    expect(await status()).toMatchObject({ connected: false });
    await connect();
    expect(await status()).toMatchObject({ connected: true, problem: null, waiting: 0 });
    expect(await inGoogle()).toHaveLength(6);
    const [books] = await all.google.control.report(user);
    expect(books?.calendars).toHaveLength(1);
    const ids = books?.calendars[0]?.events.map((event) => event.id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('with another account at Google: a calendar there, and the old one is left alone', async () => {
    await addLesson(fixture);
    await connect();
    await fixture.browser.call(calendar.disconnectCalendar);
    const other = `other.${user}`;
    expect(await connectGoogleCalendar(all.google, fixture.browser, { user: other })).toContain(
      'connected',
    );
    await all.waitUntilIdle();
    expect(await listGoogleEvents(all.google, other)).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('the calendar deleted in Google: said so, nothing is cancelled, and connecting makes a new one', async () => {
    await addLesson(fixture);
    await connect();
    const [books] = await all.google.control.report(user);
    await all.google.control.deleteCalendar(books?.calendars[0]?.id ?? '');
    await look();
    expect(await status()).toMatchObject({ connected: false, problem: 'calendar_deleted' });
    const open = await fixture.browser.call(calendar.listExternalChanges, { query: {} });
    expect(open.body).toEqual([]);
    await connect();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('disconnected: the lessons stay there, Google forgets us, nothing more is sent', async () => {
    await addLesson(fixture);
    await connect();
    const after = await fixture.browser.call(calendar.disconnectCalendar);
    expect(after.body).toMatchObject({ connected: false, problem: null });
    expect((await all.google.control.report(user))[0]?.connected).toBe(false);
    await addLesson(fixture, { date: '2026-11-19' });
    await look();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    // Once more is the same.
    expect((await fixture.browser.call(calendar.disconnectCalendar)).status).toBe(200);
  });

  test('a sealing key that is missing is said, and disconnecting works all the same', async () => {
    await connect();
    await all.app.admin.query(
      `update calendar_connections set encrypted_token = replace(encrypted_token, 'k1.', 'k0.')`,
    );
    await addLesson(fixture);
    await all.waitUntilIdle();
    expect(await status()).toMatchObject({ connected: true, problem: 'unreachable', waiting: 1 });
    const after = await fixture.browser.call(calendar.disconnectCalendar);
    expect(after.body).toMatchObject({ connected: false, problem: null });
  });

  test('what was asked about before a reconnect is asked about again', async () => {
    await addLesson(fixture);
    await connect();
    const [books] = await all.google.control.report(user);
    const eventId = books?.calendars[0]?.events[0]?.id ?? '';
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T18:00' });
    await look();
    const open = async () =>
      (await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body.length;
    expect(await open()).toBe(1);
    await fixture.browser.call(calendar.disconnectCalendar);
    expect(await open()).toBe(0);
    await connect();
    expect(await open()).toBe(1);
  });

  test('an access token that dies before its hour is renewed', async () => {
    await connect();
    await all.google.control.expireAccessTokens();
    await addLesson(fixture);
    await all.waitUntilIdle();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('a sync token that is too old: everything is read anew, nothing is proposed', async () => {
    await addLesson(fixture, weekly());
    await connect();
    await all.google.control.expireSyncTokens();
    await look();
    expect(await status()).toMatchObject({ connected: true, problem: null, waiting: 0 });
    const open = await fixture.browser.call(calendar.listExternalChanges, { query: {} });
    expect(open.body).toEqual([]);
  });
});

describe('calls of Google', () => {
  const news = (headers: Record<string, string>) =>
    all.app.browser().send('POST', '/api/google/webhooks', undefined, headers);

  test('[T21] are believed only with the channel’s own secret', async () => {
    await connect();
    const [channel] = (await all.google.control.channels()).slice(-1);
    const id = channel?.id ?? '';
    const token = channel?.token ?? '';
    const call = async (headers: Record<string, string>) =>
      ((await news(headers)).body as { received: boolean }).received;
    expect(await call({})).toBe(false);
    expect(await call({ 'x-goog-channel-id': id })).toBe(false);
    expect(await call({ 'x-goog-channel-id': id, 'x-goog-channel-token': 'guess' })).toBe(false);
    expect(await call({ 'x-goog-channel-id': 'x'.repeat(5_000) })).toBe(false);
    expect(await call({ 'x-goog-channel-id': id, 'x-goog-channel-token': token })).toBe(true);
    await all.waitUntilIdle();
    await fixture.browser.call(calendar.disconnectCalendar);
    expect(await call({ 'x-goog-channel-id': id, 'x-goog-channel-token': token })).toBe(false);
  });

  test('bring what was done there at once', async () => {
    await addLesson(fixture);
    await connect();
    const [channel] = (await all.google.control.channels()).slice(-1);
    const [books] = await all.google.control.report(user);
    const eventId = books?.calendars[0]?.events[0]?.id ?? '';
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T17:00' });
    await news({
      'x-goog-channel-id': channel?.id ?? '',
      'x-goog-channel-token': channel?.token ?? '',
      'x-goog-resource-state': 'exists',
    });
    await all.waitUntilIdle();
    const open = await fixture.browser.call(calendar.listExternalChanges, { query: {} });
    expect(open.body).toHaveLength(1);
  });
});

test('nobody but a signed-in tutor is answered, and nobody sees what is another’s [API-51]', async () => {
  await addLesson(fixture);
  await connect();
  const [books] = await all.google.control.report(user);
  const eventId = books?.calendars[0]?.events[0]?.id ?? '';
  await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T17:00' });
  await look();
  const [proposal] = (await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body;
  const params = { id: proposal?.id ?? 0 };
  const other = (await createTutor(all.app)).browser;
  expect((await other.call(calendar.calendarStatus)).body).toMatchObject({ connected: false });
  expect((await other.call(calendar.listExternalChanges, { query: {} })).body).toEqual([]);
  expect((await other.call(calendar.acceptExternalChange, { params, body: {} })).status).toBe(404);
  expect((await other.call(calendar.revertExternalChange, { params })).status).toBe(404);
  const stranger = all.app.browser();
  for (const [method, path] of [
    ['GET', '/api/google/calendar/status'],
    ['GET', '/api/google/auth'],
    ['DELETE', '/api/google/calendar'],
    ['GET', '/api/calendar/proposals'],
    ['POST', `/api/calendar/proposals/${params.id}/accept`],
    ['POST', `/api/calendar/proposals/${params.id}/put-back`],
  ] as const) {
    expect((await stranger.send(method, path)).status).toBe(401);
  }
});

test('a server that is no client of Google’s says so', async () => {
  const app = await startTestApp();
  const { browser } = await createTutor(app);
  expect((await browser.call(calendar.calendarStatus)).body).toMatchObject({
    connected: false,
    offered: false,
  });
  expect((await browser.call(calendar.connectCalendar)).status).toBe(503);
  await app.close();
});
