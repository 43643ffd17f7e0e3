import { payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createGroupFixture } from '../../test/group-lesson-fixture.ts';
import {
  cancelSeat,
  cancelSession,
  completeSession,
  moveSession,
  sessionIdOn,
} from '../../test/group-lesson-requests.ts';
import { addLesson, createTutorWithStudentAndSubject, weekly } from '../../test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

type Query = NonNullable<Parameters<typeof read>[1]>;
const read = async (
  browser: Browser,
  query: {
    period?: 'this_month' | 'all_time' | 'next_month';
    studentId?: number;
    subjectId?: number;
  } = {},
) => {
  const response = await browser.call(reports.lessonReport, {
    query: { period: 'this_month', ...query },
  });
  if (response.status !== 200) throw new Error(response.error.message);
  return response.body;
};
const listSessions = async (browser: Browser, query: Query = {}) =>
  (await browser.call(reports.sessionsInReport, { query: { period: 'this_month', ...query } }))
    .body;

describe('F143 hours', () => {
  test('a group lesson counts once for the tutor and once for each student', async () => {
    const group = await createGroupFixture(app, { date: '2026-11-10', endTime: '17:30' });
    const { browser, fixture, sessionId, maya, sam } = group;
    await completeSession(browser, sessionId);
    await createCompletedLesson(fixture, maya.id, '2026-11-11');
    const report = await read(browser);
    expect(report.taught).toEqual({ lessons: 2, minutes: 150, previousMinutes: 0 });
    expect(report.students.map(({ name, lessons, minutes }) => [name, lessons, minutes])).toEqual([
      ['Maya Reid', 2, 150],
      ['Ida Lund', 1, 90],
      ['Sam Hale', 1, 90],
    ]);
    expect(report.subjects).toMatchObject([{ name: 'Maths', lessons: 2, minutes: 150 }]);
    expect(report.months).toEqual([
      { month: '2026-11', lessons: 2, minutes: 150, bookedMinutes: 0 },
    ]);
    const sams = await read(browser, { studentId: sam.id });
    expect(sams).toMatchObject({
      student: { id: sam.id, name: 'Sam Hale' },
      taught: { lessons: 1, minutes: 90 },
      charged: [{ currency: 'GBP', amount: 4229 }],
      students: [{ name: 'Sam Hale' }],
    });
  });

  test('a lesson that was moved is counted on its new date only', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await moveSession(fixture.browser, sessionId, '2026-11-19');
    expect((await read(fixture.browser)).booked).toMatchObject({ lessons: 1, minutes: 60 });
    expect((await listSessions(fixture.browser)).map(({ date }) => date)).toEqual(['2026-11-19']);
  });

  test('the months end at midnight in the tutor’s time zone, and the report includes the previous period for comparison', async () => {
    const fixture = await createTutorWithStudentAndSubject(app, 'Pacific/Auckland');
    await createCompletedLesson(fixture, fixture.studentId, '2026-10-31');
    await createCompletedLesson(fixture, fixture.studentId, '2026-11-30');
    // 1 December in Auckland, but still 30 November in London.
    app.clock.advance({ days: 14, hours: 2 });
    const { taught } = await read(fixture.browser, { period: 'this_month' });
    expect(taught).toEqual({ lessons: 0, minutes: 0, previousMinutes: 60 });
  });
});

