import { type Dashboard, dashboard } from '@lessonbook/contract/dashboard';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
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
afterEach(() => app.restartClock());
afterAll(() => app.close());

const readDashboard = async (fixture: LessonFixture): Promise<Dashboard> =>
  (await fixture.browser.call(dashboard.dashboard)).body;
const complete = (fixture: LessonFixture, id: number, body: { charge?: boolean } = {}) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body });
const cancel = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.cancelSession, { params: { id }, body: { cancelledBy: 'carer' } });
const move = (fixture: LessonFixture, id: number, date: string) =>
  fixture.browser.call(sessions.rescheduleSession, {
    params: { id },
    body: { date, startTime: '06:00', endTime: '07:00' },
  });
const times = (rows: Dashboard['upcoming']) => rows.map((row) => `${row.date} ${row.startTime}`);

async function addTaughtLesson(
  fixture: LessonFixture,
  date: string,
  overrides: Parameters<typeof addLesson>[1] = {},
) {
  const lesson = await addLesson(fixture, { date, ...overrides });
  await complete(fixture, lesson.sessionId);
  return lesson;
}

describe('a new tutor', () => {
  test('has empty lists', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    expect(await readDashboard(fixture)).toEqual({
      today: '2026-11-16',
      todayCount: 0,
      upcoming: [],
      incomplete: [],
      incompleteCount: 0,
      unpaid: [],
      unpaidCount: 0,
      transferClaims: [],
      week: { completed: 0, total: 0, money: [] },
    });
  });
});

describe('upcoming lessons', () => {
  test('[DASH-15] are scheduled and have not ended, so lessons that ended earlier today are excluded', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const today = { date: '2026-11-16' };
    await addLesson(fixture, { date: '2026-11-13' });
    await addLesson(fixture, { ...today, startTime: '10:00', endTime: '11:00' });
    await addLesson(fixture, { ...today, startTime: '11:00', endTime: '12:00' });
    await addLesson(fixture, {
      ...today,
      startTime: '11:30',
      endTime: '12:30',
      acceptOverlaps: true,
    });
    await addLesson(fixture, { ...today, startTime: '15:00', endTime: '16:00' });
    const cancelled = await addLesson(fixture, { date: '2026-11-17' });
    await cancel(fixture, cancelled.sessionId);
    const done = await addLesson(fixture, { date: '2026-11-18' });
    await complete(fixture, done.sessionId);
    const moved = await addLesson(fixture, { date: '2026-11-19' });
    await move(fixture, moved.sessionId, '2026-11-20');
    expect(times((await readDashboard(fixture)).upcoming)).toEqual([
      '2026-11-16 11:30',
      '2026-11-16 15:00',
      '2026-11-20 06:00',
    ]);
  });

  test('[DASH-04] [DASH-16] are limited to the next five, soonest first', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    await addLesson(fixture, { date: '2026-11-24', startTime: '09:00', endTime: '10:00' });
    await addLesson(fixture, { date: '2026-11-23', startTime: '18:00', endTime: '19:00' });
    expect(times((await readDashboard(fixture)).upcoming)).toEqual([
      '2026-11-17 16:00',
      '2026-11-23 18:00',
      '2026-11-24 09:00',
      '2026-11-24 16:00',
      '2026-12-01 16:00',
    ]);
    app.clock.advance({ days: 8, hours: 6 });
    expect(times((await readDashboard(fixture)).upcoming)).toEqual([
      '2026-12-01 16:00',
      '2026-12-08 16:00',
      '2026-12-15 16:00',
    ]);
  });
});

