import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { addLesson, createTutorWithStudentAndSubject } from '../../test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
  readFamily,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.clock.restart());
afterAll(() => app.close());

const listFamilies = async (browser: Browser) => (await browser.call(families.listFamilies)).body;
const findFamily = async (browser: Browser, familyId: number) =>
  (await listFamilies(browser)).find(({ id }) => id === familyId);

/** Issues an invoice for the lessons in November and returns its due date. */
async function issueInvoice(browser: Browser, familyId: number): Promise<string> {
  const { body: drafts } = await browser.call(invoices.draftInvoice, {
    body: { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false },
  });
  const { body } = await browser.call(invoices.issueInvoices, {
    body: { ids: drafts.map(({ id }) => id) },
  });
  return body[0]?.dueOn ?? '';
}

test('F135 the list contains the children, the next lesson and the amounts due by currency', async () => {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const [lena = 0, noah = 0, ida = 0] = children;
  await addLesson(fixture, { studentId: noah, date: '2026-11-25' });
  const { sessionId } = await addLesson(fixture, { studentId: lena, date: '2026-11-20' });
  await createCompletedLesson(fixture, lena, '2026-11-03');
  await createCompletedLesson(fixture, noah, '2026-11-10', { fee: 30, currency: 'EUR' });
  await fixture.browser.call(students.deleteStudent, { params: { id: ida } });
  expect(await findFamily(fixture.browser, familyId)).toMatchObject({
    name: 'Ruth Hale',
    students: ['Ida Hale', 'Lena Hale', 'Noah Hale'],
    children: [
      { id: lena, name: 'Lena Hale' },
      { id: noah, name: 'Noah Hale' },
    ],
    nextLesson: { sessionId, date: '2026-11-20', startTime: '16:00' },
  });
  await fixture.browser.call(students.deleteStudent, { params: { id: lena } });
  await fixture.browser.call(students.deleteStudent, { params: { id: noah } });
  expect(await findFamily(fixture.browser, familyId)).toMatchObject({
    children: [],
    nextLesson: null,
  });
});

test('F135 lessons are due on their date until the family gets its first invoice; then only invoiced lessons have a due date', async () => {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
  await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-05');
  expect((await findFamily(browser, familyId))?.due).toEqual([
    {
      currency: 'GBP',
      overdue: 7000,
      overdueSince: '2026-11-03',
      dueOn: null,
      uninvoiced: 7000,
      withoutDueDate: 0,
    },
  ]);
  const dueOn = await issueInvoice(browser, familyId);
  await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-06');
  const due = [
    {
      currency: 'GBP',
      overdue: 0,
      overdueSince: null,
      dueOn,
      uninvoiced: 3500,
      withoutDueDate: 3500,
    },
  ];
  expect((await findFamily(browser, familyId))?.due).toEqual(due);
  expect((await readFamily(browser, familyId)).due).toEqual(due);
});

test('F135 charges are overdue after the due date of their invoice, and a payment settles overdue charges first', async () => {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
  const dueOn = await issueInvoice(browser, familyId);
  await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-06');
  app.clock.set(`${dueOn}T12:00:00Z`);
  expect((await readFamily(browser, familyId)).due).toMatchObject([{ overdue: 0, dueOn }]);
  app.clock.advance({ days: 1 });
  expect((await readFamily(browser, familyId)).due).toEqual([
    {
      currency: 'GBP',
      overdue: 3500,
      overdueSince: dueOn,
      dueOn: null,
      uninvoiced: 3500,
      withoutDueDate: 3500,
    },
  ]);
  await createPayment(browser, familyId, 3500);
  expect((await readFamily(browser, familyId)).due).toEqual([
    {
      currency: 'GBP',
      overdue: 0,
      overdueSince: null,
      dueOn: null,
      uninvoiced: 3500,
      withoutDueDate: 3500,
    },
  ]);
  await createPayment(browser, familyId, 5000);
  expect(await findFamily(browser, familyId)).toMatchObject({
    due: [],
    balances: [{ currency: 'GBP', owed: 0, credit: 1500 }],
  });
});

test("an account's people are the payer and the children's contacts", async () => {
  const { browser } = await createTutorWithStudentAndSubject(app);
  const lena = await createStudent(browser, {
    name: 'Lena Hale',
    carerName: 'Ruth Hale',
    carerRelationship: 'Mother',
    carerEmail: 'ruth@hale.example',
  });
  const { body } = await browser.call(studentContacts.addContact, {
    params: { id: lena.id },
    body: { name: 'Ann Frost', phone: '07700 900002' },
  });
  const [ruth = 0, ann = 0] = body.contacts.map(({ id }) => id);
  const familyId = lena.familyId ?? 0;
  expect((await readFamily(browser, familyId)).people).toEqual([
    {
      contactId: ruth,
      name: 'Ruth Hale',
      relationship: 'Mother',
      email: 'ruth@hale.example',
      phone: null,
      familyId,
      mainContactOf: ['Lena Hale'],
    },
    {
      contactId: ann,
      name: 'Ann Frost',
      relationship: null,
      email: null,
      phone: '+447700900002',
      familyId: null,
      mainContactOf: [],
    },
  ]);
});

test("another tutor's families are not listed and cannot be read", async () => {
  const { familyId } = await createFamilyFixture(app);
  const other = await createTutorWithStudentAndSubject(app);
  expect((await listFamilies(other.browser)).map(({ name }) => name)).toEqual(['Maya Okafor']);
  const response = await other.browser.call(families.family, {
    params: { id: familyId + 100 },
    query: {},
  });
  expect(response.status).toBe(404);
});
