import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { notifications } from '@lessonbook/contract/notifications';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CalendarTestApp,
  connectGoogleCalendar,
  googleUser,
  listGoogleEvents,
  startCalendarTestApp,
} from '../../test/calendar-test-app.ts';
import { createTutor } from '../../test/create-tutor.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp } from '../../test/test-app.ts';
import { enqueueDueSyncs } from './service/schedule-sync.ts';

let testApp: CalendarTestApp;
let fixture: LessonFixture;
let user: string;

beforeAll(async () => {
  testApp = await startCalendarTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.app.restartClock();
  await testApp.google.control.clearFaults();
  fixture = await createTutorWithStudentAndSubject(testApp.app);
  user = await googleUser(fixture.browser);
});

const readStatus = async () => (await fixture.browser.call(calendar.calendarStatus)).body;
const googleEvents = () => listGoogleEvents(testApp.google, user);
const connect = async () => {
  const redirect = await connectGoogleCalendar(testApp.google, fixture.browser, { user });
  await testApp.waitUntilIdle();
  return redirect;
};
const pollLater = async () => {
  testApp.app.clock.advance({ hours: 1, minutes: 1 });
  await enqueueDueSyncs(testApp.app.context);
  await testApp.waitUntilIdle();
};
const startOAuth = async () => {
  const { authUrl } = (await fixture.browser.call(calendar.connectCalendar)).body;
  return { authUrl, state: new URL(authUrl).searchParams.get('state') ?? '' };
};

