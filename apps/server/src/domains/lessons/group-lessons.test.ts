import { invoices } from '@lessonbook/contract/invoices';
import { type LessonInput, type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  createThreeFamilies,
  formatCharges,
  formatSeats,
  type Group,
  issueInvoicesForAll,
  readLesson,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  ALL,
  addStudentToLesson,
  archiveStudent,
  balancesOf,
  cancelSeat,
  completeSession,
  formatAttendees,
  removeStudentFromLesson,
  reopenSession,
  SUM,
  sessionIdOn,
  thisAfternoon,
} from '../../test/group-lesson-requests.ts';
import { addLesson, fetchSessionsBetween, lessonBody, weekly } from '../../test/lesson-fixture.ts';
import { assertInvariants, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { extendAllSeries } from './service/rolling-generation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

describe('creating a group', () => {
  test("each student has their own fee, no fee or the lesson's fee, in the order of the list", async () => {
    const { browser, fixture, maya, sam, ida } = await createThreeFamilies(app);
    const { lessonId, sessionId } = await addLesson(fixture, {
      title: 'Year 11 maths',
      studentId: sam.id,
      students: [
        { studentId: sam.id },
        { studentId: maya.id, fee: null },
        { studentId: ida.id, fee: 53.41 },
      ],
      fee: 42.29,
    });
    expect(formatSeats(await readSession(browser, sessionId))).toEqual([
      'Sam 4229',
      'Maya free',
      'Ida 5341',
    ]);
    expect(await readLesson(browser, lessonId)).toMatchObject({
      studentId: sam.id,
      studentName: 'Sam Hale, Maya Reid, Ida Lund',
      fee: 95.7,
      students: [
        { studentId: sam.id, name: 'Sam Hale', fee: null, fromDate: null, toDate: null },
        { studentId: maya.id, name: 'Maya Reid', fee: 0 },
        { studentId: ida.id, name: 'Ida Lund', fee: 53.41 },
      ],
    });
  });

  test('if the list of students is omitted, the lesson has one student', async () => {
    const { browser, fixture, maya } = await createThreeFamilies(app);
    const { sessionId } = await addLesson(fixture);
    expect((await readSession(browser, sessionId)).students).toMatchObject([
      { studentId: maya.id, state: 'expected', fee: 3500 },
    ]);
  });

  test('rejects duplicates, a first student other than studentId, and lists that are empty or too long', async () => {
    const { browser, fixture, maya, sam } = await createThreeFamilies(app);
    const create = async (list: LessonInput['students']) => {
      const body = lessonBody(fixture, { ...(list && { students: list }) });
      const response = await browser.call(lessons.createLesson, { body });
      return [response.status, response.error.fields?.['students']];
    };
    const [first, second] = [{ studentId: maya.id }, { studentId: sam.id }];
    expect(await create([first, second, second])).toEqual([
      400,
      'Each student can be listed only once',
    ]);
    expect(await create([second, first])).toEqual([
      400,
      'The first student must be the one in studentId',
    ]);
    expect(await create([])).toEqual([400, 'Student is required']);
    const many = Array.from({ length: 61 }, (_, index) => ({ studentId: maya.id + index }));
    expect((await create(many))[0]).toBe(400);
    expect((await browser.call(lessons.listLessons)).body).toEqual([]);
  });

  test("returns 404 for another tutor's student or an archived one and creates nothing", async () => {
    const { browser, fixture, maya, sam } = await createThreeFamilies(app);
    const other = await createThreeFamilies(app);
    const stranger = await createStudent(other.browser, { name: 'Zoe Other' });
    expect(stranger.id).toBeGreaterThan(sam.id + 1);
    await archiveStudent(browser, sam.id);
    for (const studentId of [stranger.id, sam.id]) {
      const list = [{ studentId: maya.id }, { studentId }];
      const response = await browser.call(lessons.createLesson, {
        body: lessonBody(fixture, { students: list }),
      });
      expect([response.status, response.error.message]).toEqual([
        404,
        "We couldn't find that student.",
      ]);
    }
    expect((await browser.call(lessons.listLessons)).body).toEqual([]);
  });

  test('the preview accepts a group and creates nothing', async () => {
    const { browser, fixture, maya, sam } = await createThreeFamilies(app);
    const list = [{ studentId: maya.id }, { studentId: sam.id }];
    const preview = await browser.call(lessons.previewNewLesson, {
      body: lessonBody(fixture, { ...weekly(), students: list }),
    });
    expect([preview.status, preview.body.created]).toEqual([200, 5]);
    expect((await browser.call(lessons.listLessons)).body).toEqual([]);
  });
});

describe('reading a group', () => {
  test('the lists, the lesson and the session show the total fee and all names, but no single invoice or family', async () => {
    const { browser, fixture, maya, lessonId, sessionId } = await createGroupFixture(app);
    const row = {
      id: sessionId,
      title: 'Year 11 maths',
      studentId: maya.id,
      studentName: 'Maya Reid, Sam Hale, Ida Lund',
      fee: SUM,
      charged: null,
    };
    expect(await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-17')).toMatchObject([row]);
    expect(await readSession(browser, sessionId)).toMatchObject({
      ...row,
      invoice: null,
      familyId: null,
    });
    const lesson = await readLesson(browser, lessonId);
    expect(lesson).toMatchObject({
      fee: 126.87,
      studentName: row.studentName,
      counts: { scheduled: 1 },
    });
    expect(lesson.upcoming).toMatchObject([
      { id: sessionId, date: '2026-11-17', status: 'scheduled' },
    ]);
    const byDate = await browser.call(sessions.sessionsByDate, { params: { date: '2026-11-17' } });
    expect(byDate.body).toMatchObject([row]);
  });

  test('the amounts are the sums over all seats, and the group counts as paid once every family has paid', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, lessonId, sessionId, maya, sam, ida } = group;
    await completeSession(browser, sessionId);
    await createPayment(browser, maya.familyId, 3117);
    await createPayment(browser, sam.familyId, 4000);
    const partly = await readSession(browser, sessionId);
    expect(partly).toMatchObject({ charged: SUM, outstanding: SUM - 7117, paymentId: null });
    expect(partly.students).toMatchObject([
      { charged: 3117, outstanding: 0 },
      { charged: 4229, outstanding: 229, paymentId: null },
      { charged: 5341, outstanding: 5341, paymentId: null },
    ]);
    expect((await readLesson(browser, lessonId)).money).toEqual([
      { currency: 'GBP', charged: SUM, outstanding: SUM - 7117 },
    ]);
    await createPayment(browser, sam.familyId, 229);
    const last = await createPayment(browser, ida.familyId, 5341);
    expect(await readSession(browser, sessionId)).toMatchObject({
      outstanding: 0,
      paymentId: last.id,
    });
  });

  test('the list of sessions to complete includes the group once', async () => {
    const { browser, sessionId } = await createGroupFixture(app, { date: '2026-11-10' });
    const due = await browser.call(sessions.dueSessions);
    expect(due.body.map(({ id }) => id)).toEqual([sessionId]);
  });
});

