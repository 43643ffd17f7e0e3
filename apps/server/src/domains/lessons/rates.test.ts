import { invoices } from '@lessonbook/contract/invoices';
import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { type RateInput, rates } from '@lessonbook/contract/rates';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  formatSeats,
  issueInvoicesForAll,
  readLesson,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  addStudentToLesson,
  archiveStudent,
  cancelSession,
  completeSession,
  moveSession,
  reopenSession,
  sessionIdOn,
  undoSessionMove,
} from '../../test/group-lesson-requests.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
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

const saveRate = (
  { browser, studentId, subjectId }: LessonFixture,
  overrides: Partial<RateInput>,
) =>
  browser.call(rates.saveRate, {
    body: { studentId, subjectId, amount: 40, unit: 'hour', validFrom: '2026-12-01', ...overrides },
  });

/** Sessions on 17 and 24 November and on 1, 8 and 15 December; the subject's default fee is £35. */
async function createSeries(overrides: Partial<Parameters<typeof weekly>[0]> = {}) {
  const fixture = await createTutorWithStudentAndSubject(app);
  const saved = await addLesson(fixture, weekly({ usesRates: true, fee: 99, ...overrides }));
  return { ...fixture, ...saved };
}

const readFees = async (fixture: LessonFixture, to = '2026-12-31') =>
  (await fetchSessionsBetween(fixture, '2026-11-01', to)).map((row) => row.fee);

const readSources = async ({ browser }: LessonFixture, sessionId: number) =>
  (await readSession(browser, sessionId)).students.map(({ feeSource }) => feeSource);

const update = (
  { browser, lessonId, ...fixture }: LessonFixture & { lessonId: number },
  sessionId: number,
  change: Partial<LessonUpdate>,
) =>
  browser.call(lessons.updateLesson, {
    params: { id: lessonId },
    body: {
      ...lessonBody({ browser, ...fixture }),
      isRecurring: true,
      recurringEndDate: '2026-12-15',
      scope: 'all',
      sessionId,
      ...change,
    },
  });

