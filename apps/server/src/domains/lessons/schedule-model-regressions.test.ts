import { groupLessons } from '@lessonbook/contract/group-lessons';
import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { termCalendars } from '@lessonbook/contract/term-calendars';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* Minimal test cases for bugs found by the random runs in schedule-model.test.ts. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/** The weekly lesson used in these tests: Tuesdays from 17 November to 15 December 2026, ids 1 to 5 in order. */
const TUESDAYS = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15'];

type Edit = Partial<LessonUpdate> & Pick<LessonUpdate, 'scope' | 'sessionId' | 'date'>;

const updateLesson = (fixture: LessonFixture, lessonId: number, edit: Edit) =>
  fixture.browser.call(lessons.updateLesson, {
    params: { id: lessonId },
    body: { ...lessonBody(fixture, weekly()), ...edit },
  });

const postAction = (fixture: LessonFixture, sessionId: number, name: string, body: unknown) =>
  fixture.browser.send('POST', `/api/sessions/${sessionId}/${name}`, body);

const deleteLesson = (
  fixture: LessonFixture,
  lessonId: number,
  scope: 'following' | 'all',
  sessionId: number,
) =>
  fixture.browser.call(lessons.deleteLesson, {
    params: { id: lessonId },
    query: { scope, sessionId },
  });

async function createWeeklyFixture(change: Parameters<typeof weekly>[0] = {}) {
  app.clock.restart();
  const fixture = await createTutorWithStudentAndSubject(app);
  const { lessonId } = await addLesson(fixture, weekly(change));
  return { fixture, lessonId };
}

async function readScheduledDates(fixture: LessonFixture): Promise<string[]> {
  return (await fetchSessionsAsText(fixture))
    .filter((line) => line.endsWith(' scheduled'))
    .map((line) => line.slice(0, 10));
}

const readLesson = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(lessons.lesson, { params: { id } })).body;
const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;

