import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { notifications } from '@lessonbook/contract/notifications';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type CalendarTestApp,
  connectGoogleCalendar,
  findGoogleEventId,
  googleUser,
  listGoogleEvents,
  startCalendarTestApp,
} from '../../test/calendar-test-app.ts';
import { findTutorId } from '../../test/create-tutor.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
import { sendWhileLocked } from '../../test/send-while-locked.ts';
import { enqueueDueSyncs, requestSync } from './service/schedule-sync.ts';
import { syncCalendar } from './service/sync.ts';

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

const connect = async () => {
  expect(await connectGoogleCalendar(testApp.google, fixture.browser, { user })).toBe(
    '/mobile-settings?calendar=connected',
  );
  await testApp.waitUntilIdle();
};
const readStatus = async () => (await fixture.browser.call(calendar.calendarStatus)).body;
const googleEvents = () => listGoogleEvents(testApp.google, user);
/** The test app has no fixed address for Google's push notifications, so changes are picked up by the hourly poll. */
const pollLater = async () => {
  testApp.app.clock.advance({ hours: 1, minutes: 1 });
  await enqueueDueSyncs(testApp.app.context);
  await testApp.waitUntilIdle();
};
const listExternalChanges = async () =>
  (await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body;

describe('pushing changes', () => {
  test('creates one event per session [PROD-04, API-35]', async () => {
    await addLesson(fixture, weekly());
    expect(await readStatus()).toMatchObject({ connected: false, offered: true });
    await connect();
    expect(await googleEvents()).toEqual([
      '2026-11-17 16:00 Maya: Maths',
      '2026-11-24 16:00 Maya: Maths',
      '2026-12-01 16:00 Maya: Maths',
      '2026-12-08 16:00 Maya: Maths',
      '2026-12-15 16:00 Maya: Maths',
    ]);
    expect(await readStatus()).toMatchObject({
      connected: true,
      problem: null,
      lessons: 5,
      waiting: 0,
      initialSyncRunning: false,
    });
  });

  test('sends only lessons that were changed, moved, cancelled, renamed or completed', async () => {
    const { sessionId } = await addLesson(fixture, weekly());
    await connect();
    await testApp.google.control.clearCalls();
    const { browser, studentId, subjectId } = fixture;
    await browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-18', startTime: '10:00', endTime: '11:00' },
    });
    await testApp.waitUntilIdle();
    expect((await googleEvents())[0]).toBe('2026-11-18 10:00 Maya: Maths');
    const writes = (await testApp.google.control.calls()).filter((call) => call.method !== 'GET');
    expect(writes.map((call) => call.method).toSorted()).toEqual(['DELETE', 'POST']);

    await browser.call(students.updateStudent, {
      params: { id: studentId },
      body: { name: 'Amaya Okafor' },
    });
    await browser.call(subjects.updateSubject, {
      params: { id: subjectId },
      body: { name: 'Further maths', defaultFee: 35, currency: 'GBP' },
    });
    // The second change may arrive while the first is being sent, in which case it is sent after a delay.
    await vi.waitFor(
      async () =>
        expect((await googleEvents()).map((line) => line.slice(17))).toEqual(
          Array.from({ length: 5 }, () => 'Amaya: Further maths'),
        ),
      { timeout: WAIT_TIMEOUT_MS, interval: 50 },
    );
    await testApp.waitUntilIdle();

    const [, second, third] = (
      await browser.call(sessions.listSessions, {
        query: { from: '2026-11-18', to: '2026-12-31' },
      })
    ).body;
    await browser.call(sessions.cancelSession, {
      params: { id: third?.id ?? 0 },
      body: { cancelledBy: 'tutor' },
    });
    testApp.app.clock.set('2026-11-24T18:00:00Z');
    await browser.call(sessions.completeSession, { params: { id: second?.id ?? 0 }, body: {} });
    await testApp.waitUntilIdle();
    // If the sync after the cancellation ended before the clock was set, the poll starts the next one.
    await enqueueDueSyncs(testApp.app.context);
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual([
      '2026-11-18 10:00 Amaya: Further maths',
      '2026-11-24 16:00 ✓ Amaya: Further maths',
      '2026-12-08 16:00 Amaya: Further maths',
      '2026-12-15 16:00 Amaya: Further maths',
    ]);
  });

  test('a change that commits while a sync is starting is included in it', async () => {
    await addLesson(fixture);
    await connect();
    const { context, admin } = testApp.app;
    const { username } = (await fixture.browser.call(accounts.me)).body;
    const tutorId = await findTutorId(testApp.app, { username });
    await admin.query('update calendar_connections set due_at = $1 where tutor_id = $2', [
      context.clock.now(),
      tutorId,
    ]);
    const changed = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const change = context.db.tutorTransaction(tutorId, async (tx) => {
      await tx.updateTable('subjects').set({ name: 'Physics' }).execute();
      await requestSync(context, tx, tutorId);
      changed.resolve();
      await commit.promise;
    });
    await changed.promise;
    let isFinished = false;
    const sync = syncCalendar(context, { tutorId }).finally(() => {
      isFinished = true;
    });
    const waiting = `select 1 from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted and locktype = 'transactionid'`;
    await vi.waitFor(
      async () => expect(isFinished || (await admin.query(waiting)).rows.length > 0).toBe(true),
      { timeout: WAIT_TIMEOUT_MS, interval: 20 },
    );
    commit.resolve();
    await Promise.all([change, sync]);
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Physics']);
  });

  test('keeps local times when the tutor changes time zone', async () => {
    await addLesson(fixture);
    await connect();
    const me = (await fixture.browser.call(accounts.me)).body;
    await fixture.browser.call(accounts.updateMe, {
      body: { name: me.name, email: me.email, timeZone: 'America/New_York' },
    });
    await testApp.waitUntilIdle();
    const [report] = await testApp.google.control.report(user);
    const [event] = report?.calendars[0]?.events ?? [];
    expect(event).toMatchObject({ start: '2026-11-17T16:00:00', timeZone: 'America/New_York' });
  });

  test('an event follows its lesson to a time before the calendar was connected', async () => {
    testApp.app.clock.set('2026-11-16T22:00:00Z');
    const { sessionId } = await addLesson(fixture, { startTime: '07:00', endTime: '08:00' });
    await connect();
    const me = (await fixture.browser.call(accounts.me)).body;
    // 7:00 in Sydney is 20:00 UTC on the day before.
    await fixture.browser.call(accounts.updateMe, {
      body: { name: me.name, email: me.email, timeZone: 'Australia/Sydney' },
    });
    await testApp.waitUntilIdle();
    const [report] = await testApp.google.control.report(user);
    expect(report?.calendars[0]?.events).toMatchObject([
      { start: '2026-11-17T07:00:00', timeZone: 'Australia/Sydney', status: 'confirmed' },
    ]);
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual([]);
  });

  test('[V16.5.2] lessons are saved while Google is unavailable, the problem is shown and the sync runs later', async () => {
    await connect();
    await testApp.google.control.addFault({
      kind: 'status',
      status: 503,
      times: 1,
      path: '/calendar/v3',
    });
    await addLesson(fixture);
    await testApp.waitUntilIdle();
    expect(await readStatus()).toMatchObject({
      connected: true,
      problem: 'unreachable',
      waiting: 1,
    });
    await pollLater();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await readStatus()).toMatchObject({ problem: null, nextTryAt: null, waiting: 0 });
  });

  test('an insert whose response was lost does not create a duplicate', async () => {
    await connect();
    const lost = { kind: 'done-then-reset', times: 1, method: 'POST', path: '/events$' } as const;
    await testApp.google.control.addFault(lost);
    await addLesson(fixture);
    await testApp.waitUntilIdle();
    await pollLater();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await listExternalChanges()).toEqual([]);
  });
});