describe('completing a group', () => {
  test("an absent student's fee can be waived, and the other students, including a late one, are charged their own fees", async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, maya, sam, ida } = group;
    const completed = await completeSession(browser, sessionId, {
      students: [
        { studentId: sam.id, attendance: 'absent', charge: false },
        { studentId: ida.id, attendance: 'late', charge: true },
      ],
    });
    expect(completed.body).toMatchObject({
      status: 'completed',
      attendance: null,
      charged: 3117 + 5341,
      students: [
        { studentId: maya.id, attendance: 'attended', charged: 3117 },
        { studentId: sam.id, attendance: 'absent', charged: null },
        { studentId: ida.id, attendance: 'late', charged: 5341 },
      ],
    });
    expect(await balancesOf(group)).toEqual(['GBP owes 3117', '', 'GBP owes 5341']);
  });

  test('an absent student is charged unless the fee is waived', async () => {
    const { browser, sessionId, sam } = await createGroupFixture(app, thisAfternoon);
    const { body } = await completeSession(browser, sessionId, {
      students: [{ studentId: sam.id, attendance: 'absent', charge: true }],
    });
    expect(formatCharges(body)).toEqual(['Maya 3117', 'Sam 4229', 'Ida 5341']);
  });

  test('a student who is not expected is rejected and nothing is completed', async () => {
    const { browser, fixture, sessionId, sam } = await createGroupFixture(app, thisAfternoon);
    const outsider = await createStudent(fixture.browser, { name: 'Outsider' });
    await cancelSeat(browser, sessionId, sam.id);
    for (const studentId of [outsider.id, sam.id]) {
      const response = await completeSession(browser, sessionId, {
        students: [{ studentId, attendance: 'late', charge: true }],
      });
      expect(response.status).toBe(404);
    }
    expect((await readSession(browser, sessionId)).status).toBe('scheduled');
  });

  test('a cancelled seat is neither attended nor charged, and does not hide the attendance of the others', async () => {
    const { browser, sessionId, sam } = await createGroupFixture(app, thisAfternoon);
    await cancelSeat(browser, sessionId, sam.id);
    const { body } = await completeSession(browser, sessionId);
    expect(body).toMatchObject({ attendance: 'attended', charged: 3117 + 5341 });
    expect(body.students[1]).toMatchObject({ state: 'cancelled', attendance: null, charged: null });
  });

  test('several groups can be completed in one request', async () => {
    const group = await createGroupFixture(
      app,
      weekly({ date: '2026-11-03', pastSessions: 'skip' }),
    );
    const ids = [group.sessionId, await sessionIdOn(group.fixture, '2026-11-24')];
    const response = await group.browser.call(sessions.completeSessions, {
      body: { sessions: ids.map((id) => ({ id })) },
    });
    expect(response.body).toEqual({ completed: 2 });
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${2 * fee}`));
  });

  test('reopening reverses every charge and clears the attendance', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, ida } = group;
    const before = await readSession(browser, sessionId);
    await completeSession(browser, sessionId, {
      students: [{ studentId: ida.id, attendance: 'absent', charge: false }],
    });
    expect((await reopenSession(browser, sessionId)).body).toEqual(before);
    expect(await balancesOf(group)).toEqual(['', '', '']);
    // The second time, every student counts as attended again.
    expect((await completeSession(browser, sessionId)).body).toMatchObject({
      attendance: 'attended',
      charged: SUM,
    });
  });

  test('the session cannot be reopened if it is on an invoice for one of the families', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, sam } = group;
    await completeSession(browser, sessionId);
    const body = { familyId: sam.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
    await browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    expect((await reopenSession(browser, sessionId)).status).toBe(409);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
  });
});

/** The dialog's request for a group: it sends the first student and the sum of the fees. */
const groupChange = (
  { fixture }: Group,
  sessionId: number,
  scope: LessonUpdate['scope'],
  date: string,
  change: Partial<LessonUpdate> = {},
) => ({
  ...lessonBody(fixture, weekly()),
  title: 'Year 11 maths',
  fee: 126.87,
  date,
  scope,
  sessionId,
  ...change,
});
const update = ({ browser }: Group, lessonId: number, body: ReturnType<typeof groupChange>) =>
  browser.call(lessons.updateLesson, { params: { id: lessonId }, body });

describe('changing a group in the lesson dialog', () => {
  test.each(['this', 'following', 'all'] as const)(
    'scope "%s" keeps the students and their own fees',
    async (scope) => {
      const group = await createGroupFixture(app, weekly());
      const { browser, fixture, lessonId } = group;
      const id = await sessionIdOn(fixture, '2026-11-24');
      const saved = await update(
        group,
        lessonId,
        groupChange(group, id, scope, '2026-11-24', {
          title: 'Year 11 further maths',
          startTime: '17:00',
          endTime: '18:00',
        }),
      );
      expect(saved.status).toBe(200);
      const changed = await readSession(browser, saved.body.sessionId ?? 0);
      expect(changed).toMatchObject({ title: 'Year 11 further maths', startTime: '17:00' });
      const seats = ['Maya 3117', 'Sam 4229', 'Ida 5341'];
      for (const row of await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31'))
        expect(formatSeats(row)).toEqual(seats);
      expect((await readLesson(browser, saved.body.lessonId)).students).toMatchObject([
        { name: 'Maya Reid', fee: null },
        { name: 'Sam Hale', fee: 42.29 },
        { name: 'Ida Lund', fee: 53.41 },
      ]);
    },
  );

  test('another student, fee or currency is a conflict and changes nothing', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, lessonId, sam } = group;
    const id = await sessionIdOn(fixture, '2026-11-24');
    const before = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    const changes = [
      { studentId: sam.id },
      { fee: 40 },
      { fee: null },
      { currency: 'EUR' as const },
    ];
    for (const change of changes) {
      for (const scope of ['this', 'following', 'all'] as const) {
        const body = groupChange(group, id, scope, '2026-11-24', change);
        const response = await update(group, lessonId, body);
        expect([response.status, response.error.message]).toEqual([
          409,
          'This lesson has several students. Please change the students and their fees one by one.',
        ]);
        const preview = await browser.call(lessons.previewLessonChange, {
          params: { id: lessonId },
          body,
        });
        expect(preview.status).toBe(409);
      }
    }
    expect(await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31')).toEqual(before);
  });

  test('a session with a cancelled seat keeps it when the series is moved', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, lessonId, sam } = group;
    const id = await sessionIdOn(fixture, '2026-12-01');
    await cancelSeat(browser, id, sam.id);
    const first = await sessionIdOn(fixture, '2026-11-17');
    const body = groupChange(group, first, 'all', '2026-11-18', { recurringEndDate: '2026-12-16' });
    expect((await update(group, lessonId, body)).status).toBe(200);
    expect(await readSession(browser, id)).toMatchObject({ date: '2026-12-02', fee: 8458 });
    expect(formatSeats(await readSession(browser, id))[1]).toBe('Sam cancelled 4229');
  });

  test('an extended series has the students on the roster for each date, even after a split', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, lessonId, sam } = group;
    await removeStudentFromLesson(browser, lessonId, sam.id, '2026-12-08');
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    await addStudentToLesson(browser, lessonId, noah.id, '2026-12-22', 20);
    const id = await sessionIdOn(fixture, '2026-11-24');
    const body = groupChange(group, id, 'following', '2026-11-24', {
      recurringEndDate: '2026-12-29',
    });
    const saved = await update(group, lessonId, body);
    expect(saved.status).toBe(200);
    expect(saved.body.lessonId).not.toBe(lessonId);
    expect(await formatAttendees(fixture)).toEqual([
      '2026-11-17: Maya, Sam, Ida',
      '2026-11-24: Maya, Sam, Ida',
      '2026-12-01: Maya, Sam, Ida',
      '2026-12-08: Maya, Ida',
      '2026-12-15: Maya, Ida',
      '2026-12-22: Maya, Ida, Noah',
      '2026-12-29: Maya, Ida, Noah',
    ]);
  });

  test('an open-ended series generates the same students and fees after a split', async () => {
    const group = await createGroupFixture(app, weekly({ recurringEndDate: null }));
    const { browser, fixture, lessonId } = group;
    const id = await sessionIdOn(fixture, '2026-11-24');
    const body = groupChange(group, id, 'following', '2026-11-24', {
      title: 'Year 11 further maths',
      recurringEndDate: null,
    });
    const saved = await update(group, lessonId, body);
    app.clock.advance({ days: 28 });
    await extendAllSeries(app.context);
    const generated = await readSession(browser, await sessionIdOn(fixture, '2027-12-14'));
    expect(generated).toMatchObject({
      lessonId: saved.body.lessonId,
      title: 'Year 11 further maths',
    });
    expect(formatSeats(generated)).toEqual(['Maya 3117', 'Sam 4229', 'Ida 5341']);
  });

  test('deleting the lesson credits the prepaid places of every family', async () => {
    const group = await createGroupFixture(app, weekly());
    const { fixture, lessonId } = group;
    await issueInvoicesForAll(group.browser, { to: '2026-12-31' });
    const id = await sessionIdOn(fixture, '2026-11-17');
    await group.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'all', sessionId: id },
    });
    expect(await balancesOf(group)).toEqual(['', '', '']);
  });
});
