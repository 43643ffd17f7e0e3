import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { MAX_TERM_CALENDARS, type Term, termCalendars } from '@lessonbook/contract/term-calendars';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { extendAllSeries } from './service/rolling-generation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

/** The clock is set to Monday 16 November 2026. The weekly lesson is on Tuesdays; 1 December is between the terms. */
const FIRST: Term = { name: 'First half', fromDate: '2026-11-02', toDate: '2026-11-27' };
const SECOND: Term = { name: 'Second half', fromDate: '2026-12-07', toDate: '2026-12-18' };
const SPRING: Term = { name: 'Spring', fromDate: '2027-01-04', toDate: '2027-01-15' };

async function createCalendar(
  { browser }: Pick<LessonFixture, 'browser'>,
  terms: Term[] = [FIRST, SECOND],
  name = 'Surrey',
): Promise<number> {
  const saved = await browser.call(termCalendars.createTermCalendar, { body: { name, terms } });
  if (saved.status !== 201) throw new Error(saved.error.message);
  return saved.body.id;
}

const updateCalendar = (fixture: LessonFixture, id: number, terms: Term[], name = 'Surrey') =>
  fixture.browser.call(termCalendars.updateTermCalendar, { params: { id }, body: { name, terms } });
const previewCalendar = (fixture: LessonFixture, id: number, terms: Term[]) =>
  fixture.browser.call(termCalendars.previewTermCalendar, {
    params: { id },
    body: { name: 'Surrey', terms },
  });
const listCalendars = async ({ browser }: Pick<LessonFixture, 'browser'>) =>
  (await browser.call(termCalendars.listTermCalendars)).body;

async function createTermTimeLesson(terms?: Term[], endDate: string | null = null) {
  const fixture = await createTutorWithStudentAndSubject(app);
  const calendarId = await createCalendar(fixture, terms);
  const lesson = await addLesson(
    fixture,
    weekly({ termCalendarId: calendarId, recurringEndDate: endDate }),
  );
  return { fixture, calendarId, ...lesson };
}

const TERM_DATES = [
  '2026-11-17 16:00 scheduled',
  '2026-11-24 16:00 scheduled',
  '2026-12-08 16:00 scheduled',
  '2026-12-15 16:00 scheduled',
];

describe('a series in term time', () => {
  test('F145 has sessions only within the terms, and the preview lists the dates between them', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const termCalendarId = await createCalendar(fixture);
    const body = lessonBody(fixture, weekly({ termCalendarId, recurringEndDate: null }));
    const preview = (await fixture.browser.call(lessons.previewNewLesson, { body })).body;
    expect(preview).toMatchObject({
      created: 4,
      firstDate: '2026-11-17',
      lastDate: '2026-12-15',
      skipped: [],
      outsideTerms: ['2026-12-01'],
    });
    const { lessonId } = await addLesson(fixture, body);
    expect(await fetchSessionsAsText(fixture)).toEqual(TERM_DATES);
    const lesson = (await fixture.browser.call(lessons.lesson, { params: { id: lessonId } })).body;
    expect(lesson).toMatchObject({ termCalendarId, status: 'scheduled' });
  });

  test('also skips time off within a term', async () => {
    const { fixture, calendarId } = await createTermTimeLesson();
    await fixture.browser.call(timeOff.createTimeOff, {
      body: { fromDate: '2026-12-06', toDate: '2026-12-09' },
    });
    const body = lessonBody(
      fixture,
      weekly({ termCalendarId: calendarId, startTime: '18:00', endTime: '19:00' }),
    );
    const preview = (await fixture.browser.call(lessons.previewNewLesson, { body })).body;
    expect(preview.skipped.map(({ date }) => date)).toEqual(['2026-12-08']);
    expect(preview.outsideTerms).toEqual(['2026-12-01']);
  });

  test("is rejected if no date is in a term, or if the calendar is unknown or another tutor's", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const past = await createCalendar(fixture, [
      { name: 'Autumn', fromDate: '2026-09-01', toDate: '2026-11-16' },
    ]);
    const create = (termCalendarId: number) =>
      fixture.browser.call(lessons.createLesson, {
        body: lessonBody(fixture, weekly({ termCalendarId })),
      });
    const refused = await create(past);
    expect([refused.status, Object.keys(refused.error.fields ?? {})]).toEqual([
      400,
      ['termCalendarId'],
    ]);
    const other = await createTutorWithStudentAndSubject(app);
    await createCalendar(other);
    const foreign = await createCalendar(other);
    expect((await create(foreign)).status).toBe(404);
    expect(await fetchSessionsAsText(fixture)).toEqual([]);
  });

  test('a one-off lesson ignores the terms', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const termCalendarId = await createCalendar(fixture);
    const { lessonId } = await addLesson(fixture, { date: '2026-12-01', termCalendarId });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-12-01 16:00 scheduled']);
    const lesson = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(lesson.body.termCalendarId).toBeNull();
  });

  test('rolling generation continues into terms that were entered in advance', async () => {
    const { fixture } = await createTermTimeLesson([
      FIRST,
      { name: 'Next year', fromDate: '2027-11-22', toDate: '2027-12-03' },
    ]);
    app.clock.set('2026-12-14T09:00:00Z');
    await extendAllSeries(app.context);
    expect(await fetchSessionsAsText(fixture, '2027-11-01', '2027-12-31')).toEqual([
      '2027-11-23 16:00 scheduled',
      '2027-11-30 16:00 scheduled',
    ]);
  });
});