describe('changes made in Google', () => {
  test('a move is recorded once, the tutor is notified once, and accepting it reschedules the session', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T17:30' });
    await pollLater();
    await pollLater();
    const [change, ...otherChanges] = await listExternalChanges();
    expect(otherChanges).toEqual([]);
    expect(change).toMatchObject({
      kind: 'moved',
      date: '2026-11-17',
      startTime: '16:00',
      to: { date: '2026-11-17', startTime: '17:30', endTime: '18:30' },
    });
    const list = (await fixture.browser.call(notifications.listNotifications, { query: {} })).body;
    expect(list.notifications.filter((entry) => entry.kind === 'calendar_changed')).toMatchObject([
      {
        text: "Maya's lesson on Tue 17 Nov, 4pm was moved in Google Calendar to Tue 17 Nov, 5:30pm. Accept it, or undo the change?",
        requiresAction: true,
      },
    ]);
    // The session has not changed yet.
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
    const accepted = await fixture.browser.call(calendar.acceptExternalChange, {
      params: { id: change?.id ?? 0 },
      body: {},
    });
    expect(accepted.status).toBe(200);
    await testApp.waitUntilIdle();
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 rescheduled',
      '2026-11-17 17:30 scheduled',
    ]);
    expect(await googleEvents()).toEqual(['2026-11-17 17:30 Maya: Maths']);
    expect(await listExternalChanges()).toEqual([]);
    const again = await fixture.browser.call(calendar.acceptExternalChange, {
      params: { id: change?.id ?? 0 },
      body: {},
    });
    expect(again.status).toBe(404);
  });

  test('a move can be reverted', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-20T09:00' });
    await pollLater();
    const [change] = await listExternalChanges();
    await fixture.browser.call(calendar.revertExternalChange, {
      params: { id: change?.id ?? 0 },
    });
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    await pollLater();
    expect(await listExternalChanges()).toEqual([]);
  });

  test('F14 a move that was reverted in another window cannot be accepted', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-20T09:00' });
    await pollLater();
    const [change] = await listExternalChanges();
    const params = { id: change?.id ?? 0 };
    const { username } = (await fixture.browser.call(accounts.me)).body;
    const [reverted, accepted] = await sendWhileLocked(
      testApp.app.context.db,
      await findTutorId(testApp.app, { username }),
      [
        () => fixture.browser.call(calendar.revertExternalChange, { params }),
        () => fixture.browser.call(calendar.acceptExternalChange, { params, body: {} }),
      ],
    );
    expect([reverted?.status, accepted?.status]).toEqual([200, 404]);
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('a deletion can be reverted, or accepted as a cancellation without a fee', async () => {
    await addLesson(fixture, weekly({ recurringEndDate: '2026-11-24' }));
    await connect();
    const first = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    const second = await findGoogleEventId(testApp.google, user, '2026-11-24T16:00');
    await testApp.google.control.deleteEvent({ eventId: first });
    await testApp.google.control.deleteEvent({ eventId: second });
    await pollLater();
    const [firstChange, secondChange] = await listExternalChanges();
    expect([firstChange?.kind, secondChange?.kind, firstChange?.to]).toEqual([
      'deleted',
      'deleted',
      null,
    ]);
    await fixture.browser.call(calendar.revertExternalChange, {
      params: { id: firstChange?.id ?? 0 },
    });
    await fixture.browser.call(calendar.acceptExternalChange, {
      params: { id: secondChange?.id ?? 0 },
      body: {},
    });
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 cancelled',
    ]);
  });

  test("a changed name or place is overwritten, and the tutor's own events are left alone", async () => {
    await addLesson(fixture, { place: 'Library' });
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.renameEvent({ eventId }, 'Ugh');
    const [report] = await testApp.google.control.report(user);
    await testApp.google.control.addEvent(report?.calendars[0]?.id ?? '', {
      summary: 'Dentist',
      start: '2026-11-19T09:00',
      end: '2026-11-19T10:00',
    });
    await pollLater();
    expect(await googleEvents()).toEqual([
      '2026-11-17 16:00 Maya: Maths',
      '2026-11-19 09:00 Dentist',
    ]);
    expect(await listExternalChanges()).toEqual([]);
  });

  test('accepting a move that causes an overlap returns the overlap error', async () => {
    await addLesson(fixture);
    await addLesson(fixture, { startTime: '18:00', endTime: '19:00' });
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T18:30' });
    await pollLater();
    const [change] = await listExternalChanges();
    const params = { id: change?.id ?? 0 };
    const rejected = await fixture.browser.call(calendar.acceptExternalChange, {
      params,
      body: {},
    });
    expect(rejected.error.code).toBe('overlap');
    const body = { acceptOverlaps: true };
    expect(
      (await fixture.browser.call(calendar.acceptExternalChange, { params, body })).status,
    ).toBe(200);
  });

  test('a move past midnight can only be reverted', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T23:30' });
    await pollLater();
    const [change] = await listExternalChanges();
    expect(change).toMatchObject({ kind: 'moved', to: null });
    const params = { id: change?.id ?? 0 };
    expect(
      (await fixture.browser.call(calendar.acceptExternalChange, { params, body: {} })).status,
    ).toBe(409);
    await fixture.browser.call(calendar.revertExternalChange, { params });
    await testApp.waitUntilIdle();
    expect(await googleEvents()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('our version wins when the lesson was moved on both sides', async () => {
    const { sessionId } = await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(testApp.google, user, '2026-11-17T16:00');
    await testApp.google.control.moveEvent({ eventId }, { start: '2026-11-17T20:00' });
    await pollLater();
    expect(await listExternalChanges()).toHaveLength(1);
    await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-18', startTime: '10:00', endTime: '11:00' },
    });
    await testApp.waitUntilIdle();
    expect(await listExternalChanges()).toEqual([]);
    expect(await googleEvents()).toEqual(['2026-11-18 10:00 Maya: Maths']);
  });
});

test('all requests and responses conform to Google’s API description', async () => {
  const { available, checked, violations } = await testApp.google.control.conformance();
  process.stdout.write(
    `[calendar] ${available ? checked : 0} exchanges checked against Google's API description\n`,
  );
  expect(violations).toEqual([]);
});
