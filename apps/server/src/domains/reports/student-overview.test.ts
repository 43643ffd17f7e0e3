import { studentStatus } from '@lessonbook/contract/change-student-status';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import {
  studentOverview,
  type TimelineEntry,
} from '@lessonbook/contract/student-overview-and-timeline';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { addStudentToLesson } from '../../test/group-lesson-requests.ts';
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
afterEach(() => app.restartClock());
afterAll(() => app.close());

const readList = async (browser: Browser) => (await browser.call(studentOverview.studentList)).body;
const readOverview = async (browser: Browser, id: number) =>
  (await browser.call(studentOverview.studentOverview, { params: { id } })).body;
const readTimeline = async (browser: Browser, id: number, query: object = {}) =>
  (await browser.call(studentOverview.studentTimeline, { params: { id }, query })).body;

/** '2026-11-10 lesson completed', '2026-11-12 payment 3500' */
const formatEntry = (entry: TimelineEntry) =>
  `${entry.date} ${entry.kind} ${entry.kind === 'lesson' ? entry.status : entry.amount}`;

async function issueInvoice(browser: Browser, familyId: number) {
  const period = { familyId, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  const ids = [draft?.id ?? 0];
  await browser.call(invoices.issueInvoices, { body: { ids } });
  return ids[0] as number;
}

describe('the list of students', () => {
  test('F107 shows year, subjects, contacts and the next session of each student', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { browser } = fixture;
    const physics = await createSubject(browser, { name: 'Physics' });
    const noah = await createStudent(browser, {
      name: 'Noah Hale',
      subject: 'Chess',
      schoolYear: 'Year 10',
      carerName: 'Ruth Hale',
    });
    const { sessionId } = await addLesson(fixture, weekly());
    await addLesson(fixture, { subjectId: physics.id, date: '2026-11-20' });
    await addLesson(fixture, { date: '2026-11-10' });
    const [maya, second] = await readList(browser);
    expect(maya).toMatchObject({
      name: 'Maya Okafor',
      subjects: ['Maths', 'Physics'],
      nextSession: { id: sessionId, date: '2026-11-17', startTime: '16:00', subjectColor: 'pine' },
      debts: [],
      pause: null,
    });
    expect(second).toEqual({
      id: noah.id,
      name: 'Noah Hale',
      schoolYear: 'Year 10',
      subjects: ['Chess'],
      status: 'active',
      leftOn: null,
      pause: null,
      contactNames: ['Ruth Hale'],
      nextSession: null,
      debts: [],
    });
  });

  test('F107 the next session is one in which the student is expected', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { browser } = fixture;
    const noah = await createStudent(browser, { name: 'Noah' });
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await addStudentToLesson(browser, lessonId, noah.id, '2026-12-01');
    await browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
    const dates = async () => (await readList(browser)).map((item) => item.nextSession?.date);
    expect(await dates()).toEqual(['2026-11-24', '2026-12-01']);
    await browser.call(studentStatus.changeStudentStatus, {
      params: { id: noah.id },
      body: { status: 'paused', fromDate: '2026-11-16', toDate: '2026-12-05' },
    });
    expect(await dates()).toEqual(['2026-11-24', '2026-12-08']);
    app.clock.advance({ days: 9 });
    expect(await dates()).toEqual(['2026-12-01', '2026-12-08']);
  });

  test("F133 shows the student's own share, and charges that are not invoiced yet have no due date", async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const [lena = 0, noah = 0] = children;
    await createCompletedLesson(fixture, lena, '2026-11-03');
    await issueInvoice(fixture.browser, familyId);
    await createCompletedLesson(fixture, lena, '2026-11-10', { fee: 20 });
    await createCompletedLesson(fixture, noah, '2026-11-16', { fee: 30 });
    const debts = (await readList(fixture.browser)).map((item) => item.debts);
    expect(debts).toEqual([
      [],
      [{ currency: 'GBP', owed: 5500, overdue: 0, dueOn: '2026-11-23', withoutDueDate: 2000 }],
      [{ currency: 'GBP', owed: 3000, overdue: 0, dueOn: null, withoutDueDate: 3000 }],
      [],
    ]);
  });
});

describe('the overview of a student', () => {
  test("F107 F133 shows the next session, the student's own share and the family's balance", async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const [lena = 0, noah = 0] = children;
    await createCompletedLesson(fixture, lena, '2026-11-03');
    await createCompletedLesson(fixture, noah, '2026-11-05', { fee: 20 });
    await createPayment(fixture.browser, familyId, 4500);
    const { sessionId } = await addLesson(fixture, { studentId: lena, place: 'At Lena’s' });
    expect(await readOverview(fixture.browser, lena)).toMatchObject({
      student: { id: lena, name: 'Lena Hale' },
      since: '2026-11-03',
      completedLessons: 1,
      nextSession: { id: sessionId, place: 'At Lena’s' },
      debts: [],
      lastPayment: { date: '2026-11-16', amount: 3500, currency: 'GBP' },
      family: {
        id: familyId,
        name: 'Ruth Hale',
        balances: [{ currency: 'GBP', owed: 1000, credit: 0 }],
      },
    });
    const other = await readOverview(fixture.browser, noah);
    expect(other.debts).toMatchObject([{ owed: 1000 }]);
    expect([other.lastPayment?.amount, other.nextSession]).toEqual([1000, null]);
  });

  test('F107 for a student without lessons, "since" is the day on which they were added', async () => {
    const { browser, studentId } = await createTutorWithStudentAndSubject(app);
    expect(await readOverview(browser, studentId)).toMatchObject({
      since: '2026-11-16',
      completedLessons: 0,
      nextSession: null,
      lastPayment: null,
    });
  });
});