describe('a lesson without an entered fee', () => {
  test("has the subject's default fee, and the student's rate from the date on which the rate starts", async () => {
    const series = await createSeries();
    expect(await readFees(series)).toEqual([3500, 3500, 3500, 3500, 3500]);
    expect(await readSources(series, series.sessionId)).toEqual(['subject']);
    expect((await saveRate(series, {})).body).toEqual({ changedSeats: 3 });
    expect(await readFees(series)).toEqual([3500, 3500, 4000, 4000, 4000]);
    expect((await saveRate(series, { amount: 45, validFrom: '2026-12-10' })).body).toEqual({
      changedSeats: 1,
    });
    expect(await readFees(series)).toEqual([3500, 3500, 4000, 4000, 4500]);
    const lastId = await sessionIdOn(series, '2026-12-15');
    expect(await readSources(series, lastId)).toEqual(['rate']);
    expect(await readLesson(series.browser, series.lessonId)).toMatchObject({
      usesRates: true,
      fee: 35,
    });
  });

  test('a rate with the same start date is replaced, and saving it again changes nothing', async () => {
    const series = await createSeries();
    await saveRate(series, {});
    await saveRate(series, { amount: 42 });
    expect((await saveRate(series, { amount: 42 })).body).toEqual({ changedSeats: 0 });
    expect((await series.browser.call(rates.listRates)).body).toMatchObject([
      { amount: 4200, currency: 'GBP', unit: 'hour', validFrom: '2026-12-01' },
    ]);
    expect(await readFees(series)).toEqual([3500, 3500, 4200, 4200, 4200]);
  });

  test('removing a rate restores the previous rate or, if there is none, the default fee of the lesson', async () => {
    const series = await createSeries();
    await saveRate(series, { validFrom: '2026-11-20' });
    await saveRate(series, { amount: 45, validFrom: '2026-12-10' });
    await series.browser.call(subjects.updateSubject, {
      params: { id: series.subjectId },
      body: { name: 'Maths', defaultFee: 50 },
    });
    const [first, second] = (await series.browser.call(rates.listRates)).body;
    const remove = (id = 0) => series.browser.call(rates.deleteRate, { params: { id } });
    expect((await remove(second?.id)).body).toEqual({ changedSeats: 1 });
    expect(await readFees(series)).toEqual([3500, 4000, 4000, 4000, 4000]);
    expect((await remove(first?.id)).body).toEqual({ changedSeats: 4 });
    expect(await readFees(series)).toEqual([3500, 3500, 3500, 3500, 3500]);
    expect((await remove(first?.id)).status).toBe(404);
  });

  test('an hourly rate depends on the length of the lesson, but a rate per lesson does not', async () => {
    const series = await createSeries();
    await saveRate(series, { validFrom: '2026-11-01', amount: 33.33 });
    expect((await update(series, series.sessionId, { endTime: '16:50', fee: 33.33 })).status).toBe(
      200,
    );
    expect(await readFees(series)).toEqual([2778, 2778, 2778, 2778, 2778]);
    await saveRate(series, { validFrom: '2026-11-01', unit: 'lesson', amount: 33.33 });
    expect(await readFees(series)).toEqual([3333, 3333, 3333, 3333, 3333]);
  });

  test('sessions that are generated later have the rate that applies on their date', async () => {
    const series = await createSeries({ recurringEndDate: null });
    await saveRate(series, { validFrom: '2027-11-20' });
    app.clock.advance({ days: 14 });
    await extendAllSeries(app.context);
    const rows = await fetchSessionsBetween(series, '2027-11-01', '2027-11-30');
    expect(rows.map(({ date, fee }) => `${date} ${fee}`)).toEqual([
      '2027-11-02 3500',
      '2027-11-09 3500',
      '2027-11-16 3500',
      '2027-11-23 4000',
      '2027-11-30 4000',
    ]);
  });

  test('a session that is moved gets the rate for its new date, and undoing the move restores its fee', async () => {
    const series = await createSeries();
    await saveRate(series, {});
    const moved = await moveSession(series.browser, series.sessionId, '2026-12-03');
    expect(moved.body).toMatchObject({ fee: 4000, students: [{ feeSource: 'rate' }] });
    const undone = await undoSessionMove(series.browser, moved.body.id);
    expect(undone.body).toMatchObject({ fee: 3500, students: [{ feeSource: 'subject' }] });
  });

  test('a rate applies only to its own student and subject', async () => {
    const series = await createSeries();
    const physics = await createSubject(series.browser, { name: 'Physics', defaultFee: 50 });
    const sam = await createStudent(series.browser, { name: 'Sam' });
    await saveRate(series, {});
    await saveRate(series, { studentId: sam.id, amount: 60 });
    await update(series, series.sessionId, { studentId: sam.id, fee: 35 });
    expect(await readFees(series)).toEqual([3500, 3500, 6000, 6000, 6000]);
    await update(series, series.sessionId, {
      studentId: sam.id,
      subjectId: physics.id,
      usesRates: true,
    });
    expect(await readFees(series)).toEqual([5000, 5000, 5000, 5000, 5000]);
  });

  test('students of a group have their own rates, and a price on the roster takes precedence', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const [sam, ida, leo] = await Promise.all(
      ['Sam', 'Ida', 'Leo'].map((name) => createStudent(fixture.browser, { name })),
    );
    const ids = [fixture.studentId, sam?.id ?? 0, ida?.id ?? 0] as const;
    await saveRate(fixture, { studentId: ids[1], validFrom: '2026-11-01' });
    await saveRate(fixture, { studentId: ids[2], validFrom: '2026-11-01' });
    const { lessonId, sessionId } = await addLesson(fixture, {
      usesRates: true,
      students: [{ studentId: ids[0] }, { studentId: ids[1] }, { studentId: ids[2], fee: null }],
    });
    await saveRate(fixture, { studentId: leo?.id ?? 0, amount: 20, validFrom: '2026-11-01' });
    await addStudentToLesson(fixture.browser, lessonId, leo?.id ?? 0, '2026-11-17');
    const session = await readSession(fixture.browser, sessionId);
    expect(session.students.map(({ fee }) => fee)).toEqual([3500, 4000, null, 2000]);
    expect(await readSources(fixture, sessionId)).toEqual(['subject', 'rate', 'student', 'rate']);
    // An entered price per place replaces the rates.
    await update({ ...fixture, lessonId }, sessionId, {
      isRecurring: false,
      recurringEndDate: null,
      title: session.title,
      fee: null,
      seatFee: 25,
    });
    expect((await readSession(fixture.browser, sessionId)).students.map(({ fee }) => fee)).toEqual([
      2500,
      2500,
      null,
      2500,
    ]);
    expect(await readLesson(fixture.browser, lessonId)).toMatchObject({ usesRates: false });
    // The student's rate applies again.
    await update({ ...fixture, lessonId }, sessionId, {
      isRecurring: false,
      recurringEndDate: null,
      title: session.title,
      usesRates: true,
    });
    expect(await readSources(fixture, sessionId)).toEqual(['subject', 'rate', 'student', 'rate']);
  });
});

