import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { notifications } from '@lessonbook/contract/notifications';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { WAIT_CEILING_MS } from '@lessonbook/fakes/shared/ceiling';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type CalendarTestApp,
  connectGoogleCalendar,
  findGoogleEventId,
  googleUser,
  listGoogleEvents,
  startCalendarTestApp,
} from '../../test/calendar-test-app.ts';
import {
  addLesson,
  createLessonFixture,
  formatSessions,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
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

const connect = async () => {
  expect(await connectGoogleCalendar(all.google, fixture.browser, { user })).toBe(
    '/mobile-settings?calendar=connected',
  );
  await all.waitUntilIdle();
};
const status = async () => (await fixture.browser.call(calendar.calendarStatus)).body;
const inGoogle = () => listGoogleEvents(all.google, user);
/** Google's calls do not reach a house without a lasting address: an hour later it is looked at anyway. */
const look = async () => {
  all.app.clock.forward({ hours: 1, minutes: 1 });
  await enqueueDueSyncs(all.app.context);
  await all.waitUntilIdle();
};
const proposals = async () =>
  (await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body;

describe('sending', () => {
  test('what is in the book is in the calendar, each lesson once [PROD-04, API-35]', async () => {
    await addLesson(fixture, weekly());
    expect(await status()).toMatchObject({ connected: false, offered: true });
    await connect();
    expect(await inGoogle()).toEqual([
      '2026-11-17 16:00 Maya: Maths',
      '2026-11-24 16:00 Maya: Maths',
      '2026-12-01 16:00 Maya: Maths',
      '2026-12-08 16:00 Maya: Maths',
      '2026-12-15 16:00 Maya: Maths',
    ]);
    expect(await status()).toMatchObject({
      connected: true,
      problem: null,
      lessons: 5,
      waiting: 0,
      filling: false,
    });
  });

  test('follows what is changed, moved, cancelled, renamed and ticked off, and sends only that', async () => {
    const { sessionId } = await addLesson(fixture, weekly());
    await connect();
    await all.google.control.clearCalls();
    const { browser, studentId, subjectId } = fixture;
    await browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-18', startTime: '10:00', endTime: '11:00' },
    });
    await all.waitUntilIdle();
    expect((await inGoogle())[0]).toBe('2026-11-18 10:00 Maya: Maths');
    const writes = (await all.google.control.calls()).filter((call) => call.method !== 'GET');
    expect(writes.map((call) => call.method).toSorted()).toEqual(['DELETE', 'POST']);

    await browser.call(students.updateStudent, {
      params: { id: studentId },
      body: { name: 'Amaya Okafor' },
    });
    await browser.call(subjects.updateSubject, {
      params: { id: subjectId },
      body: { name: 'Further maths', defaultFee: 35, currency: 'GBP' },
    });
    // The second change may come while the first is being sent; then it has its turn after a rest.
    await vi.waitFor(
      async () =>
        expect((await inGoogle()).map((line) => line.slice(17))).toEqual(
          Array.from({ length: 5 }, () => 'Amaya: Further maths'),
        ),
      { timeout: WAIT_CEILING_MS, interval: 50 },
    );
    await all.waitUntilIdle();

    const [, second, third] = (
      await browser.call(sessions.listSessions, {
        query: { from: '2026-11-18', to: '2026-12-31' },
      })
    ).body;
    await browser.call(sessions.cancelSession, {
      params: { id: third?.id ?? 0 },
      body: { cancelledBy: 'tutor' },
    });
    all.app.clock.set('2026-11-24T18:00:00Z');
    await browser.call(sessions.completeSession, { params: { id: second?.id ?? 0 }, body: {} });
    await all.waitUntilIdle();
    expect(await inGoogle()).toEqual([
      '2026-11-18 10:00 Amaya: Further maths',
      '2026-11-24 16:00 ✓ Amaya: Further maths',
      '2026-12-08 16:00 Amaya: Further maths',
      '2026-12-15 16:00 Amaya: Further maths',
    ]);
  });

  test('a tutor who moves to another zone keeps the hours on the wall', async () => {
    await addLesson(fixture);
    await connect();
    const me = (await fixture.browser.call(accounts.me)).body;
    await fixture.browser.call(accounts.updateMe, {
      body: { name: me.name, email: me.email, timeZone: 'America/New_York' },
    });
    await all.waitUntilIdle();
    const [books] = await all.google.control.report(user);
    const [event] = books?.calendars[0]?.events ?? [];
    expect(event).toMatchObject({ start: '2026-11-17T16:00:00', timeZone: 'America/New_York' });
  });

  test('[V16.5.2] Google away or too busy: saving goes on, it is said, and made up for later', async () => {
    await connect();
    await all.google.control.addFault({
      kind: 'status',
      status: 503,
      times: 1,
      path: '/calendar/v3',
    });
    await addLesson(fixture);
    await all.waitUntilIdle();
    expect(await status()).toMatchObject({ connected: true, problem: 'unreachable', waiting: 1 });
    await look();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await status()).toMatchObject({ problem: null, nextTryAt: null, waiting: 0 });
  });

  test('an insert whose answer was lost does not double the lesson', async () => {
    await connect();
    const lost = { kind: 'done-then-reset', times: 1, method: 'POST', path: '/events$' } as const;
    await all.google.control.addFault(lost);
    await addLesson(fixture);
    await all.waitUntilIdle();
    await look();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await proposals()).toEqual([]);
  });
});

