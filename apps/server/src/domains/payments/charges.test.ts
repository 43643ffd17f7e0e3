import { accounts } from '@lessonbook/contract/accounts';
import { lessons } from '@lessonbook/contract/lessons';
import { type CompleteInput, sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { findTutorId } from '../../test/create-tutor.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const complete = (fixture: LessonFixture, id: number, body: Partial<CompleteInput> = {}) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body });
const cancel = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.cancelSession, {
    params: { id },
    body: { cancelledBy: 'carer', chargeFee: true },
  });
const reopen = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.reopenSession, { params: { id }, body: {} });

/** Reads the charges and families from the database. */
async function readLedger(fixture: LessonFixture) {
  const { username } = (await fixture.browser.call(accounts.me)).body;
  const tutorId = await findTutorId(app, { username });
  const [charges, families] = await app.context.db.tutorRead(tutorId, (tx) => [
    tx.selectFrom('charges').selectAll().orderBy('id'),
    tx
      .selectFrom('families')
      .innerJoin('contacts', 'contacts.id', 'families.contact_id')
      .select(['families.id', 'contacts.id as contactId', 'contacts.student_id'])
      .orderBy('families.id'),
  ]);
  return {
    charges,
    families: families.map(({ contactId, ...family }) => ({
      ...family,
      carer_id: family.student_id === null ? contactId : null,
    })),
  };
}
/** Reads the kind, amount and outstanding amount of each charge. */
const readChargeAmounts = async (fixture: LessonFixture) =>
  (await readLedger(fixture)).charges.map(({ kind, amount, outstanding }) => [
    kind,
    amount,
    outstanding,
  ]);

const sortNumbers = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

/** A lesson today at 14:00, two hours from now, which is too late to cancel without a fee. */
const LATE_SLOT = { date: '2026-11-16', startTime: '14:00', endTime: '15:00' };

describe('a charge', () => {
  test('[SESS-24] is created by the tutor on completion and is due on the day of the lesson', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await complete(fixture, sessionId);
    const { charges, families } = await readLedger(fixture);
    expect(charges).toMatchObject([
      {
        session_id: sessionId,
        student_id: fixture.studentId,
        family_id: families[0]?.id,
        kind: 'lesson',
        amount: 3500,
        outstanding: 3500,
        currency: 'GBP',
        due_date: '2026-11-17',
        reversed: false,
        created_by: 'tutor',
        created_at: app.clock.now(),
      },
    ]);
  });

  test('[SESS-24] is created only once by concurrent completions', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => complete(fixture, sessionId)),
    );
    expect(sortNumbers(responses.map((response) => response.status))).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
    expect(await readChargeAmounts(fixture)).toEqual([['lesson', 3500, 3500]]);
  });

  test('is created only once when a batch completion and single completions run concurrently', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const ids = (await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31')).map(
      (row) => row.id,
    );
    const batch = fixture.browser.call(sessions.completeSessions, {
      body: { sessions: ids.map((id) => ({ id })) },
    });
    await Promise.all([batch, ...ids.map((id) => complete(fixture, id))]);
    const { charges } = await readLedger(fixture);
    expect(sortNumbers(charges.map((charge) => charge.session_id ?? 0))).toEqual(ids);
  });

  test('is created for an absence, unless the fee is waived', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [one, two] = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    await complete(fixture, one?.id ?? 0, { attendance: 'absent' });
    await complete(fixture, two?.id ?? 0, { attendance: 'absent', charge: false });
    expect(await readChargeAmounts(fixture)).toEqual([['lesson', 3500, 3500]]);
  });

  test('is not created for a free lesson that is completed or cancelled late', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const one = await addLesson(fixture, { fee: null });
    const two = await addLesson(fixture, { ...LATE_SLOT, fee: null });
    expect((await complete(fixture, one.sessionId, { charge: true })).body.charged).toBeNull();
    expect((await cancel(fixture, two.sessionId)).body.charged).toBeNull();
    expect(await readChargeAmounts(fixture)).toEqual([]);
  });

  test('[SESS-26] for a late cancellation has the kind "cancellation"', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, LATE_SLOT);
    await cancel(fixture, sessionId);
    expect(await readChargeAmounts(fixture)).toEqual([['cancellation', 3500, 3500]]);
  });

  test('is not created by a rejected completion', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [one, two] = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    const response = await fixture.browser.call(sessions.completeSessions, {
      body: { sessions: [{ id: one?.id ?? 0 }, { id: two?.id ?? 0 }, { id: 999 }] },
    });
    expect(response.status).toBe(404);
    expect(await readChargeAmounts(fixture)).toEqual([]);
  });

  test('keeps its amount if the fee for the lesson or the subject changes later', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const [one, two] = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    await complete(fixture, one?.id ?? 0);
    const changed = await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(fixture, weekly({ fee: 50 })),
        date: '2026-11-24',
        scope: 'all',
        sessionId: two?.id ?? 0,
      },
    });
    expect(changed.status).toBe(200);
    await fixture.browser.call(subjects.updateSubject, {
      params: { id: fixture.subjectId },
      body: { name: 'Maths', defaultFee: 99 },
    });
    await complete(fixture, two?.id ?? 0);
    expect(await readChargeAmounts(fixture)).toEqual([
      ['lesson', 3500, 3500],
      ['lesson', 5000, 5000],
    ]);
    const rows = await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-24');
    expect(rows.map((row) => [row.fee, row.charged])).toEqual([
      [3500, 3500],
      [5000, 5000],
    ]);
  });

  test("F18 has the exact amount in the lesson's currency, like the session's fee", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { fee: 19.99, currency: 'INR' });
    const { body } = await complete(fixture, sessionId);
    expect(body).toMatchObject({ charged: 1999, currency: 'INR', fee: 1999 });
  });

  test('[T09] ignores any amount, fee or currency in the request', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await fixture.browser.send('POST', `/api/sessions/${sessionId}/complete`, {
      fee: 1,
      amount: 1,
      charged: 1,
      currency: 'USD',
    });
    const { charges } = await readLedger(fixture);
    expect(charges).toMatchObject([{ amount: 3500, currency: 'GBP' }]);
  });
});