describe('F143 forecast', () => {
  test('lists scheduled lessons in the period with their fees in each currency, separately from lessons already taught', async () => {
    const { fixture, children } = await createFamilyFixture(app);
    const [lena = 0, noah = 0] = children;
    await createCompletedLesson(fixture, lena, '2026-11-03', { fee: 40 });
    await addLesson(fixture, { studentId: lena, date: '2026-11-12', fee: 30 });
    await addLesson(fixture, { studentId: noah, date: '2026-11-20', fee: 25, currency: 'EUR' });
    await addLesson(
      fixture,
      weekly({ studentId: lena, date: '2026-12-03', fee: 30, recurringEndDate: '2026-12-10' }),
    );
    const report = await read(fixture.browser);
    expect(report).toMatchObject({
      taught: { lessons: 1, minutes: 60 },
      charged: [{ currency: 'GBP', amount: 4000 }],
      booked: {
        lessons: 2,
        minutes: 120,
        fees: [
          { currency: 'GBP', amount: 3000 },
          { currency: 'EUR', amount: 2500 },
        ],
      },
      toComplete: 1,
    });
    expect((await read(fixture.browser, { period: 'next_month' })).booked).toEqual({
      lessons: 2,
      minutes: 120,
      fees: [{ currency: 'GBP', amount: 6000 }],
    });
    const earnings = await fixture.browser.call(reports.earnings, {
      query: { period: 'this_month', studentId: lena },
    });
    expect(earnings.body.booked).toEqual({
      lessons: 1,
      minutes: 60,
      fees: [{ currency: 'GBP', amount: 3000 }],
    });
  });
});

describe('F143 attendance', () => {
  const ALL_TIME = { period: 'all_time' } as const;

  test('counts each student’s place, and only cancellations by the family', async () => {
    const group = await createGroupFixture(
      app,
      weekly({ date: '2026-11-16', recurringEndDate: '2026-12-07' }),
    );
    const { browser, fixture, maya, sam, ida } = group;
    const idOn = (date: string) => sessionIdOn(fixture, date);
    await completeSession(browser, await idOn('2026-11-16'), {
      students: [
        { studentId: sam.id, attendance: 'late', charge: true },
        { studentId: ida.id, attendance: 'absent', charge: false },
      ],
    });
    const second = await idOn('2026-11-23');
    await cancelSeat(browser, second, ida.id);
    await completeSession(browser, second);
    await cancelSession(browser, await idOn('2026-11-30'), { cancelledBy: 'tutor' });
    await cancelSession(browser, await idOn('2026-12-07'), { cancelledBy: 'student' });
    const report = await read(browser, ALL_TIME);
    expect(report.attendance).toEqual({ attended: 3, late: 1, absent: 1, cancelled: 4 });
    expect((await read(browser, { ...ALL_TIME, studentId: ida.id })).students).toMatchObject([
      { name: 'Ida Lund', lessons: 1, attended: 0, absent: 1, cancelled: 2 },
    ]);
    expect((await listSessions(browser, ALL_TIME)).map(({ date }) => date)).toEqual([
      '2026-12-07',
      '2026-11-23',
      '2026-11-16',
    ]);
    expect((await listSessions(browser, { ...ALL_TIME, studentId: maya.id })).length).toBe(3);
    const csv = await browser.send('GET', '/api/reports/lessons.csv?period=all_time');
    const lines = String(csv.body).trim().split('\r\n');
    expect(lines.slice(0, 4)).toEqual([
      'Date,Start,End,Minutes,Student,Subject,Status,Attendance,Charged,Currency',
      '2026-11-16,16:00,17:00,60,Maya Reid,Maths,Completed,Attended,31.17,GBP',
      '2026-11-16,16:00,17:00,60,Sam Hale,Maths,Completed,Late,42.29,GBP',
      '2026-11-16,16:00,17:00,60,Ida Lund,Maths,Completed,Absent,,GBP',
    ]);
    expect(lines[6]).toBe('2026-11-23,16:00,17:00,60,Ida Lund,Maths,Cancelled,,,GBP');
  });

  test('the list of sessions is paginated', async () => {
    const { browser } = await createGroupFixture(
      app,
      weekly({ date: '2026-11-16', recurringEndDate: '2026-12-07' }),
    );
    const page = await browser.call(reports.sessionsInReport, {
      query: { ...ALL_TIME, limit: 2, offset: 1 },
    });
    expect(page.body.map(({ date, students }) => [date, students.length])).toEqual([
      ['2026-11-30', 3],
      ['2026-11-23', 3],
    ]);
  });
});