describe('incomplete lessons', () => {
  test('[DASH-18] have ended in the tutor’s time zone, including earlier today; lessons in progress are excluded', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const today = { date: '2026-11-16' };
    await addLesson(fixture, { ...today, startTime: '11:30', endTime: '12:30' });
    await addLesson(fixture, { ...today, startTime: '10:30', endTime: '11:30' });
    await addLesson(fixture, { date: '2026-11-12' });
    const before = await readDashboard(fixture);
    expect(times(before.incomplete)).toEqual(['2026-11-12 16:00', '2026-11-16 10:30']);
    expect(before.incompleteCount).toBe(2);
    app.clock.advance({ minutes: 30 });
    expect(times((await readDashboard(fixture)).incomplete)).toEqual([
      '2026-11-12 16:00',
      '2026-11-16 10:30',
      '2026-11-16 11:30',
    ]);
  });

  test.each([
    [
      'Pacific/Auckland',
      '2026-11-17',
      ['2026-11-16 20:00'],
      ['2026-11-17 00:30', '2026-11-17 08:00'],
    ],
    [
      'America/Los_Angeles',
      '2026-11-16',
      [],
      ['2026-11-16 20:00', '2026-11-17 00:30', '2026-11-17 08:00'],
    ],
  ])('[DASH-18] in %s it is %s, and the lists use that date', async (zone, today, past, future) => {
    const fixture = await createTutorWithStudentAndSubject(app, zone);
    await addLesson(fixture, { date: '2026-11-16', startTime: '20:00', endTime: '21:00' });
    await addLesson(fixture, { date: '2026-11-17', startTime: '00:30', endTime: '01:30' });
    await addLesson(fixture, { date: '2026-11-17', startTime: '08:00', endTime: '09:00' });
    const body = await readDashboard(fixture);
    expect(body.today).toBe(today);
    expect(times(body.incomplete)).toEqual(past);
    expect(times(body.upcoming)).toEqual(future);
    expect(body.todayCount).toBe(today === '2026-11-17' ? 2 : 1);
  });

  test('[DASH-19] are still scheduled, not completed, cancelled or moved', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addTaughtLesson(fixture, '2026-11-09');
    const cancelled = await addLesson(fixture, { date: '2026-11-10' });
    await cancel(fixture, cancelled.sessionId);
    const moved = await addLesson(fixture, { date: '2026-11-11' });
    await move(fixture, moved.sessionId, '2026-11-13');
    const due = await addLesson(fixture, { date: '2026-11-12' });
    const body = await readDashboard(fixture);
    expect(times(body.incomplete)).toEqual(['2026-11-12 16:00', '2026-11-13 06:00']);
    await complete(fixture, due.sessionId);
    expect((await readDashboard(fixture)).incompleteCount).toBe(1);
  });

  test('[DASH-06] are limited to the five oldest, oldest first, with the full count', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (const day of ['08', '02', '03', '07', '05', '06', '04'])
      await addLesson(fixture, { date: `2026-11-${day}` });
    const body = await readDashboard(fixture);
    expect(times(body.incomplete)).toEqual(
      ['02', '03', '04', '05', '06'].map((day) => `2026-11-${day} 16:00`),
    );
    expect(body.incompleteCount).toBe(7);
  });
});

describe('unpaid past lessons', () => {
  const toSummary = (body: Dashboard) =>
    body.unpaid.map((row) => [
      row.familyName,
      row.session.date,
      row.otherLessons,
      row.outstanding,
      row.session.currency,
    ]);

  test('have one row per family, showing its oldest unpaid lesson, oldest first', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const lena = await createStudent(fixture.browser, { name: 'Lena', carerName: 'Ruth Hale' });
    const noah = await createStudent(fixture.browser, { name: 'Noah', carerId: lena.carerId });
    await addTaughtLesson(fixture, '2026-11-12', { studentId: lena.id });
    await addTaughtLesson(fixture, '2026-11-06');
    await addTaughtLesson(fixture, '2026-11-05', { studentId: noah.id, fee: 40 });
    await addTaughtLesson(fixture, '2026-11-09', { studentId: lena.id });
    const body = await readDashboard(fixture);
    expect(toSummary(body)).toEqual([
      ['Ruth Hale', '2026-11-05', 2, 11000, 'GBP'],
      ['Maya Okafor', '2026-11-06', 0, 3500, 'GBP'],
    ]);
    expect(body.unpaid[0]?.session).toMatchObject({
      studentName: 'Noah',
      charged: 4000,
      outstanding: 4000,
      paymentId: null,
    });
    expect(body.unpaidCount).toBe(2);
    expect(body.unpaid.map(({ studentNames, overdue }) => [studentNames, overdue])).toEqual([
      [['Lena', 'Noah'], 11000],
      [['Maya Okafor'], 3500],
    ]);
  });

  test('[DASH-05] are limited to five families, with the full count', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (let day = 1; day <= 7; day++) {
      const student = await createStudent(fixture.browser, { name: `Student ${day}` });
      await addTaughtLesson(fixture, `2026-11-0${8 - day}`, { studentId: student.id });
    }
    const body = await readDashboard(fixture);
    expect(body.unpaid.map((row) => row.session.date)).toEqual(
      [1, 2, 3, 4, 5].map((day) => `2026-11-0${day}`),
    );
    expect(body.unpaidCount).toBe(7);
  });

  test('do not include free, waived, unfinished or reopened lessons', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addTaughtLesson(fixture, '2026-11-02', { fee: null });
    const waived = await addLesson(fixture, { date: '2026-11-03' });
    await complete(fixture, waived.sessionId, { charge: false });
    await addLesson(fixture, { date: '2026-11-04' });
    const { sessionId } = await addTaughtLesson(fixture, '2026-11-05');
    await fixture.browser.call(sessions.reopenSession, { params: { id: sessionId }, body: {} });
    const body = await readDashboard(fixture);
    expect([body.unpaid, body.unpaidCount]).toEqual([[], 0]);
  });

  test('include a late cancellation with its fee', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { date: '2026-11-10' });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'student', chargeFee: true },
    });
    const [row] = (await readDashboard(fixture)).unpaid;
    expect(row).toMatchObject({
      session: { id: sessionId, status: 'cancelled' },
      outstanding: 3500,
    });
  });

  test('have one row per currency for a family that owes money in two currencies', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addTaughtLesson(fixture, '2026-11-02', { currency: 'EUR', fee: 20 });
    await addTaughtLesson(fixture, '2026-11-03');
    await addTaughtLesson(fixture, '2026-11-04', { currency: 'EUR', fee: 30 });
    const body = await readDashboard(fixture);
    expect(toSummary(body)).toEqual([
      ['Maya Okafor', '2026-11-02', 1, 5000, 'EUR'],
      ['Maya Okafor', '2026-11-03', 0, 3500, 'GBP'],
    ]);
    expect(body.unpaidCount).toBe(2);
  });
});