describe('reopening', () => {
  test('[SESS-27] reverses the charge with a separate entry, and completing it again creates a new charge', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await complete(fixture, sessionId);
    expect((await reopen(fixture, sessionId)).body).toMatchObject({
      status: 'scheduled',
      charged: null,
      outstanding: null,
    });
    const { charges } = await readLedger(fixture);
    expect(charges).toMatchObject([
      { kind: 'lesson', amount: 3500, outstanding: 0, reversed: true },
      { kind: 'reversal', amount: -3500, outstanding: 0, reverses_id: charges[0]?.id },
    ]);
    await complete(fixture, sessionId, { attendance: 'late' });
    expect(await readChargeAmounts(fixture)).toEqual([
      ['lesson', 3500, 0],
      ['reversal', -3500, 0],
      ['lesson', 3500, 3500],
    ]);
  });

  test('[SESS-27] reverses a cancellation fee', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, LATE_SLOT);
    await cancel(fixture, sessionId);
    await reopen(fixture, sessionId);
    await complete(fixture, sessionId);
    expect(await readChargeAmounts(fixture)).toEqual([
      ['cancellation', 3500, 0],
      ['reversal', -3500, 0],
      ['lesson', 3500, 3500],
    ]);
  });

  test('reverses nothing if the fee was waived', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await complete(fixture, sessionId, { charge: false });
    expect((await reopen(fixture, sessionId)).status).toBe(200);
    expect(await readChargeAmounts(fixture)).toEqual([]);
  });

  test('reverses the charge only once for concurrent requests', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await complete(fixture, sessionId);
    const responses = await Promise.all([reopen(fixture, sessionId), reopen(fixture, sessionId)]);
    expect(sortNumbers(responses.map((response) => response.status))).toEqual([200, 409]);
    expect(await readChargeAmounts(fixture)).toHaveLength(2);
  });
});

