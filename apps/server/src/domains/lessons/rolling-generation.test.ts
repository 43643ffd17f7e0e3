import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  fetchSessionsBetween,
  type LessonFixture,
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

const openEnded = weekly({ recurringEndDate: null });

/** Advances the horizon from 16 November to 14 December 2027. */
async function advanceFourWeeks(): Promise<void> {
  app.clock.advance({ days: 28 });
  await extendAllSeries(app.context);
}
const listSessionsNearHorizon = (fixture: LessonFixture) =>
  fetchSessionsAsText(fixture, '2027-11-10', '2028-02-01');
const extendedDates = ['2027-11-16', '2027-11-23', '2027-11-30', '2027-12-07', '2027-12-14'];

describe('extendAllSeries', () => {
  test('generates sessions up to the new horizon, and repeated runs create no duplicates', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, openEnded);
    expect(await listSessionsNearHorizon(fixture)).toEqual(['2027-11-16 16:00 scheduled']);
    await advanceFourWeeks();
    const extended = await listSessionsNearHorizon(fixture);
    expect(extended).toEqual(extendedDates.map((date) => `${date} 16:00 scheduled`));
    await extendAllSeries(app.context);
    app.clock.advance({ days: 8 });
    await Promise.all([extendAllSeries(app.context), extendAllSeries(app.context)]);
    expect(await listSessionsNearHorizon(fixture)).toEqual([
      ...extended,
      '2027-12-21 16:00 scheduled',
    ]);
  });

  test("new sessions have the lesson's fee, place and title", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, { ...openEnded, fee: 42.5, place: 'Library', currency: 'EUR' });
    await advanceFourWeeks();
    expect((await fetchSessionsBetween(fixture, '2027-12-14', '2027-12-14'))[0]).toMatchObject({
      fee: 4250,
      currency: 'EUR',
      place: 'Library',
      title: 'Maya Okafor - Maths',
      charged: null,
    });
  });

  test('does not recreate cancelled or moved sessions near the horizon', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, openEnded);
    const rows = await fetchSessionsBetween(fixture, '2027-11-01', '2027-11-16');
    const [second, last] = [rows.at(-2), rows.at(-1)];
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: second?.id ?? 0 },
      body: { cancelledBy: 'carer' },
    });
    await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: last?.id ?? 0 },
      body: { date: '2027-11-24', startTime: '10:00', endTime: '11:00' },
    });
    await advanceFourWeeks();
    expect(await fetchSessionsAsText(fixture, '2027-11-09', '2027-12-31')).toEqual([
      '2027-11-09 16:00 cancelled',
      '2027-11-16 16:00 rescheduled',
      '2027-11-23 16:00 scheduled',
      '2027-11-24 10:00 scheduled',
      '2027-11-30 16:00 scheduled',
      '2027-12-07 16:00 scheduled',
      '2027-12-14 16:00 scheduled',
    ]);
  });

  test("stops at the lesson's end date", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ recurringEndDate: '2027-11-30' }));
    await advanceFourWeeks();
    expect(await listSessionsNearHorizon(fixture)).toEqual([
      '2027-11-16 16:00 scheduled',
      '2027-11-23 16:00 scheduled',
      '2027-11-30 16:00 scheduled',
    ]);
  });

  test('does not extend a lesson that has ended or was deleted, or whose student is archived', async () => {
    const [ended, deleted, archived] = [
      await createTutorWithStudentAndSubject(app),
      await createTutorWithStudentAndSubject(app),
      await createTutorWithStudentAndSubject(app),
    ];
    const one = await addLesson(ended, openEnded);
    const [, second] = await fetchSessionsBetween(ended, '2026-11-01', '2026-11-30');
    await ended.browser.call(lessons.deleteLesson, {
      params: { id: one.lessonId },
      query: { scope: 'following', sessionId: second?.id ?? 0 },
    });
    const two = await addLesson(deleted, openEnded);
    await deleted.browser.call(lessons.deleteLesson, {
      params: { id: two.lessonId },
      query: { scope: 'all', sessionId: two.sessionId },
    });
    await addLesson(archived, openEnded);
    await archived.browser.call(students.deleteStudent, { params: { id: archived.studentId } });
    await advanceFourWeeks();
    for (const fixture of [ended, deleted, archived])
      expect(await fetchSessionsAsText(fixture, '2027-11-17', '2028-02-01')).toEqual([]);
  });

  test('generates sessions even if they overlap others', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, openEnded);
    await addLesson(fixture, { date: '2027-11-30', startTime: '16:30', endTime: '17:30' });
    await advanceFourWeeks();
    expect(await fetchSessionsAsText(fixture, '2027-11-30', '2027-11-30')).toEqual([
      '2027-11-30 16:00 scheduled',
      '2027-11-30 16:30 scheduled',
    ]);
  });

  test('creates cancelled sessions for dates during time off', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, openEnded);
    await fixture.browser.call(timeOff.createTimeOff, {
      body: { fromDate: '2027-12-01', toDate: '2027-12-10' },
    });
    await advanceFourWeeks();
    expect(await fetchSessionsAsText(fixture, '2027-12-01', '2027-12-31')).toEqual([
      '2027-12-07 16:00 cancelled',
      '2027-12-14 16:00 scheduled',
    ]);
  });

  test('a monthly lesson on the 31st returns to the 31st after a shorter month', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, {
      ...weekly({ recurringPattern: 'monthly', recurringEndDate: null }),
      date: '2026-12-31',
    });
    await advanceFourWeeks();
    expect(await listSessionsNearHorizon(fixture)).toHaveLength(1);
    await advanceFourWeeks();
    expect(await fetchSessionsAsText(fixture, '2027-10-15', '2028-01-15')).toEqual([
      '2027-10-31 16:00 scheduled',
      '2027-11-30 16:00 scheduled',
      '2027-12-31 16:00 scheduled',
    ]);
  });

  test('a series that was moved to another day continues on that day', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, openEnded);
    const { browser, studentId, subjectId } = fixture;
    await browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        studentId,
        subjectId,
        title: 'Maya Okafor - Maths',
        date: '2026-11-19',
        startTime: '17:00',
        endTime: '18:00',
        fee: 35,
        isRecurring: true,
        scope: 'all',
        sessionId,
      },
    });
    await advanceFourWeeks();
    expect(await fetchSessionsAsText(fixture, '2027-11-17', '2027-12-31')).toEqual(
      ['2027-11-18', '2027-11-25', '2027-12-02', '2027-12-09'].map(
        (date) => `${date} 17:00 scheduled`,
      ),
    );
  });
});