describe('the timeline of a student', () => {
  test('F107 has lessons, notes and money, newest first, and only the next of the future lessons', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const { browser } = fixture;
    const [lena = 0, noah = 0] = children;
    const taught = await createCompletedLesson(fixture, lena, '2026-11-03');
    await createCompletedLesson(fixture, noah, '2026-11-04', { fee: 20 });
    const invoiceId = await issueInvoice(browser, familyId);
    await createPayment(browser, familyId, 5500, { date: '2026-11-13' });
    const noted = await addLesson(fixture, { studentId: lena, date: '2026-11-12' });
    await browser.call(sessions.completeSession, {
      params: { id: noted.sessionId },
      body: { attendance: 'late', charge: false, notes: 'Needs more on factorising.' },
    });
    await addLesson(fixture, weekly({ studentId: lena }));
    const { entries, hasMore } = await readTimeline(browser, lena);
    expect(entries.map(formatEntry)).toEqual([
      '2026-11-17 lesson scheduled',
      '2026-11-16 invoice 3500',
      '2026-11-13 payment 3500',
      '2026-11-12 lesson completed',
      '2026-11-03 lesson completed',
    ]);
    expect(hasMore).toBe(false);
    expect(entries[1]).toMatchObject({ id: invoiceId, outstanding: 0, isCreditNote: false });
    expect(entries[2]).toMatchObject({ total: 5500, familyName: 'Ruth Hale', isRefund: false });
    expect(entries[3]).toMatchObject({
      attendance: 'late',
      note: 'Needs more on factorising.',
      charged: null,
    });
    expect(entries[4]).toMatchObject({
      id: taught,
      charged: 3500,
      outstanding: 0,
      invoice: { id: invoiceId },
    });
    const show = async (filter: string) =>
      (await readTimeline(browser, lena, { show: filter })).entries.map(({ date }) => date);
    expect(await show('notes')).toEqual(['2026-11-12']);
    expect(await show('money')).toEqual(['2026-11-16', '2026-11-13', '2026-11-03']);
  });

  test('F107 shows a moved lesson once, a cancelled one with its reason, and refunds', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const { browser } = fixture;
    const [lena = 0] = children;
    const cancelled = await addLesson(fixture, { studentId: lena, date: '2026-11-10' });
    await browser.call(sessions.cancelSession, {
      params: { id: cancelled.sessionId },
      body: { cancelledBy: 'carer', reason: 'Half-term' },
    });
    const moved = await addLesson(fixture, { studentId: lena, date: '2026-11-12' });
    await browser.call(sessions.rescheduleSession, {
      params: { id: moved.sessionId },
      body: { date: '2026-11-13', startTime: '17:00', endTime: '18:00' },
    });
    await createCompletedLesson(fixture, lena, '2026-11-03');
    const payment = await createPayment(browser, familyId, 3500, { date: '2026-11-04' });
    const reversed = await createPayment(browser, familyId, 100, { date: '2026-11-05' });
    await browser.call(payments.reversePayment, { params: { id: reversed.id } });
    await browser.call(payments.refundPayment, {
      params: { id: payment.id },
      body: { amount: 3500, date: '2026-11-09' },
    });
    const { entries } = await readTimeline(browser, lena);
    expect(entries.map(formatEntry)).toEqual([
      '2026-11-13 lesson scheduled',
      '2026-11-10 lesson cancelled',
      '2026-11-09 payment 3500',
      '2026-11-04 payment 3500',
      '2026-11-03 lesson completed',
    ]);
    expect(entries[0]).toMatchObject({ movedFrom: { date: '2026-11-12', startTime: '16:00' } });
    expect(entries[1]).toMatchObject({ cancelledBy: 'carer', cancelReason: 'Half-term' });
    expect(entries[2]).toMatchObject({ id: payment.id, isRefund: true });
  });

  test('F107 consecutive pages contain all entries without gaps', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (const day of ['09', '10', '11', '12', '13']) {
      await createCompletedLesson(fixture, fixture.studentId, `2026-11-${day}`);
    }
    const { browser, studentId } = fixture;
    const first = await readTimeline(browser, studentId, { limit: 3 });
    const second = await readTimeline(browser, studentId, { limit: 3, offset: 3 });
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect([...first.entries, ...second.entries].map(({ date }) => date.slice(8))).toEqual([
      '13',
      '12',
      '11',
      '10',
      '09',
    ]);
  });
});

test("[AUTH-45, V8.2.2, T06] F107 another tutor's students and deleted ones are not found", async () => {
  const { fixture, children } = await createFamilyFixture(app);
  const [lena = 0] = children;
  await createCompletedLesson(fixture, lena, '2026-11-03');
  await fixture.browser.call(studentContacts.addContact, {
    params: { id: lena },
    body: { name: 'canary contact' },
  });
  const { browser: mine } = await createTutor(app);
  const own = await createStudent(mine, { name: 'Theo' });
  const readBoth = (id: number) => [
    mine.call(studentOverview.studentOverview, { params: { id } }),
    mine.call(studentOverview.studentTimeline, { params: { id }, query: {} }),
  ];
  for (const response of await Promise.all(readBoth(lena))) {
    expect(response.status).toBe(404);
    expect(JSON.stringify(response.body)).not.toMatch(/canary|Hale/);
  }
  expect((await readList(mine)).map(({ id }) => id)).toEqual([own.id]);
  await mine.call(students.deleteStudent, { params: { id: own.id } });
  for (const response of await Promise.all(readBoth(own.id))) expect(response.status).toBe(404);
  expect(await readList(mine)).toEqual([]);
});
