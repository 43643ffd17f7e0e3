import { calendar } from '@lessonbook/contract/calendar';
import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type CalendarTestApp,
  connectGoogleCalendar,
  findGoogleEventId,
  googleUser,
  startCalendarTestApp,
} from '../../test/calendar-test-app.ts';
import { getFeedPath, parseIcs } from '../../test/ics-reader.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { enqueueDueSyncs } from './service/schedule-sync.ts';

const MEET_LINK = /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/;
const FIRST = '2026-11-17T16:00';

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
  await testApp.google.control.setConferenceOutcome('success');
  fixture = await createTutorWithStudentAndSubject(testApp.app);
  user = await googleUser(fixture.browser);
});

const connect = async () => {
  await connectGoogleCalendar(testApp.google, fixture.browser, { user });
  await testApp.waitUntilIdle();
};
const readStatus = async () => (await fixture.browser.call(calendar.calendarStatus)).body;
const addMeetLesson = async (change: Parameters<typeof addLesson>[1] = {}) => {
  const added = await addLesson(fixture, { usesGoogleMeet: true, ...change });
  await testApp.waitUntilIdle();
  return added;
};
const syncAfter = async (delay: { hours?: number; minutes?: number; seconds?: number }) => {
  testApp.app.clock.advance(delay);
  await enqueueDueSyncs(testApp.app.context);
  await testApp.waitUntilIdle();
};
const listPlaces = async () =>
  (await fetchSessionsBetween(fixture, '2026-11-01', '2027-01-31'))
    .filter(({ status }) => status === 'scheduled')
    .map(({ place }) => place);
const readSession = async (id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const listGoogleEvents = async () => {
  const [report] = await testApp.google.control.report(user);
  return (report?.calendars ?? [])
    .filter((each) => !each.deleted)
    .flatMap(({ events }) => events)
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((a, b) => a.start.localeCompare(b.start));
};
const updateLesson = async (
  { lessonId, sessionId }: { lessonId: number; sessionId: number },
  change: Partial<LessonUpdate>,
) => {
  const body = { ...lessonBody(fixture), scope: 'this' as const, sessionId, ...change };
  return fixture.browser.call(lessons.updateLesson, { params: { id: lessonId }, body });
};
const expectNoExternalChanges = async () =>
  expect((await fixture.browser.call(calendar.listExternalChanges, { query: {} })).body).toEqual(
    [],
  );

describe('a link', () => {
  test('is created with each event of a series and is the place of the session', async () => {
    await connect();
    const { lessonId } = await addMeetLesson(weekly({ place: 'Ignored' }));
    const events = await listGoogleEvents();
    const links = events.map(({ resource }) => resource.hangoutLink);
    expect(links).toHaveLength(5);
    expect(new Set(links).size).toBe(5);
    expect(links[0]).toMatch(MEET_LINK);
    expect(await listPlaces()).toEqual(links);
    expect(events[0]?.resource.location ?? '').toBe('');
    const lesson = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(lesson.body).toMatchObject({ place: 'Google Meet', usesGoogleMeet: true });
    // The conference in Google's copy is not a change by the tutor, and the event is not written again.
    await testApp.google.control.clearCalls();
    await syncAfter({ hours: 1, minutes: 1 });
    await expectNoExternalChanges();
    const calls = await testApp.google.control.calls();
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await readStatus()).toMatchObject({ offersMeet: true, meetFailures: 0, waiting: 0 });
  });

  test('is in the feed for calendar apps, and the sequence of the event increases when the link arrives', async () => {
    await connect();
    await testApp.google.control.setConferenceOutcome('pending');
    await addMeetLesson();
    const path = await getFeedPath(fixture.browser);
    const readFeed = async () =>
      parseIcs(await (await fetch(testApp.app.url + path)).text()).events[0];
    const before = await readFeed();
    expect(before?.location).toBe('Google Meet');
    await testApp.google.control.finishConferences('success');
    await syncAfter({ seconds: 6 });
    const after = await readFeed();
    expect(after?.location).toMatch(MEET_LINK);
    expect(after?.sequence).toBeGreaterThan(before?.sequence ?? 0);
  });

  test('is polled for at increasing intervals if Google creates it later', async () => {
    await connect();
    await testApp.google.control.setConferenceOutcome('pending');
    const { sessionId } = await addMeetLesson();
    expect(await readSession(sessionId)).toMatchObject({
      place: 'Google Meet',
      usesGoogleMeet: true,
    });
    await syncAfter({ seconds: 6 });
    expect((await readSession(sessionId)).place).toBe('Google Meet');
    await testApp.google.control.finishConferences('success');
    await syncAfter({ seconds: 11 });
    expect((await readSession(sessionId)).place).toMatch(MEET_LINK);
    await expectNoExternalChanges();
  });

  test('is eventually reported as failed if Google never creates it', async () => {
    await connect();
    await testApp.google.control.setConferenceOutcome('pending');
    const { sessionId } = await addMeetLesson();
    for (let check = 0; check < 8; check += 1) {
      expect((await readStatus()).meetFailures).toBe(0);
      await syncAfter({ seconds: 5 * 2 ** check + 1 });
    }
    expect((await readStatus()).meetFailures).toBe(1);
    expect((await readSession(sessionId)).place).toBe('Google Meet');
  });

  test('is reported as failed if Google cannot create it, and the lesson is still in the calendar', async () => {
    await connect();
    await testApp.google.control.setConferenceOutcome('failure');
    const { sessionId } = await addMeetLesson();
    expect(await listGoogleEvents()).toHaveLength(1);
    expect(await readStatus()).toMatchObject({ meetFailures: 1, problem: null, waiting: 0 });
    expect((await readSession(sessionId)).place).toBe('Google Meet');
    // It is not requested again until the tutor reconnects.
    await testApp.google.control.setConferenceOutcome('success');
    await syncAfter({ hours: 1, minutes: 1 });
    expect((await readStatus()).meetFailures).toBe(1);
    await fixture.browser.call(calendar.disconnectCalendar);
    await connect();
    expect((await readSession(sessionId)).place).toMatch(MEET_LINK);
    expect((await readStatus()).meetFailures).toBe(0);
  });

  test.each([
    ['insert', { method: 'POST', path: '/events$' }],
    ['update', { method: 'PATCH', path: '/events/' }],
  ])('is created once if the response to the %s was lost', async (operation, request) => {
    await connect();
    const lesson = await addLesson(fixture, { usesGoogleMeet: operation === 'insert' });
    await testApp.waitUntilIdle();
    const lost = { kind: 'done-then-reset', times: 1, ...request } as const;
    await testApp.google.control.addFault(lost);
    await (operation === 'insert'
      ? addLesson(fixture, { usesGoogleMeet: true, date: '2026-11-18' })
      : updateLesson(lesson, { usesGoogleMeet: true }));
    await testApp.waitUntilIdle();
    expect(await testApp.google.control.faults()).toEqual([]);
    await syncAfter({ minutes: 2 });
    const events = await listGoogleEvents();
    expect(events.map(({ conferences }) => conferences)).toEqual(events.map(() => 1));
    expect(await listPlaces()).toEqual(events.map(({ resource }) => resource.hangoutLink));
    await expectNoExternalChanges();
  });
});

