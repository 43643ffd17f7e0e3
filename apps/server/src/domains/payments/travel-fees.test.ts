import { invoices } from '@lessonbook/contract/invoices';
import { lessons } from '@lessonbook/contract/lessons';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  createThreeFamilies,
  issueInvoicesForAll,
  readLesson,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  cancelSession,
  completeSession,
  moveSession,
  reopenSession,
} from '../../test/group-lesson-requests.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { assertInvariants, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

/** The entries of an account, newest first, such as "travel 500". */
const entriesOf = async (browser: LessonFixture['browser'], familyId: number | null) =>
  (await readFamily(browser, familyId as number)).entries
    .filter(({ reversed }) => !reversed)
    .map(({ kind, amount }) => `${kind} ${amount}`);

async function addTravelLesson(change: Parameters<typeof addLesson>[1] = {}) {
  const fixture = await createTutorWithStudentAndSubject(app);
  const lesson = await addLesson(fixture, { travelFee: 5, place: '12 High Street', ...change });
  const { familyId } = await readSession(fixture.browser, lesson.sessionId);
  return { ...fixture, ...lesson, fixture, familyId };
}

describe('charging', () => {
  test('completing a lesson in person charges the travel fee as its own entry', async () => {
    const { browser, sessionId, familyId } = await addTravelLesson();
    await completeSession(browser, sessionId);
    expect(await entriesOf(browser, familyId)).toEqual(['travel 500', 'lesson 3500']);
    expect(await readSession(browser, sessionId)).toMatchObject({
      fee: 3500,
      travelFee: 500,
      charged: 4000,
      outstanding: 4000,
      familyId,
    });
  });

  test.each(['https://meet.example.org/maya', 'Online'])('%s: no travel fee', async (place) => {
    const { browser, sessionId, familyId } = await addTravelLesson({ place });
    await completeSession(browser, sessionId);
    expect(await entriesOf(browser, familyId)).toEqual(['lesson 3500']);
  });

  test('a late cancellation has no travel fee', async () => {
    const { browser, sessionId, familyId } = await addTravelLesson({ date: '2026-11-16' });
    await cancelSession(browser, sessionId, { chargeFee: true });
    expect(await entriesOf(browser, familyId)).not.toContain('travel 500');
  });

  test('a free lesson has its travel fee, but an absence that is not charged has none', async () => {
    const free = await addTravelLesson({ fee: null });
    await completeSession(free.browser, free.sessionId);
    expect(await entriesOf(free.browser, free.familyId)).toEqual(['travel 500']);
    const waived = await addTravelLesson();
    await completeSession(waived.browser, waived.sessionId, {
      attendance: 'absent',
      charge: false,
    });
    expect(await entriesOf(waived.browser, waived.familyId)).toEqual([]);
  });

  test('reopening reverses the travel fee, and completing again charges it once', async () => {
    const { browser, sessionId, familyId } = await addTravelLesson();
    for (let round = 0; round < 2; round += 1) {
      await completeSession(browser, sessionId);
      expect((await readFamily(browser, familyId as number)).balances[0]?.owed).toBe(4000);
      expect((await reopenSession(browser, sessionId)).status).toBe(200);
      expect((await readFamily(browser, familyId as number)).balances[0]?.owed ?? 0).toBe(0);
    }
  });

  test('a moved lesson keeps its travel fee', async () => {
    const { browser, sessionId, familyId } = await addTravelLesson();
    const moved = await moveSession(browser, sessionId, '2026-11-18');
    await completeSession(browser, moved.body.id);
    expect(await entriesOf(browser, familyId)).toEqual(['travel 500', 'lesson 3500']);
  });
});