describe('regressions found by the model-based test', () => {
  test('a past session during time off is cancelled, not completed', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const body = { fromDate: '2026-11-02', toDate: '2026-11-06' };
    await fixture.browser.call(timeOff.createTimeOff, { body });
    const { sessionId } = await addLesson(fixture, {
      ...weekly({ pastSessions: 'taught' }),
      date: '2026-11-03',
    });
    const { status, cancelledBy } = await readSession(fixture, sessionId);
    expect([status, cancelledBy]).toEqual(['cancelled', 'tutor']);
  });

  test('moving a series by whole weeks leaves a completed session in place', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await fixture.browser.call(sessions.completeSession, { params: { id: 3 }, body: {} });
    const moved = await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 2,
      date: TUESDAYS[0] ?? '',
    });
    expect(moved.status).toBe(200);
    expect((await readSession(fixture, 3)).date).toBe(TUESDAYS[2]);
  });

  test('deleting time off does not restore sessions after the end of the series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const body = { fromDate: '2026-12-08', toDate: '2026-12-08', cancelSessionIds: [4] };
    const created = await fixture.browser.call(timeOff.createTimeOff, { body });
    const date = TUESDAYS[0] ?? '';
    await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 1,
      date,
      recurringEndDate: '2026-12-01',
    });
    await fixture.browser.call(timeOff.deleteTimeOff, {
      params: { id: created.body.id },
      query: { restore: 'true' },
    });
    expect(await readScheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('shortening a series removes a session that was charged and reopened', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 5, 'complete', {});
    await postAction(fixture, 5, 'reopen', {});
    const date = TUESDAYS[0] ?? '';
    const edit = { date, recurringEndDate: '2026-12-08' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await readScheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('"all" leaves past sessions unchanged when an early session was moved to a later date', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 1, 'reschedule', {
      date: '2026-12-20',
      startTime: '10:00',
      endTime: '11:00',
    });
    app.clock.advance({ days: 16 });
    // The sessions on 24 November and 1 December have ended but are not completed.
    await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 4,
      date: '2026-12-08',
      fee: 50,
    });
    const rows = await fetchSessionsBetween(fixture, '2026-11-24', '2026-12-15');
    expect(rows.map((row) => row.fee)).toEqual([3500, 3500, 5000, 5000]);
  });

  test('changing the series to biweekly with "all" from the second session creates a biweekly series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-11-24', recurringPattern: 'biweekly' } as const;
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(await readScheduledDates(fixture)).toEqual(['2026-11-17', '2026-12-01', '2026-12-15']);
  });

  test('turning off recurrence at a session makes it the last one', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-12-01', isRecurring: false, recurringEndDate: null };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 3, ...edit });
    expect((await readSession(fixture, saved.body.sessionId ?? 0)).date).toBe('2026-12-01');
    expect(await readScheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('notes changed for "all" replace the notes of the chosen session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const date = '2026-11-24';
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 2,
      date,
      notes: 'only here',
    });
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 2, date, notes: 'for all' });
    expect((await readSession(fixture, 2)).notes).toBe('for all');
  });

  test('notes can be cleared for one session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ notes: 'for all' });
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 2,
      date: '2026-11-24',
      notes: '',
    });
    expect((await readSession(fixture, 2)).notes).toBe(null);
    expect((await readSession(fixture, 3)).notes).toBe('for all');
  });

  test('a lesson moved with "all" starts on its new day', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(await readLesson(fixture, lessonId)).toMatchObject({
      date: '2026-11-18',
      recurringDay: 3,
    });
  });

  test('returns 400 for a series without sessions, since it could not be deleted', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const change = { ...weekly({ recurringEndDate: '2026-11-10' }), date: '2026-11-03' };
    const response = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, change),
    });
    expect(response.status).toBe(400);
  });

  test('changing a detached session does not duplicate the series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 3,
      date: '2026-12-01',
      fee: 50,
    });
    await updateLesson(fixture, lessonId, {
      scope: 'following',
      sessionId: 2,
      date: '2026-11-24',
      fee: 40,
    });
    const { lessonId: currentLessonId } = await readSession(fixture, 3);
    const edit = { date: '2026-12-01', fee: 60, acceptOverlaps: true };
    await updateLesson(fixture, currentLessonId, { scope: 'following', sessionId: 3, ...edit });
    expect(await readScheduledDates(fixture)).toEqual(TUESDAYS);
    expect((await readSession(fixture, 3)).fee).toBe(6000);
  });

  test('deleting from a detached session onwards does not extend the lesson', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 4,
      date: '2026-12-08',
      fee: 50,
    });
    await updateLesson(fixture, lessonId, {
      scope: 'following',
      sessionId: 2,
      date: '2026-11-24',
      fee: 40,
    });
    const { lessonId: currentLessonId } = await readSession(fixture, 4);
    const before = (await readLesson(fixture, currentLessonId)).recurringEndDate;
    await deleteLesson(fixture, currentLessonId, 'following', 4);
    const after = (await readLesson(fixture, currentLessonId)).recurringEndDate;
    expect((after ?? '') <= (before ?? '')).toBe(true);
  });

  test('the chosen session is changed even if it is detached from the series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 3,
      date: '2026-12-01',
      fee: 50,
    });
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    const later = { date: '2026-12-01', recurringEndDate: '2026-12-16', fee: 60 };
    await updateLesson(fixture, lessonId, { scope: 'following', sessionId: 3, ...later });
    expect((await readSession(fixture, 3)).fee).toBe(6000);
  });

  test('a shortened series can be extended again', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await deleteLesson(fixture, lessonId, 'following', 4);
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-22' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await readScheduledDates(fixture)).toContain('2026-12-22');
  });

  test('"all" can move the series to the date of an earlier cancelled session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 1, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-08' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(saved.status).toBe(200);
    expect(await readScheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('the pattern can change even if a new date already has a cancelled session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ recurringPattern: 'biweekly' });
    await postAction(fixture, 2, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringPattern: 'weekly' } as const;
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    const [first, , ...rest] = TUESDAYS;
    expect(await readScheduledDates(fixture)).toEqual([first, ...rest]);
  });

  test('the student of a series cannot be replaced with one who has a cancelled seat in one of its sessions', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const studentId = added.body.id;
    const date = TUESDAYS[2] ?? '';
    await fixture.browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId, from: date },
    });
    await postAction(fixture, 3, `students/${studentId}/cancel`, { cancelledBy: 'carer' });
    await fixture.browser.call(groupLessons.leaveLesson, {
      params: { id: lessonId, studentId },
      query: { from: date },
    });
    const edit = { scope: 'all', sessionId: 1, date: TUESDAYS[0] ?? '' } as const;
    const changed = await updateLesson(fixture, lessonId, { ...edit, studentId });
    expect(changed.status).toBe(409);
    const repriced = await updateLesson(fixture, lessonId, { ...edit, fee: 50 });
    expect(repriced.status).toBe(200);
    expect((await readSession(fixture, 3)).students.map(({ fee }) => fee)).toEqual([5000, 3500]);
  });

  test('a fee for a series is rejected if a reopened session has a student who has left', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const studentId = added.body.id;
    const date = TUESDAYS[2] ?? '';
    await fixture.browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId, fee: 20, from: date },
    });
    await postAction(fixture, 3, 'complete', {});
    await fixture.browser.call(groupLessons.leaveLesson, {
      params: { id: lessonId, studentId },
      query: { from: date },
    });
    await postAction(fixture, 3, 'reopen', {});
    const edit = { scope: 'all', sessionId: 1, date: TUESDAYS[0] ?? '', fee: 50 } as const;
    expect((await updateLesson(fixture, lessonId, edit)).status).toBe(409);
    expect((await readSession(fixture, 3)).students.map(({ fee }) => fee)).toEqual([3500, 2000]);
  });

  test('a series can be shortened after the move of its last session was undone', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 5, 'reschedule', {
      date: '2026-12-16',
      startTime: '10:00',
      endTime: '11:00',
    });
    await postAction(fixture, 6, 'undo-reschedule', {});
    const edit = { date: TUESDAYS[0] ?? '', recurringEndDate: '2026-12-08' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await readScheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
    expect((await readSession(fixture, 5)).status).toBe('cancelled');
  });

  test('a lesson whose fee follows the rates is shown as free if its next session is free', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ usesRates: true });
    const edit = { scope: 'this', sessionId: 1, date: TUESDAYS[0] ?? '' } as const;
    await updateLesson(fixture, lessonId, { ...edit, fee: null });
    expect((await readLesson(fixture, lessonId)).fee).toBe(null);
  });

  test('a move cannot be undone after the session was made free', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ usesRates: true });
    const times = { startTime: '10:00', endTime: '11:00' };
    await postAction(fixture, 1, 'reschedule', { date: '2026-11-18', ...times });
    const edit = { scope: 'this', sessionId: 6, date: '2026-11-18', ...times } as const;
    await updateLesson(fixture, lessonId, { ...edit, fee: null });
    expect((await postAction(fixture, 6, 'undo-reschedule', {})).status).toBe(409);
  });

  test('when a series stops following its terms, time off applies to the dates added between the terms', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const terms = [
      { name: 'First', fromDate: '2026-11-16', toDate: '2026-11-30' },
      { name: 'Second', fromDate: '2026-12-08', toDate: '2026-12-31' },
    ];
    const calendar = { name: 'School', terms };
    const created = await fixture.browser.call(termCalendars.createTermCalendar, {
      body: calendar,
    });
    const { lessonId } = await addLesson(fixture, weekly({ termCalendarId: created.body.id }));
    const body = { fromDate: '2026-12-01', toDate: '2026-12-01' };
    await fixture.browser.call(timeOff.createTimeOff, { body });
    // The series also gets later dates, for which the sessions are added at the same time.
    await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 1,
      date: TUESDAYS[0] ?? '',
      recurringEndDate: '2026-12-29',
      termCalendarId: null,
    });
    expect(await fetchSessionsAsText(fixture)).toContain('2026-12-01 16:00 cancelled');
  });

  test('a student cannot join a session whose currency differs from that of the lesson', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ currency: 'EUR' });
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const date = TUESDAYS[2] ?? '';
    const edit = { scope: 'this', sessionId: 3, date, currency: 'EUR' } as const;
    // The session now has the subject's fee, which is in GBP.
    await updateLesson(fixture, lessonId, { ...edit, usesRates: true });
    const join = (from = '') =>
      fixture.browser.call(groupLessons.joinLesson, {
        params: { id: lessonId },
        body: { studentId: added.body.id, from },
      });
    expect((await join(date)).status).toBe(409);
    expect((await join(TUESDAYS[3])).status).toBe(201);
  });

  test('a group is removed when its last two students are archived on the same day', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const studentId = added.body.id;
    const date = '2026-11-10';
    const { lessonId, sessionId } = await addLesson(fixture, { date });
    await fixture.browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId, from: date },
    });
    await fixture.browser.call(students.deleteStudent, { params: { id: studentId } });
    expect((await fixture.browser.call(lessons.listLessons)).body).toHaveLength(1);
    await fixture.browser.call(students.deleteStudent, { params: { id: fixture.studentId } });
    expect((await fixture.browser.call(lessons.listLessons)).body).toEqual([]);
    // The past session stays, so that it can be completed.
    expect(await fetchSessionsBetween(fixture, date, date)).toMatchObject([
      { id: sessionId, status: 'scheduled' },
    ]);
  });

  test('a past session of an archived student can be completed, but not moved', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { date: '2026-11-10' });
    const times = { startTime: '10:00', endTime: '11:00' };
    await postAction(fixture, sessionId, 'reschedule', { date: '2026-11-12', ...times });
    const movedId = sessionId + 1;
    const params = { id: fixture.studentId };
    await fixture.browser.call(students.deleteStudent, { params });
    const moved = await postAction(fixture, movedId, 'reschedule', {
      date: '2026-11-24',
      ...times,
    });
    const undone = await postAction(fixture, movedId, 'undo-reschedule', {});
    expect([moved.status, undone.status]).toEqual([409, 409]);
    expect(moved.error.message).toBe('This lesson has been deleted.');
    expect((await postAction(fixture, movedId, 'complete', {})).status).toBe(200);
    expect((await postAction(fixture, movedId, 'reopen', {})).status).toBe(409);
  });

  test('a series that is split at a moved session can start before that session', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    await postAction(fixture, 2, 'reschedule', {
      date: '2026-11-22',
      startTime: '10:00',
      endTime: '11:00',
    });
    const changed = await updateLesson(fixture, lessonId, {
      scope: 'following',
      sessionId: 6,
      date: '2026-11-17',
      startTime: '18:00',
      endTime: '19:00',
    });
    expect(changed.status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-17 18:00 scheduled',
      '2026-11-24 16:00 rescheduled',
      '2026-11-24 18:00 scheduled',
      '2026-12-01 18:00 scheduled',
      '2026-12-08 18:00 scheduled',
      '2026-12-15 18:00 scheduled',
    ]);
  });
});