describe('a change', () => {
  test('switching Meet off removes the conference and its link; switching it on again creates another', async () => {
    await connect();
    const lesson = await addMeetLesson();
    const [first] = await listPlaces();
    await updateLesson(lesson, { usesGoogleMeet: false, place: 'Library' });
    expect(await listPlaces()).toEqual(['Library']);
    await testApp.waitUntilIdle();
    const [event] = await listGoogleEvents();
    expect([event?.resource.conferenceData, event?.resource.location]).toEqual([
      undefined,
      'Library',
    ]);
    await updateLesson(lesson, { usesGoogleMeet: true });
    await testApp.waitUntilIdle();
    const [second] = await listPlaces();
    expect(second).toMatch(MEET_LINK);
    expect(second).not.toBe(first);
    expect((await listGoogleEvents())[0]?.resource.location ?? '').toBe('');
  });

  test('switching Meet off and on between two syncs keeps the conference', async () => {
    await connect();
    const lesson = await addMeetLesson();
    const [link] = await listPlaces();
    await testApp.google.control.addFault({
      kind: 'status',
      status: 503,
      times: 1,
      path: '/calendar/v3',
    });
    await updateLesson(lesson, { usesGoogleMeet: false });
    await testApp.waitUntilIdle();
    await updateLesson(lesson, { usesGoogleMeet: true });
    expect(await listPlaces()).toEqual(['Google Meet']);
    await syncAfter({ minutes: 2 });
    expect(await listPlaces()).toEqual([link]);
    expect((await listGoogleEvents())[0]?.conferences).toBe(1);
  });

  test('to one date keeps the links of the others; a change to the series applies to all of them', async () => {
    await connect();
    const lesson = await addMeetLesson(weekly({ recurringEndDate: '2026-12-01' }));
    const [, second, third] = await listPlaces();
    await updateLesson(lesson, { ...weekly(), usesGoogleMeet: false, place: 'Library' });
    await testApp.waitUntilIdle();
    expect(await listPlaces()).toEqual(['Library', second, third]);
    const rows = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
    const following = { lessonId: lesson.lessonId, sessionId: rows[0]?.id ?? 0 };
    await updateLesson(following, {
      ...weekly({ recurringEndDate: '2026-12-01' }),
      date: '2026-11-24',
      scope: 'following',
      usesGoogleMeet: false,
      place: 'Online',
    });
    await testApp.waitUntilIdle();
    expect(await listPlaces()).toEqual(['Library', 'Online', 'Online']);
    const conferences = (await listGoogleEvents()).map(({ resource }) => resource.conferenceData);
    expect(conferences).toEqual([undefined, undefined, undefined]);
  });

  test('to the title keeps the link', async () => {
    await connect();
    const lesson = await addMeetLesson();
    const places = await listPlaces();
    await updateLesson(lesson, { title: 'Mocks' });
    await testApp.waitUntilIdle();
    expect(await listPlaces()).toEqual(places);
  });

  test('to the time creates a new link, and undoing it restores the old one', async () => {
    await connect();
    const { sessionId } = await addMeetLesson();
    const [before] = await listPlaces();
    const body = { date: '2026-11-18', startTime: '10:00', endTime: '11:00' };
    const moved = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body,
    });
    await testApp.waitUntilIdle();
    const [after] = await listPlaces();
    expect(after).toMatch(MEET_LINK);
    expect(after).not.toBe(before);
    const undone = await fixture.browser.call(sessions.undoReschedule, {
      params: { id: moved.body.id },
    });
    expect(undone.status).toBe(200);
    await testApp.waitUntilIdle();
    expect(await listPlaces()).toEqual([before]);
    expect((await listGoogleEvents()).map(({ resource }) => resource.hangoutLink)).toEqual([
      before,
    ]);
  });

  test('a conference that is removed in Google is replaced by a new one', async () => {
    await connect();
    await addMeetLesson();
    const eventId = await findGoogleEventId(testApp.google, user, FIRST);
    await testApp.google.control.removeConference({ eventId });
    await syncAfter({ hours: 1, minutes: 1 });
    const [event] = await listGoogleEvents();
    expect(event?.resource.hangoutLink).toMatch(MEET_LINK);
    expect(await listPlaces()).toEqual([event?.resource.hangoutLink]);
    await expectNoExternalChanges();
  });
});