describe('today and this week', () => {
  test("today counts scheduled and completed lessons in the tutor's time zone", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addTaughtLesson(fixture, '2026-11-16', { startTime: '08:00', endTime: '09:00' });
    await addLesson(fixture, { date: '2026-11-16' });
    const cancelled = await addLesson(fixture, {
      date: '2026-11-16',
      startTime: '19:00',
      endTime: '20:00',
    });
    await cancel(fixture, cancelled.sessionId);
    await addLesson(fixture);
    expect((await readDashboard(fixture)).todayCount).toBe(2);
  });

  test('the week runs from Monday to Sunday, with a total for each currency', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addTaughtLesson(fixture, '2026-11-15', { fee: 500 });
    await addTaughtLesson(fixture, '2026-11-16', { startTime: '08:00', endTime: '09:00' });
    await addTaughtLesson(fixture, '2026-11-16', {
      startTime: '09:00',
      endTime: '10:00',
      currency: 'EUR',
      fee: 20,
    });
    await addTaughtLesson(fixture, '2026-11-16', {
      startTime: '10:00',
      endTime: '11:00',
      fee: null,
    });
    await addLesson(fixture, { date: '2026-11-20', fee: 30.5 });
    await addLesson(fixture, { date: '2026-11-22' });
    await addLesson(fixture, { date: '2026-11-23', fee: 500 });
    const cancelled = await addLesson(fixture, { date: '2026-11-19', fee: 500 });
    await cancel(fixture, cancelled.sessionId);
    const moved = await addLesson(fixture, { date: '2026-11-18', fee: 100 });
    await move(fixture, moved.sessionId, '2026-11-21');
    expect((await readDashboard(fixture)).week).toEqual({
      completed: 3,
      total: 6,
      money: [
        { currency: 'EUR', completedFees: 2000, scheduledFees: 0, received: 0 },
        { currency: 'GBP', completedFees: 3500, scheduledFees: 3050 + 3500 + 10000, received: 0 },
      ],
    });
  });

  test('when it is Sunday night in London, a tutor in Auckland sees the next week', async () => {
    app.clock.advance({ hours: -13 });
    for (const [zone, total] of [
      ['Europe/London', 1],
      ['Pacific/Auckland', 2],
    ] as const) {
      const fixture = await createTutorWithStudentAndSubject(app, zone);
      await addLesson(fixture, { date: '2026-11-15' });
      await addLesson(fixture, { date: '2026-11-16' });
      await addLesson(fixture, { date: '2026-11-22' });
      expect((await readDashboard(fixture)).week.total).toBe(total);
    }
  });

  test('when it is Monday morning in London, a tutor in Los Angeles sees the previous week', async () => {
    app.clock.advance({ hours: -10 });
    for (const [zone, today, total] of [
      ['Europe/London', '2026-11-16', 1],
      ['America/Los_Angeles', '2026-11-15', 2],
    ] as const) {
      const fixture = await createTutorWithStudentAndSubject(app, zone);
      for (const date of ['2026-11-09', '2026-11-15', '2026-11-16'])
        await addLesson(fixture, { date });
      const body = await readDashboard(fixture);
      expect([body.today, body.todayCount, body.week.total]).toEqual([today, 1, total]);
    }
  });

  test('a weekly lesson is counted once per week', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [row] = await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-17');
    await complete(fixture, row?.id ?? 0);
    expect((await readDashboard(fixture)).week).toEqual({
      completed: 1,
      total: 1,
      money: [{ currency: 'GBP', completedFees: 3500, scheduledFees: 0, received: 0 }],
    });
  });
});