describe('a lesson that changes from an entered fee to the rates', () => {
  test('uses the rate for each date, whether the change is to one date, the following dates or all dates', async () => {
    const series = await createSeries({ usesRates: false, fee: 30 });
    await saveRate(series, {});
    const useRates = async (date: string, scope: LessonUpdate['scope']) => {
      const sessionId = await sessionIdOn(series, date);
      const saved = await update(series, sessionId, { date, scope, fee: 30, usesRates: true });
      expect(saved.status).toBe(200);
      return { ...series, lessonId: saved.body.lessonId };
    };
    await useRates('2026-11-24', 'this');
    expect(await readFees(series)).toEqual([3000, 3500, 3000, 3000, 3000]);
    expect(await readLesson(series.browser, series.lessonId)).toMatchObject({ usesRates: false });
    const following = await useRates('2026-12-08', 'following');
    expect(await readFees(series)).toEqual([3000, 3500, 3000, 4000, 4000]);
    expect(await readLesson(series.browser, following.lessonId)).toMatchObject({ usesRates: true });
    await update(series, series.sessionId, {
      recurringEndDate: '2026-12-01',
      fee: 30,
      usesRates: true,
    });
    expect(await readFees(series)).toEqual([3500, 3500, 4000, 4000, 4000]);
    await saveRate(series, { amount: 41 });
    expect(await readFees(series)).toEqual([3500, 3500, 4100, 4100, 4100]);
  });

  test('sessions that are completed or invoiced keep the entered fee', async () => {
    const series = await createSeries({ usesRates: false, fee: 30 });
    await saveRate(series, { validFrom: '2026-11-01' });
    app.clock.advance({ days: 2 });
    await completeSession(series.browser, series.sessionId);
    await issueInvoicesForAll(series.browser);
    const invoicedId = await sessionIdOn(series, '2026-11-24');
    expect((await readSession(series.browser, invoicedId)).charged).toBe(3000);
    const change = { date: '2026-11-24', fee: 30, usesRates: true };
    expect((await update(series, invoicedId, { ...change, scope: 'this' })).status).toBe(409);
    const laterId = await sessionIdOn(series, '2026-12-01');
    await update(series, laterId, { ...change, date: '2026-12-01' });
    expect(await readFees(series)).toEqual([3000, 3000, 4000, 4000, 4000]);
  });

  test('in a group, students keep their own prices, and one date can be changed first and all dates later', async () => {
    const group = await createGroupFixture(app, weekly());
    const fixture = { ...group.fixture, lessonId: group.lessonId };
    await saveRate(fixture, { validFrom: '2026-11-01' });
    const body = { title: 'Year 11 maths', seatFee: 31.17, usesRates: true };
    await update(fixture, group.sessionId, { ...body, scope: 'this' });
    const readSeatFees = async (date: string) =>
      formatSeats(await readSession(group.browser, await sessionIdOn(fixture, date)));
    expect(await readSeatFees('2026-11-17')).toEqual(['Maya 4000', 'Sam 4229', 'Ida 5341']);
    expect(await readSeatFees('2026-11-24')).toEqual(['Maya 3117', 'Sam 4229', 'Ida 5341']);
    await update(fixture, group.sessionId, { ...body, scope: 'all' });
    expect(await readSeatFees('2026-11-24')).toEqual(['Maya 4000', 'Sam 4229', 'Ida 5341']);
    expect(await readLesson(group.browser, group.lessonId)).toMatchObject({ usesRates: true });
  });
});