describe('F143 the earnings of one student or subject', () => {
  test('are the parts of the payments that paid for that student or subject', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const { browser } = fixture;
    const [lena = 0, noah = 0] = children;
    const piano = await browser.call(subjects.createSubject, {
      body: { name: 'Piano', defaultFee: 20, currency: 'GBP' },
    });
    await createCompletedLesson(fixture, lena, '2026-11-03', { fee: 35 });
    await createCompletedLesson({ ...fixture, subjectId: piano.body.id }, noah, '2026-11-04', {
      fee: 20,
    });
    const paid = await createPayment(browser, familyId, 6000, { date: '2026-11-05' });
    await browser.call(payments.refundPayment, {
      params: { id: paid.id },
      body: { amount: 1500, date: '2026-11-06' },
    });
    const earningsOf = async (query: { studentId?: number; subjectId?: number }) =>
      (await browser.call(reports.earnings, { query: { period: 'this_month', ...query } })).body;
    const all = await earningsOf({});
    for (const { id, net } of all.students.filter((row) => row.id !== null))
      expect((await earningsOf({ studentId: id as number })).totals).toMatchObject([{ net }]);
    const [byNoah, byPiano] = [
      await earningsOf({ studentId: noah }),
      await earningsOf({ subjectId: piano.body.id }),
    ];
    expect(byPiano.totals).toEqual(byNoah.totals);
    expect(byPiano).toMatchObject({ subject: { name: 'Piano' }, subjects: [{ name: 'Piano' }] });
    const list = await browser.call(payments.listPayments, {
      query: { period: 'this_month', studentId: lena },
    });
    expect(list.body.map(({ kind, amount, share }) => [kind, amount, share])).toEqual([
      ['payment', 6000, 3500],
    ]);
    const everything = await browser.call(payments.listPayments, { query: {} });
    expect(everything.body.map(({ share }) => share)).toEqual([null, null]);
  });
});

describe('F143 custom dates', () => {
  test('are both inclusive, and the period is compared with the same number of days before it', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    for (const date of ['2026-10-31', '2026-11-01', '2026-11-07', '2026-11-08']) {
      await createCompletedLesson(fixture, children[0] ?? 0, date);
      await createPayment(fixture.browser, familyId, 100, { date });
    }
    const query = { period: 'custom', from: '2026-11-01', to: '2026-11-07' } as const;
    const { body: lessons } = await fixture.browser.call(reports.lessonReport, { query });
    expect(lessons.taught).toEqual({ lessons: 2, minutes: 120, previousMinutes: 60 });
    const { body: earnings } = await fixture.browser.call(reports.earnings, { query });
    expect(earnings).toMatchObject({
      ...query,
      totals: [{ net: 200, previousNet: 100 }],
    });
    const list = await fixture.browser.call(payments.listPayments, { query });
    expect(list.body.length).toBe(2);
  });

  test.each([
    'period=custom',
    'period=custom&from=2026-11-01',
    'period=custom&from=2026-11-02&to=2026-11-01',
    'period=custom&from=2026-02-30&to=2026-03-01',
  ])('%s is rejected', async (query) => {
    const { browser } = await createTutorWithStudentAndSubject(app);
    for (const path of ['reports/earnings', 'reports/lessons', 'reports/lessons.csv', 'payments'])
      expect((await browser.send('GET', `/api/${path}?${query}`)).status).toBe(400);
  });

  test('the longest range is accepted', async () => {
    const { browser } = await createTutorWithStudentAndSubject(app);
    const query = 'period=custom&from=1970-01-01&to=9999-12-31';
    for (const path of ['reports/earnings', 'reports/lessons'])
      expect((await browser.send('GET', `/api/${path}?${query}`)).status).toBe(200);
  });
});

test('F143 a student or subject of another tutor is not found', async () => {
  const { browser } = await createTutorWithStudentAndSubject(app);
  const other = await createTutorWithStudentAndSubject(app);
  // Ids are per tutor, so these get ids that only the other tutor has.
  const zoe = await createStudent(other.browser, { name: 'Zoe Lund' });
  const physics = await createSubject(other.browser, { name: 'Physics' });
  for (const path of ['earnings', 'earnings.csv', 'lessons', 'lessons/sessions', 'lessons.csv'])
    for (const filter of [`studentId=${zoe.id}`, `subjectId=${physics.id}`])
      expect((await browser.send('GET', `/api/reports/${path}?${filter}`)).status).toBe(404);
});