describe('money received this week', () => {
  const readReceived = async (fixture: LessonFixture) =>
    (await readDashboard(fixture)).week.money.map((sum) => [sum.currency, sum.received]);

  test('includes this tutor’s payments since Monday, by currency', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const other = await createFamilyFixture(app);
    await createPayment(fixture.browser, familyId, 9900, { date: '2026-11-15' });
    await createPayment(fixture.browser, familyId, 3500);
    await createPayment(fixture.browser, familyId, 2000, { currency: 'EUR' });
    await createPayment(other.fixture.browser, other.familyId, 7700);
    expect(await readReceived(fixture)).toEqual([
      ['EUR', 2000],
      ['GBP', 3500],
    ]);
    expect(await readReceived(other.fixture)).toEqual([['GBP', 7700]]);
  });

  test('subtracts a refund on the refund’s date and ignores reversed payments', async () => {
    const { fixture, familyId } = await createFamilyFixture(app);
    const { browser } = fixture;
    const earlier = await createPayment(browser, familyId, 9900, { date: '2026-11-10' });
    await createPayment(browser, familyId, 3500);
    const mistake = await createPayment(browser, familyId, 50_000);
    await browser.call(payments.reversePayment, { params: { id: mistake.id } });
    expect(await readReceived(fixture)).toEqual([['GBP', 3500]]);
    const refund = await browser.call(payments.refundPayment, {
      params: { id: earlier.id },
      body: { amount: 4000, date: '2026-11-16' },
    });
    expect(refund.status).toBe(201);
    expect(await readReceived(fixture)).toEqual([['GBP', -500]]);
    const [latest] = refund.body.refunds;
    await browser.call(payments.reversePayment, { params: { id: latest?.id ?? 0 } });
    expect(await readReceived(fixture)).toEqual([['GBP', 3500]]);
  });
});

describe('unpaid past lessons', () => {
  test('[DASH-17] include part-paid lessons but not free or fully paid ones, oldest first', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const theo = await createStudent(fixture.browser, { name: 'Theo' });
    await createCompletedLesson(fixture, theo.id, '2026-11-02', { fee: null });
    const partPaid = await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-04');
    const own = await createCompletedLesson(fixture, fixture.studentId, '2026-11-03');
    await createCompletedLesson(fixture, theo.id, '2026-11-05');
    await createPayment(fixture.browser, theo.familyId ?? 0, 3500);
    await createPayment(fixture.browser, familyId, 3000);
    const { unpaid, unpaidCount, week } = await readDashboard(fixture);
    expect(unpaid.map((row) => [row.session.id, row.familyName, row.outstanding])).toEqual([
      [own, 'Maya Okafor', 3500],
      [partPaid, 'Ruth Hale', 500],
    ]);
    expect(unpaidCount).toBe(2);
    expect(week.money).toEqual([
      { currency: 'GBP', completedFees: 0, scheduledFees: 0, received: 6500 },
    ]);
  });

  test('do not include a future lesson that was invoiced in advance', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    await addLesson(fixture, { studentId: children[0] ?? 0, date: '2026-11-18' });
    const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: true };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    expect(await readDashboard(fixture)).toMatchObject({ unpaid: [], unpaidCount: 0 });
  });
});