describe('changing a series', () => {
  const update = (fixture: LessonFixture, lessonId: number, change: Partial<LessonUpdate>) =>
    fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(fixture, weekly()),
        scope: 'all',
        sessionId: 1,
        ...change,
      },
    });

  test('turning term time on removes sessions between the terms, and turning it off adds them again', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const termCalendarId = await createCalendar(fixture);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const on = await update(fixture, lessonId, { sessionId, termCalendarId });
    expect(on.body.consequences).toMatchObject({ removed: 1, outsideTerms: ['2026-12-01'] });
    expect(await fetchSessionsAsText(fixture)).toEqual(TERM_DATES);
    const off = await update(fixture, lessonId, { sessionId, termCalendarId: null });
    expect(off.body.consequences).toMatchObject({ created: 1, outsideTerms: [] });
    expect(await fetchSessionsAsText(fixture)).toContain('2026-12-01 16:00 scheduled');
  });

  test('an update that omits the field keeps the terms, and a moved series still follows them', async () => {
    const { fixture, lessonId, sessionId } = await createTermTimeLesson(
      [FIRST, { ...SECOND, fromDate: '2026-12-02', toDate: '2026-12-15' }],
      '2026-12-16',
    );
    expect(await fetchSessionsAsText(fixture)).toEqual(TERM_DATES);
    const moved = await update(fixture, lessonId, {
      sessionId,
      date: '2026-11-18',
      recurringEndDate: '2026-12-16',
    });
    expect(moved.body.consequences).toMatchObject({ created: 1, removed: 1 });
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-18 16:00 scheduled',
      '2026-11-25 16:00 scheduled',
      '2026-12-02 16:00 scheduled',
      '2026-12-09 16:00 scheduled',
    ]);
  });

  test('"this and following" applies the terms to the new series only', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const termCalendarId = await createCalendar(fixture);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const split = await update(fixture, lessonId, {
      scope: 'following',
      sessionId: sessionId + 1,
      date: '2026-11-24',
      termCalendarId,
    });
    expect(split.body.lessonId).not.toBe(lessonId);
    expect(await fetchSessionsAsText(fixture)).toEqual(TERM_DATES);
    const before = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(before.body.termCalendarId).toBeNull();
  });
});