describe('what is done in Google', () => {
  test('a move is proposed, told once, and accepted as a normal move', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T17:30' });
    await look();
    await look();
    const [proposal, ...more] = await proposals();
    expect(more).toEqual([]);
    expect(proposal).toMatchObject({
      kind: 'moved',
      date: '2026-11-17',
      startTime: '16:00',
      to: { date: '2026-11-17', startTime: '17:30', endTime: '18:30' },
    });
    const inbox = (await fixture.browser.call(notifications.listNotifications, { query: {} })).body;
    expect(inbox.notifications.filter((one) => one.kind === 'calendar_changed')).toMatchObject([
      {
        text: "Maya's lesson on Tue 17 Nov at 16:00 was moved in Google Calendar to Tue 17 Nov at 17:30. Accept it, or put it back?",
        requiresAction: true,
      },
    ]);
    // Nothing has happened yet.
    expect(await formatSessions(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
    const accepted = await fixture.browser.call(calendar.acceptExternalChange, {
      params: { id: proposal?.id ?? 0 },
      body: {},
    });
    expect(accepted.status).toBe(200);
    await all.waitUntilIdle();
    expect(await formatSessions(fixture)).toEqual([
      '2026-11-17 16:00 rescheduled',
      '2026-11-17 17:30 scheduled',
    ]);
    expect(await inGoogle()).toEqual(['2026-11-17 17:30 Maya: Maths']);
    expect(await proposals()).toEqual([]);
    const again = await fixture.browser.call(calendar.acceptExternalChange, {
      params: { id: proposal?.id ?? 0 },
      body: {},
    });
    expect(again.status).toBe(404);
  });

  test('a move is put back', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-20T09:00' });
    await look();
    const [proposal] = await proposals();
    await fixture.browser.call(calendar.revertExternalChange, {
      params: { id: proposal?.id ?? 0 },
    });
    await all.waitUntilIdle();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    await look();
    expect(await proposals()).toEqual([]);
  });

  test('a deletion is proposed, and put back or accepted as a cancellation for nothing', async () => {
    await addLesson(fixture, weekly({ recurringEndDate: '2026-11-24' }));
    await connect();
    const first = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    const second = await findGoogleEventId(all.google, user, '2026-11-24T16:00');
    await all.google.control.deleteEvent({ eventId: first });
    await all.google.control.deleteEvent({ eventId: second });
    await look();
    const [one, two] = await proposals();
    expect([one?.kind, two?.kind, one?.to]).toEqual(['deleted', 'deleted', null]);
    await fixture.browser.call(calendar.revertExternalChange, { params: { id: one?.id ?? 0 } });
    await fixture.browser.call(calendar.acceptExternalChange, {
      params: { id: two?.id ?? 0 },
      body: {},
    });
    await all.waitUntilIdle();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
    expect(await formatSessions(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 cancelled',
    ]);
  });

  test('a new name or place is written over, and events of the tutor stay alone', async () => {
    await addLesson(fixture, { place: 'Library' });
    await connect();
    const eventId = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    await all.google.control.renameEvent({ eventId }, 'Ugh');
    const [books] = await all.google.control.report(user);
    await all.google.control.addEvent(books?.calendars[0]?.id ?? '', {
      summary: 'Dentist',
      start: '2026-11-19T09:00',
      end: '2026-11-19T10:00',
    });
    await look();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths', '2026-11-19 09:00 Dentist']);
    expect(await proposals()).toEqual([]);
  });

  test('a move that overlaps is asked about like any other', async () => {
    await addLesson(fixture);
    await addLesson(fixture, { startTime: '18:00', endTime: '19:00' });
    await connect();
    const eventId = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T18:30' });
    await look();
    const [proposal] = await proposals();
    const params = { id: proposal?.id ?? 0 };
    const refused = await fixture.browser.call(calendar.acceptExternalChange, { params, body: {} });
    expect(refused.error.code).toBe('overlap');
    const body = { acceptOverlaps: true };
    expect(
      (await fixture.browser.call(calendar.acceptExternalChange, { params, body })).status,
    ).toBe(200);
  });

  test('a lesson made a whole day, or past midnight, can only be put back', async () => {
    await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T23:30' });
    await look();
    const [proposal] = await proposals();
    expect(proposal).toMatchObject({ kind: 'moved', to: null });
    const params = { id: proposal?.id ?? 0 };
    expect(
      (await fixture.browser.call(calendar.acceptExternalChange, { params, body: {} })).status,
    ).toBe(409);
    await fixture.browser.call(calendar.revertExternalChange, { params });
    await all.waitUntilIdle();
    expect(await inGoogle()).toEqual(['2026-11-17 16:00 Maya: Maths']);
  });

  test('moved on both sides: the book has the last word', async () => {
    const { sessionId } = await addLesson(fixture);
    await connect();
    const eventId = await findGoogleEventId(all.google, user, '2026-11-17T16:00');
    await all.google.control.moveEvent({ eventId }, { start: '2026-11-17T20:00' });
    await look();
    expect(await proposals()).toHaveLength(1);
    await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-18', startTime: '10:00', endTime: '11:00' },
    });
    await all.waitUntilIdle();
    expect(await proposals()).toEqual([]);
    expect(await inGoogle()).toEqual(['2026-11-18 10:00 Maya: Maths']);
  });
});

test('nothing was asked or answered that Google does not describe', async () => {
  const { available, checked, violations } = await all.google.control.conformance();
  process.stdout.write(
    `[calendar] ${available ? checked : 0} exchanges held against the description\n`,
  );
  expect(violations).toEqual([]);
});