describe('families', () => {
  test('siblings in the same lesson pay one travel fee, with two lines for their lessons', async () => {
    const { browser, fixture } = await createThreeFamilies(app);
    const lena = await createStudent(browser, { name: 'Lena Holm', carerName: 'Ulla Holm' });
    const noah = await createStudent(browser, { name: 'Noah Holm', carerId: lena.carerId });
    const { sessionId } = await addLesson(fixture, {
      studentId: lena.id,
      students: [{ studentId: lena.id }, { studentId: noah.id, fee: 20 }],
      title: 'Maths together',
      travelFee: 4.5,
    });
    await completeSession(browser, sessionId);
    const [issued] = await issueInvoicesForAll(browser);
    const invoice = await browser.call(invoices.invoice, { params: { id: issued?.id ?? 0 } });
    expect(
      invoice.body.lines.map(({ description, amount }) => `${description}: ${amount}`),
    ).toEqual([
      expect.stringMatching(/^Maths lesson.*: 3500$/),
      expect.stringMatching(/^Travel fee.*: 450$/),
      expect.stringMatching(/^Maths lesson.*: 2000$/),
    ]);
  });

  test('each family of a group pays the travel fee, and its invoice names only its own child', async () => {
    const { browser, sessionId, maya, sam, ida } = await createGroupFixture(app, { travelFee: 3 });
    await completeSession(browser, sessionId);
    for (const { familyId } of [maya, sam, ida])
      expect(await entriesOf(browser, familyId)).toContain('travel 300');
    for (const row of await issueInvoicesForAll(browser)) expect(row.students).toHaveLength(1);
  });

  test('two payers share the travel fee', async () => {
    const { browser, subjectId } = await createTutorWithStudentAndSubject(app);
    const student = await createStudent(browser, { name: 'Lena Hale', carerName: 'Ruth Hale' });
    const params = { id: student.id };
    const { body } = await browser.call(studentContacts.addContact, {
      params,
      body: { name: 'Tom Vos' },
    });
    const payers = body.contacts.map(({ id }, index) => ({
      contactId: id,
      percent: [60, 40][index] as number,
    }));
    const split = await browser.call(studentContacts.setPayers, {
      params,
      body: { from: '1900-01-01', payers },
    });
    const fixture = { browser, studentId: student.id, subjectId };
    const { sessionId } = await addLesson(fixture, { travelFee: 5.01 });
    await completeSession(browser, sessionId);
    const families = split.body.payers.slice(-2).map(({ familyId }) => familyId);
    const entries = await Promise.all(families.map((id) => entriesOf(browser, id)));
    expect(entries.map(([travel]) => travel)).toEqual(['travel 301', 'travel 200']);
  });

  test('a travel fee on an invoice must be credited before the lesson is reopened', async () => {
    const { browser, sessionId } = await addTravelLesson({ fee: null });
    await completeSession(browser, sessionId);
    await issueInvoicesForAll(browser);
    const refused = await reopenSession(browser, sessionId);
    expect([refused.status, refused.error?.message]).toEqual([
      409,
      expect.stringContaining('Create a credit note'),
    ]);
  });

  test('a lesson invoiced in advance is charged its travel fee afterwards', async () => {
    const { browser, sessionId, familyId } = await addTravelLesson();
    const [issued] = await issueInvoicesForAll(browser);
    expect(issued?.total).toBe(3500);
    await completeSession(browser, sessionId);
    expect(await entriesOf(browser, familyId)).toEqual(['travel 500', 'lesson 3500']);
    expect((await readSession(browser, sessionId)).invoice?.id).toBe(issued?.id);
  });
});

describe("a student's default", () => {
  async function createTravelStudent() {
    const { browser, studentId, subjectId } = await createTutorWithStudentAndSubject(app);
    const body = { name: 'Maya Okafor', travelFee: 6.5 };
    const saved = await browser.call(students.updateStudent, { params: { id: studentId }, body });
    expect(saved.body.travelFee).toBe(650);
    return { browser, studentId, subjectId };
  }

  test('applies to new lessons without a travel fee, and null means none', async () => {
    const fixture = await createTravelStudent();
    const { lessonId } = await addLesson(fixture);
    expect((await readLesson(fixture.browser, lessonId)).travelFee).toBe(650);
    const without = await addLesson(fixture, { date: '2026-11-18', travelFee: null });
    expect((await readLesson(fixture.browser, without.lessonId)).travelFee).toBeNull();
  });

  test('an update that omits the travel fee leaves it as it is', async () => {
    const fixture = await createTravelStudent();
    const { browser, studentId } = fixture;
    const kept = await browser.call(students.updateStudent, {
      params: { id: studentId },
      body: { name: 'Maya O.' },
    });
    expect(kept.body.travelFee).toBe(650);
    const { lessonId, sessionId } = await addLesson(fixture, weekly({ travelFee: 4 }));
    const update = (change: object) =>
      browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(fixture, weekly()), scope: 'all', sessionId, ...change },
      });
    expect((await update({ title: 'Maths with Maya' })).status).toBe(200);
    expect(await readSession(browser, sessionId)).toMatchObject({ travelFee: 400 });
    await update({ scope: 'this', travelFee: null });
    expect(await readSession(browser, sessionId)).toMatchObject({ travelFee: null });
    expect((await readLesson(browser, lessonId)).travelFee).toBe(400);
    await update({ scope: 'all', travelFee: 5, includeEdited: true });
    expect(await readSession(browser, sessionId)).toMatchObject({ travelFee: 500 });
  });

  test('a travel fee must be an amount of at least 1', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const response = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, { travelFee: 0.5 }),
    });
    expect(response.status).toBe(400);
  });
});