describe('the payer', () => {
  test('is the carer, with one family for three children', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const eldest = await createStudent(fixture.browser, { name: 'Lena', carerName: 'Ruth Hale' });
    const { carerId } = eldest;
    const siblings = [
      eldest,
      await createStudent(fixture.browser, { name: 'Noah', carerId }),
      await createStudent(fixture.browser, { name: 'Ida', carerId }),
    ];
    const ids: number[] = [];
    for (const [index, { id }] of siblings.entries())
      ids.push(
        (await addLesson(fixture, { studentId: id, date: `2026-11-1${7 + index}` })).sessionId,
      );
    await fixture.browser.call(sessions.completeSessions, {
      body: { sessions: ids.map((id) => ({ id })) },
    });
    const { charges, families } = await readLedger(fixture);
    expect(families.map((family) => family.carer_id)).toEqual([null, carerId]);
    expect(charges.map((charge) => [charge.student_id, charge.family_id])).toEqual(
      siblings.map(({ id }) => [id, families[1]?.id]),
    );
  });

  test('is the student if there is no carer', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const other = await createStudent(fixture.browser, { name: 'Noah' });
    const one = await addLesson(fixture);
    const two = await addLesson(fixture, { studentId: other.id, date: '2026-11-18' });
    const three = await addLesson(fixture, { date: '2026-11-19' });
    for (const { sessionId } of [one, two, three]) await complete(fixture, sessionId);
    const { charges, families } = await readLedger(fixture);
    expect(families.map((family) => [family.carer_id, family.student_id])).toEqual([
      [null, fixture.studentId],
      [null, other.id],
    ]);
    expect(charges.map((charge) => charge.family_id)).toEqual([
      families[0]?.id,
      families[1]?.id,
      families[0]?.id,
    ]);
  });

  test('of a charge does not change: a new carer pays later charges, and the reversal goes to the old carer', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const lena = await createStudent(fixture.browser, { name: 'Lena', carerName: 'Ruth Hale' });
    await addLesson(fixture, { ...weekly(), studentId: lena.id });
    const [one, two] = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    await complete(fixture, one?.id ?? 0);
    const tom = await createStudent(fixture.browser, { name: 'Tom', carerName: 'Piet Vos' });
    const changed = await fixture.browser.call(students.updateStudent, {
      params: { id: lena.id },
      body: { name: 'Lena', carerId: tom.carerId },
    });
    expect(changed.body.carerId).toBe(tom.carerId);
    await complete(fixture, two?.id ?? 0);
    await reopen(fixture, one?.id ?? 0);
    await complete(fixture, one?.id ?? 0);
    const { charges, families } = await readLedger(fixture);
    expect(families.map((family) => family.carer_id)).toEqual([null, lena.carerId, tom.carerId]);
    const [, ruth, piet] = families.map((family) => family.id);
    expect(charges.map((charge) => [charge.kind, charge.session_id, charge.family_id])).toEqual([
      ['lesson', one?.id, ruth],
      ['lesson', two?.id, piet],
      ['reversal', one?.id, ruth],
      ['lesson', one?.id, piet],
    ]);
  });

  test('of earlier charges remains the student after a carer is added', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [one, two] = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    await complete(fixture, one?.id ?? 0);
    await fixture.browser.call(students.updateStudent, {
      params: { id: fixture.studentId },
      body: { name: 'Maya Okafor', carerName: 'Ngozi Okafor' },
    });
    await complete(fixture, two?.id ?? 0);
    const { charges, families } = await readLedger(fixture);
    expect(families.map((family) => family.student_id)).toEqual([fixture.studentId, null]);
    expect(charges.map((charge) => charge.family_id)).toEqual(families.map((family) => family.id));
  });
});

describe('the charges table', () => {
  test('does not allow the application role to delete entries or change amounts', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await complete(fixture, sessionId);
    const { username } = (await fixture.browser.call(accounts.me)).body;
    const tutorId = await findTutorId(app, { username });
    const { db } = app.context;
    await expect(
      db.tutorTransaction(tutorId, (tx) => tx.deleteFrom('charges').execute()),
    ).rejects.toThrow(/permission denied/);
    await expect(
      db.tutorTransaction(tutorId, (tx) => tx.updateTable('charges').set({ amount: 1 }).execute()),
    ).rejects.toThrow(/permission denied/);
    expect(await readChargeAmounts(fixture)).toEqual([['lesson', 3500, 3500]]);
  });
});