describe('fees that are kept', () => {
  test('an entered fee is never replaced by a rate, even if it is cleared', async () => {
    const series = await createSeries({ usesRates: false, fee: 30 });
    await saveRate(series, { validFrom: '2026-11-01' });
    expect(await readFees(series)).toEqual([3000, 3000, 3000, 3000, 3000]);
    await update(series, series.sessionId, { fee: null });
    await saveRate(series, { validFrom: '2026-11-02', amount: 41 });
    expect(await readFees(series)).toEqual([null, null, null, null, null]);
    await update(series, series.sessionId, { usesRates: true });
    expect(await readFees(series)).toEqual([4100, 4100, 4100, 4100, 4100]);
  });

  test('a fee entered for one or all sessions no longer follows the rate', async () => {
    const series = await createSeries();
    await update(series, series.sessionId, { scope: 'this', fee: 20 });
    await saveRate(series, { validFrom: '2026-11-01' });
    expect(await readFees(series)).toEqual([2000, 4000, 4000, 4000, 4000]);
    const secondId = await sessionIdOn(series, '2026-11-24');
    await update(series, secondId, { date: '2026-11-24', fee: 40, usesRates: false });
    await saveRate(series, { validFrom: '2026-11-01', amount: 44 });
    expect(await readFees(series)).toEqual([2000, 4000, 4000, 4000, 4000]);
    expect(await readLesson(series.browser, series.lessonId)).toMatchObject({ usesRates: false });
  });

  test('changing the title keeps the source of the fee', async () => {
    const series = await createSeries();
    await update(series, series.sessionId, { title: 'Maya - Algebra', fee: 35 });
    await saveRate(series, { validFrom: '2026-11-01' });
    expect(await readFees(series)).toEqual([4000, 4000, 4000, 4000, 4000]);
  });

  test('completed sessions and invoiced seats keep their fee; a reopened session gets the rate', async () => {
    const series = await createSeries();
    app.clock.advance({ days: 2 });
    await completeSession(series.browser, series.sessionId);
    await issueInvoicesForAll(series.browser);
    const invoicedId = await sessionIdOn(series, '2026-11-24');
    const { charged } = await readSession(series.browser, invoicedId);
    await saveRate(series, { validFrom: '2026-11-01' });
    expect(await readFees(series)).toEqual([3500, charged ? 3500 : 4000, 4000, 4000, 4000]);
    const list = (await series.browser.call(invoices.listInvoices, { query: {} })).body;
    for (const { id } of list) {
      await series.browser.call(invoices.voidInvoice, {
        params: { id },
        body: { reason: 'Wrong price' },
      });
    }
    expect((await reopenSession(series.browser, series.sessionId)).status).toBe(200);
    expect((await readFees(series))[0]).toBe(4000);
  });

  test('a session that was cancelled when the rate changed gets the new fee when it is reopened', async () => {
    const series = await createSeries();
    await cancelSession(series.browser, series.sessionId);
    await saveRate(series, { validFrom: '2026-11-01' });
    await reopenSession(series.browser, series.sessionId);
    expect(await readFees(series)).toEqual([4000, 4000, 4000, 4000, 4000]);
  });

  test("a rate in the old currency does not apply to new lessons after the subject's currency has changed", async () => {
    const series = await createSeries();
    await saveRate(series, { validFrom: '2026-11-01' });
    await series.browser.call(subjects.updateSubject, {
      params: { id: series.subjectId },
      body: { name: 'Maths', defaultFee: 50, currency: 'USD' },
    });
    const { sessionId } = await addLesson(series, { date: '2026-11-18', usesRates: true });
    expect(await readSession(series.browser, sessionId)).toMatchObject({
      fee: 5000,
      currency: 'USD',
      students: [{ feeSource: 'subject' }],
    });
    expect((await readFees(series))[0]).toBe(4000);
  });

  test("removing a rate keeps the session's currency, even if the subject's currency has changed since", async () => {
    const series = await createSeries();
    const sam = await createStudent(series.browser, { name: 'Sam Okafor' });
    await addStudentToLesson(series.browser, series.lessonId, sam.id, '2026-11-17');
    await saveRate(series, { validFrom: '2026-11-01' });
    const sessionId = await sessionIdOn(series, '2026-11-24');
    await cancelSession(series.browser, sessionId);
    await update(series, series.sessionId, { fee: 30, seatFee: 30, usesRates: false });
    await series.browser.call(subjects.updateSubject, {
      params: { id: series.subjectId },
      body: { name: 'Maths', defaultFee: 28, currency: 'EUR' },
    });
    const { body } = await series.browser.call(rates.listRates, { query: {} });
    await series.browser.call(rates.deleteRate, { params: { id: body[0]?.id ?? 0 } });
    await reopenSession(series.browser, sessionId);
    const session = await readSession(series.browser, sessionId);
    expect(session.currency).toBe('GBP');
    expect(session.students.map(({ fee }) => fee)).toEqual([3000, 3500]);
  });
});