describe('consent', () => {
  test('F40 if the flow is started many times, only the latest attempts are kept', async () => {
    for (let n = 0; n < 8; n++) {
      await startOAuth();
      testApp.app.clock.advance({ seconds: 1 });
    }
    const { rows } = await testApp.app.admin.query(
      'select tutor_id from calendar_oauth_states group by tutor_id having count(*) > 5',
    );
    expect(rows).toEqual([]);
    expect(await connect()).toContain('calendar=connected');
  });

  test('requests only the app-created calendar scope, with a PKCE challenge and a state parameter [API-36]', async () => {
    const { authUrl } = (await fixture.browser.call(calendar.connectCalendar)).body;
    const params = Object.fromEntries(new URL(authUrl).searchParams);
    expect(params).toMatchObject({
      scope: 'https://www.googleapis.com/auth/calendar.app.created',
      access_type: 'offline',
      prompt: 'consent',
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    expect(params['state']?.length).toBeGreaterThanOrEqual(32);
  });

  test('redirects with an error when consent is denied or does not include the calendar scope', async () => {
    const denied = await connectGoogleCalendar(testApp.google, fixture.browser, {
      user,
      decision: 'refuse',
    });
    expect(denied).toBe('/mobile-settings?calendar=error&reason=access_denied');
    const withoutScope = await connectGoogleCalendar(testApp.google, fixture.browser, {
      user,
      decision: 'allow-without-calendar',
    });
    expect(withoutScope).toBe(
      '/mobile-settings?calendar=error&reason=calendar_access_was_not_allowed',
    );
    expect(await readStatus()).toMatchObject({ connected: false, problem: null });
  });

  test('[V10.1.2, V10.2.1] a state can be used once, within half an hour, and only by the login that started the flow', async () => {
    const tooOld = '/mobile-settings?calendar=error&reason=this_link_has_expired_or_been_used';
    const { authUrl } = await startOAuth();
    const { redirect } = await testApp.google.control.consent(authUrl, { user });
    const { pathname, search } = new URL(redirect);
    const redirectFor = async (browser: typeof fixture.browser) =>
      (await browser.send('GET', pathname + search)).headers.get('location');
    const other = await createTutor(testApp.app);
    expect(await redirectFor(other.browser)).toBe(tooOld);
    expect(await redirectFor(testApp.app.browser())).toBe('/login');
    expect(await redirectFor(fixture.browser)).toBe('/mobile-settings?calendar=connected');
    expect(await redirectFor(fixture.browser)).toBe(tooOld);

    const late = await startOAuth();
    const consent = await testApp.google.control.consent(late.authUrl, { user });
    testApp.app.clock.advance({ minutes: 31 });
    const { pathname: path, search: query } = new URL(consent.redirect);
    expect((await fixture.browser.send('GET', path + query)).headers.get('location')).toBe(tooOld);
  });

  test('rejects a code from another flow, because the verifier is tied to the state', async () => {
    const mine = await startOAuth();
    const other = await createTutorWithStudentAndSubject(testApp.app);
    const theirs = (await other.browser.call(calendar.connectCalendar)).body.authUrl;
    const stolen = await testApp.google.control.consent(theirs, { user: 'mallory@gmail.example' });
    const code = new URL(stolen.redirect).searchParams.get('code') ?? '';
    const path = `/api/google/callback?${new URLSearchParams({ state: mine.state, code }).toString()}`;
    expect((await fixture.browser.send('GET', path)).headers.get('location')).toBe(
      '/mobile-settings?calendar=error&reason=google_rejected_the_request',
    );
    expect(await readStatus()).toMatchObject({ connected: false });
  });

  test('redirects with an error when Google is unreachable during the callback', async () => {
    // The syncs of earlier tests also request tokens.
    await testApp.waitUntilIdle();
    await testApp.google.control.addFault({
      kind: 'status',
      status: 503,
      times: 5,
      path: '/token',
    });
    expect(await connectGoogleCalendar(testApp.google, fixture.browser, { user })).toBe(
      '/mobile-settings?calendar=error&reason=google_cannot_be_reached',
    );
  });

  test('returns 403 for the demo account', async () => {
    const { username } = (await fixture.browser.call(accounts.me)).body;
    await testApp.app.admin.query('update login_directory set is_demo = true where username = $1', [
      username,
    ]);
    const rejected = await fixture.browser.call(calendar.connectCalendar);
    expect(rejected.status).toBe(403);
    expect(rejected.error.message).toBe("The demo can't be connected to Google Calendar.");
  });

  test('[V10.1.1] the refresh token is stored encrypted', async () => {
    await connect();
    const { rows } = await testApp.app.admin.query<{ encrypted_token: string }>(
      `select encrypted_token from calendar_connections where encrypted_token is not null`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { encrypted_token } of rows) {
      expect(encrypted_token).toMatch(/^k1\.[\w-]{60,}$/);
      expect(encrypted_token).not.toContain('1//');
    }
  });
});

describe('disconnecting and reconnecting', () => {
  test('when access is revoked in Google, sets the status, notifies the tutor once and stops syncing', async () => {
    await connect();
    await testApp.google.control.revoke(user);
    await addLesson(fixture);
    await testApp.waitUntilIdle();
    await pollLater();
    expect(await readStatus()).toMatchObject({ connected: false, problem: 'access_lost' });
    const list = (await fixture.browser.call(notifications.listNotifications, { query: {} })).body;
    const lost = list.notifications.filter((entry) => entry.kind === 'calendar_disconnected');
    expect(lost).toMatchObject([{ requiresAction: true, path: '/settings' }]);
  });

  test('reconnecting creates no duplicates and sends the changes made in the meantime', async () => {
    await addLesson(fixture, weekly());
    await connect();
    await testApp.google.control.revoke(user);
    await addLesson(fixture, { date: '2026-11-20' });
    await testApp.waitUntilIdle();
    expect(await readStatus()).toMatchObject({ connected: false });
    await connect();
    expect(await readStatus()).toMatchObject({ connected: true, problem: null, waiting: 0 });
    expect(await googleEvents()).toHaveLength(6);
    const [report] = await testApp.google.control.report(user);
    expect(report?.calendars).toHaveLength(1);
    const ids = report?.calendars[0]?.events.map((event) => event.id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('reconnecting with a different Google account creates a calendar there and leaves the old one unchanged', async () => {
    await addLesson(fixture);
    await connect();
    await fixture.browser.call(calendar.disconnectCalendar);
    const other = `other.${user}`;
    expect(await connectGoogleCalendar(testApp.google, fixture.browser, { user: other })).toContain(
      'connected',
    );
    await testApp.waitUntilIdle();
    expect(await listGoogleEvents(testApp.google, other)).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('deleting the calendar in Google sets the status and cancels no lessons, and reconnecting creates a new calendar', async () => {
    await addLesson(fixture);
    await connect();
    const [report] = await testApp.google.control.report(user);
    await testApp.google.control.deleteCalendar(report?.calendars[0]?.id ?? '');
    await pollLater();
    expect(await readStatus()).toMatchObject({ connected: false, problem: 'calendar_deleted' });
    const unresolved = await fixture.browser.call(calendar.listExternalChanges, { query: {} });
    expect(unresolved.body).toEqual([]);
    await connect();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('F32 a connected calendar is listed with its date; disconnecting keeps the events, revokes the token and stops syncing', async () => {
    await addLesson(fixture);
    await connect();
    const readConnectedAt = async () =>
      (await fixture.browser.call(security.security)).body.calendarConnectedAt;
    expect(await readConnectedAt()).toBe(testApp.app.clock.now().toISOString());
    const after = await fixture.browser.call(calendar.disconnectCalendar);
    expect(after.body).toMatchObject({ connected: false, problem: null });
    expect(await readConnectedAt()).toBeNull();
    expect((await testApp.google.control.report(user))[0]?.connected).toBe(false);
    await addLesson(fixture, { date: '2026-11-19' });
    await pollLater();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect((await fixture.browser.call(calendar.disconnectCalendar)).status).toBe(200);
  });

  test('a missing encryption key is shown as a problem, and the calendar can still be disconnected', async () => {
    await connect();
    await testApp.app.admin.query(
      `update calendar_connections set encrypted_token = replace(encrypted_token, 'k1.', 'k0.')`,
    );
    await addLesson(fixture);
    await testApp.waitUntilIdle();
    expect(await readStatus()).toMatchObject({
      connected: true,
      problem: 'unreachable',
      waiting: 1,
    });
    const after = await fixture.browser.call(calendar.disconnectCalendar);
    expect(after.body).toMatchObject({ connected: false, problem: null });
  });

  test('an unresolved external change is detected again after reconnecting', async () => {
    await addLesson(fixture);
    await connect();
    const [report] = await testApp.google.control.report(user);
    const eventId = report?.calendars[0]?.events[0]?.id ?? '';
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T18:00' });
    await pollLater();
    const countUnresolved = async () =>
      (await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body.length;
    expect(await countUnresolved()).toBe(1);
    await fixture.browser.call(calendar.disconnectCalendar);
    expect(await countUnresolved()).toBe(0);
    await connect();
    expect(await countUnresolved()).toBe(1);
  });

  test('an access token that expires early is renewed', async () => {
    await connect();
    await testApp.google.control.expireAccessTokens();
    await addLesson(fixture);
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('an expired sync token leads to a full list and records no external changes', async () => {
    await addLesson(fixture, weekly());
    await connect();
    await testApp.google.control.expireSyncTokens();
    await pollLater();
    expect(await readStatus()).toMatchObject({ connected: true, problem: null, waiting: 0 });
    const unresolved = await fixture.browser.call(calendar.listExternalChanges, { query: {} });
    expect(unresolved.body).toEqual([]);
  });
});

describe('push notifications from Google', () => {
  const notify = (headers: Record<string, string>) =>
    testApp.app.browser().send('POST', '/api/google/webhooks', undefined, headers);

  test('[T21] are accepted only with the correct channel token', async () => {
    await connect();
    const [channel] = (await testApp.google.control.channels()).slice(-1);
    const id = channel?.id ?? '';
    const token = channel?.token ?? '';
    const call = async (headers: Record<string, string>) =>
      ((await notify(headers)).body as { received: boolean }).received;
    expect(await call({})).toBe(false);
    expect(await call({ 'x-goog-channel-id': id })).toBe(false);
    expect(await call({ 'x-goog-channel-id': id, 'x-goog-channel-token': 'guess' })).toBe(false);
    expect(await call({ 'x-goog-channel-id': 'x'.repeat(5_000) })).toBe(false);
    expect(await call({ 'x-goog-channel-id': id, 'x-goog-channel-token': token })).toBe(true);
    await testApp.waitUntilIdle();
    await fixture.browser.call(calendar.disconnectCalendar);
    expect(await call({ 'x-goog-channel-id': id, 'x-goog-channel-token': token })).toBe(false);
  });

  test('trigger a sync immediately', async () => {
    await addLesson(fixture);
    await connect();
    const [channel] = (await testApp.google.control.channels()).slice(-1);
    const [report] = await testApp.google.control.report(user);
    const eventId = report?.calendars[0]?.events[0]?.id ?? '';
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T17:00' });
    await notify({
      'x-goog-channel-id': channel?.id ?? '',
      'x-goog-channel-token': channel?.token ?? '',
      'x-goog-resource-state': 'exists',
    });
    await testApp.waitUntilIdle();
    const unresolved = await fixture.browser.call(calendar.listExternalChanges, { query: {} });
    expect(unresolved.body).toHaveLength(1);
  });
});

test("the calendar endpoints require a login, and do not show other tutors' changes [API-51]", async () => {
  await addLesson(fixture);
  await connect();
  const [report] = await testApp.google.control.report(user);
  const eventId = report?.calendars[0]?.events[0]?.id ?? '';
  await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T17:00' });
  await pollLater();
  const [change] = (await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body;
  const params = { id: change?.id ?? 0 };
  const other = (await createTutor(testApp.app)).browser;
  expect((await other.call(calendar.calendarStatus)).body).toMatchObject({ connected: false });
  expect((await other.call(calendar.listExternalChanges, { query: {} })).body).toEqual([]);
  expect((await other.call(calendar.acceptExternalChange, { params, body: {} })).status).toBe(404);
  expect((await other.call(calendar.revertExternalChange, { params })).status).toBe(404);
  const anonymous = testApp.app.browser();
  for (const [method, path] of [
    ['GET', '/api/google/calendar/status'],
    ['GET', '/api/google/auth'],
    ['DELETE', '/api/google/calendar'],
    ['GET', '/api/calendar/external-changes'],
    ['POST', `/api/calendar/external-changes/${params.id}/accept`],
    ['POST', `/api/calendar/external-changes/${params.id}/reject`],
  ] as const) {
    expect((await anonymous.send(method, path)).status).toBe(401);
  }
});

test('connecting returns 503 when Google is not configured', async () => {
  const app = await startTestApp();
  const { browser } = await createTutor(app);
  expect((await browser.call(calendar.calendarStatus)).body).toMatchObject({
    connected: false,
    offered: false,
  });
  expect((await browser.call(calendar.connectCalendar)).status).toBe(503);
  await app.close();
});