describe('an account', () => {
  test('without Google Meet cannot choose it', async () => {
    await testApp.google.control.setMeetAllowed(user, false);
    await connect();
    expect((await readStatus()).offersMeet).toBe(false);
    const body = lessonBody(fixture, { usesGoogleMeet: true });
    const refused = await fixture.browser.call(lessons.createLesson, { body });
    expect([refused.status, refused.error.fields]).toEqual([
      400,
      { place: expect.stringContaining('Google Meet') },
    ]);
    const lesson = await addLesson(fixture);
    expect((await updateLesson(lesson, { usesGoogleMeet: true })).status).toBe(400);
  });

  test('gets events without links after it loses access to Google Meet', async () => {
    await connect();
    await testApp.google.control.setMeetAllowed(user, false);
    await addMeetLesson();
    const [event] = await listGoogleEvents();
    expect(event?.resource).toMatchObject({ summary: 'Maya: Maths' });
    expect(event?.resource.conferenceData).toBeUndefined();
    expect(await readStatus()).toMatchObject({ meetFailures: 1, problem: null, waiting: 0 });
  });

  test('keeps its links but cannot choose new ones after it is disconnected', async () => {
    await connect();
    const lesson = await addMeetLesson();
    const places = await listPlaces();
    await fixture.browser.call(calendar.disconnectCalendar);
    expect(await readStatus()).toMatchObject({ offersMeet: false });
    expect(await listPlaces()).toEqual(places);
    const kept = await updateLesson(lesson, { title: 'Mocks', usesGoogleMeet: true });
    expect(kept.status).toBe(200);
    expect(await listPlaces()).toEqual(places);
    const body = lessonBody(fixture, { usesGoogleMeet: true, date: '2026-11-18' });
    expect((await fixture.browser.call(lessons.createLesson, { body })).status).toBe(400);
  });

  test("belonging to another tutor has no effect, and that tutor's lessons get no link", async () => {
    const other = await createTutorWithStudentAndSubject(testApp.app);
    await connect();
    await addMeetLesson();
    const body = lessonBody(other, { usesGoogleMeet: true });
    expect((await other.browser.call(lessons.createLesson, { body })).status).toBe(400);
    await addLesson(other, { place: 'Google Meet' });
    await vi.waitFor(async () => expect((await listPlaces())[0]).toMatch(MEET_LINK), {
      timeout: WAIT_TIMEOUT_MS,
    });
    const rows = await fetchSessionsBetween(other, '2026-11-01', '2026-12-31');
    expect(rows.map(({ place }) => place)).toEqual(['Google Meet']);
  });
});

test('all requests and responses conform to Google’s API description', async () => {
  expect((await testApp.google.control.conformance()).violations).toEqual([]);
});