test("[AUTH-45] another tutor's students, subjects and rates are not found, and nothing changes", async () => {
  const theirs = await createSeries();
  await saveRate(theirs, {});
  const mine = await createTutorWithStudentAndSubject(app);
  const others = await createStudent(theirs.browser, { name: 'Zoe' });
  const physics = await createSubject(theirs.browser, { name: 'Physics' });
  expect((await saveRate(mine, { studentId: others.id })).status).toBe(404);
  expect((await saveRate(mine, { subjectId: physics.id })).status).toBe(404);
  const [rate] = (await theirs.browser.call(rates.listRates)).body;
  const remove = { params: { id: rate?.id ?? 0 } };
  expect((await mine.browser.call(rates.deleteRate, remove)).status).toBe(404);
  expect((await saveRate(mine, { amount: 60 })).status).toBe(200);
  expect((await mine.browser.call(rates.listRates)).body).toHaveLength(1);
  expect(await readFees(theirs)).toEqual([3500, 3500, 4000, 4000, 4000]);
  expect((await app.browser().call(rates.listRates)).status).toBe(401);
});

describe('saving a rate', () => {
  test('rejects invalid amounts, dates and units', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const readInvalidFields = async (overrides: object) =>
      Object.keys((await saveRate(fixture, overrides)).error.fields ?? {});
    expect(await readInvalidFields({ amount: 0 })).toEqual(['amount']);
    expect(await readInvalidFields({ amount: 1.005 })).toEqual(['amount']);
    expect(await readInvalidFields({ validFrom: '2026-02-30' })).toEqual(['validFrom']);
    expect(await readInvalidFields({ unit: 'week' })).toEqual(['unit']);
  });

  test('returns 404 for an unknown subject or an archived student, whose rates are no longer listed', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await saveRate(fixture, {});
    expect((await saveRate(fixture, { subjectId: 99 })).status).toBe(404);
    await archiveStudent(fixture.browser, fixture.studentId);
    expect((await saveRate(fixture, {})).status).toBe(404);
    expect((await fixture.browser.call(rates.listRates)).body).toEqual([]);
  });

  test('concurrent saves for the same date leave one rate, and every seat has it', async () => {
    const series = await createSeries();
    const amounts = [41, 42, 43, 44, 45, 46];
    await Promise.all(amounts.map((amount) => saveRate(series, { amount })));
    const list = (await series.browser.call(rates.listRates)).body;
    expect(list).toHaveLength(1);
    const fee = list[0]?.amount;
    expect(await readFees(series)).toEqual([3500, 3500, fee, fee, fee]);
  });
});