describe('changing the terms', () => {
  test('the preview lists what is added and removed, and changes nothing', async () => {
    const { fixture, calendarId, lessonId } = await createTermTimeLesson();
    const preview = await previewCalendar(fixture, calendarId, [FIRST, SPRING]);
    expect(preview.body.lessons).toEqual([
      {
        lessonId,
        title: 'Maya Okafor - Maths',
        startTime: '16:00',
        added: ['2027-01-05', '2027-01-12'],
        removed: ['2026-12-08', '2026-12-15'],
        kept: [],
      },
    ]);
    expect(await fetchSessionsAsText(fixture)).toEqual(TERM_DATES);
    expect((await listCalendars(fixture))[0]?.terms).toEqual([FIRST, SECOND]);
  });

  test('adds and removes sessions, and changing back restores them', async () => {
    const { fixture, calendarId } = await createTermTimeLesson();
    await updateCalendar(fixture, calendarId, [FIRST, SPRING]);
    const changed = [
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 scheduled',
      '2027-01-05 16:00 scheduled',
      '2027-01-12 16:00 scheduled',
    ];
    expect(await fetchSessionsAsText(fixture)).toEqual(changed);
    // Saving the same terms again changes nothing.
    const again = await updateCalendar(fixture, calendarId, [FIRST, SPRING]);
    expect(again.body.lessons).toEqual([]);
    expect(await fetchSessionsAsText(fixture)).toEqual(changed);
    await updateCalendar(fixture, calendarId, [FIRST, SECOND]);
    expect(await fetchSessionsAsText(fixture)).toEqual(TERM_DATES);
  });

  test('keeps sessions that were moved, edited, completed or cancelled', async () => {
    const { fixture, calendarId, lessonId } = await createTermTimeLesson([FIRST, SECOND, SPRING]);
    const rows = (
      await fixture.browser.call(sessions.listSessions, {
        query: { from: '2026-12-01', to: '2027-01-31' },
      })
    ).body;
    const [second, third, spring] = rows.map(({ id }) => id) as [number, number, number];
    await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: second },
      body: { date: '2026-12-09', startTime: '16:00', endTime: '17:00' },
    });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: third },
      body: { cancelledBy: 'tutor' },
    });
    await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(
          fixture,
          weekly({ date: '2027-01-05', title: 'Mock exam', recurringEndDate: null }),
        ),
        scope: 'this',
        sessionId: spring,
      },
    });
    const changed = await updateCalendar(fixture, calendarId, [FIRST]);
    expect(changed.body.lessons).toMatchObject([
      { removed: ['2027-01-12'], kept: ['2027-01-05'], added: [] },
    ]);
    expect(await fetchSessionsAsText(fixture, '2026-12-01')).toEqual([
      '2026-12-08 16:00 rescheduled',
      '2026-12-09 16:00 scheduled',
      '2026-12-15 16:00 cancelled',
      '2027-01-05 16:00 scheduled',
    ]);
    // A session that the tutor cancelled does not return with its term.
    const back = await updateCalendar(fixture, calendarId, [FIRST, SECOND]);
    expect(back.body.lessons).toEqual([]);
  });

  test('does not change past sessions and other series, and reports overlaps of new sessions', async () => {
    const { fixture, calendarId } = await createTermTimeLesson();
    await addLesson(fixture, { date: '2026-12-01', title: 'Trial' });
    await addLesson(fixture, weekly({ startTime: '09:00', endTime: '10:00' }));
    // After the lesson on 24 November.
    app.clock.set('2026-11-24T18:00:00Z');
    const changed = await updateCalendar(fixture, calendarId, [
      { ...SECOND, fromDate: '2026-12-01' },
    ]);
    expect(changed.body.lessons).toMatchObject([{ added: ['2026-12-01'], removed: [] }]);
    expect(changed.body.overlaps).toMatchObject([{ withTitle: 'Maya Okafor - Trial' }]);
    const rows = await fetchSessionsAsText(fixture);
    expect(rows.filter((row) => row.includes('09:00'))).toHaveLength(5);
    expect(rows).toContain('2026-11-24 16:00 scheduled');
  });

  test('two concurrent changes add each session once', async () => {
    const { fixture, calendarId } = await createTermTimeLesson();
    await Promise.all(
      [1, 2, 3].map(() => updateCalendar(fixture, calendarId, [FIRST, SECOND, SPRING])),
    );
    expect(await fetchSessionsAsText(fixture)).toEqual([
      ...TERM_DATES,
      '2027-01-05 16:00 scheduled',
      '2027-01-12 16:00 scheduled',
    ]);
  });
});

describe('calendars', () => {
  test('are listed by name with their terms in order and the series that follow them', async () => {
    const { fixture, calendarId } = await createTermTimeLesson();
    const otherId = await createCalendar(fixture, [SPRING, FIRST], 'Kent');
    expect(await listCalendars(fixture)).toEqual([
      { id: otherId, name: 'Kent', terms: [FIRST, SPRING], lessons: 0 },
      { id: calendarId, name: 'Surrey', terms: [FIRST, SECOND], lessons: 1 },
    ]);
  });

  test('repeated requests with the same idempotency key add one calendar', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const body = { name: 'Surrey', terms: [FIRST] };
    const create = () =>
      fixture.browser.send('POST', '/api/term-calendars', body, {
        'idempotency-key': 'one-calendar',
      });
    const [first, second] = await Promise.all([create(), create()]);
    expect(first.body).toEqual(second.body);
    expect(await listCalendars(fixture)).toHaveLength(1);
  });

  test('a calendar that a current series follows cannot be deleted', async () => {
    const { fixture, calendarId, lessonId, sessionId } = await createTermTimeLesson();
    const remove = () =>
      fixture.browser.call(termCalendars.deleteTermCalendar, { params: { id: calendarId } });
    expect((await remove()).status).toBe(409);
    await fixture.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'all', sessionId },
    });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(await listCalendars(fixture)).toEqual([]);
  });

  test("a student's calendar is kept if it is omitted, and removed if it is null or the calendar is deleted", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const termCalendarId = await createCalendar(fixture);
    const save = (body: object) =>
      fixture.browser.call(students.updateStudent, {
        params: { id: fixture.studentId },
        body: { name: 'Maya Okafor', ...body },
      });
    expect((await save({ termCalendarId })).body.termCalendarId).toBe(termCalendarId);
    expect((await save({})).body.termCalendarId).toBe(termCalendarId);
    expect((await save({ termCalendarId: null })).body.termCalendarId).toBeNull();
    expect((await save({ termCalendarId: 4711 })).status).toBe(404);
    await save({ termCalendarId });
    await fixture.browser.call(termCalendars.deleteTermCalendar, {
      params: { id: termCalendarId },
    });
    expect((await save({})).body.termCalendarId).toBeNull();
  });

  test('are limited in number', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (let index = 0; index < MAX_TERM_CALENDARS; index++) await createCalendar(fixture, [FIRST]);
    const refused = await fixture.browser.call(termCalendars.createTermCalendar, {
      body: { name: 'One more', terms: [FIRST] },
    });
    expect(refused.status).toBe(409);
  });
});
