import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  fetchSessionsBetween,
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
afterAll(() => app.close());

const listOwingFamilies = async (browser: Browser) =>
  (await browser.call(students.listStudents)).body.map(({ name, balances }) => [
    name,
    ...balances.map(({ currency, owed, credit }) => `${currency} ${owed} ${credit}`),
  ]);
const previewDelete = (browser: Browser, id: number) =>
  browser.call(students.previewStudentDeletion, { params: { id } });

describe('balances of students', () => {
  test('F133 each sibling has their own balance by currency, and a payment reduces the oldest debt first', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const [lena = 0, noah = 0] = children;
    await createCompletedLesson(fixture, lena, '2026-11-03');
    await createCompletedLesson(fixture, noah, '2026-11-05', { fee: 20 });
    await createCompletedLesson(fixture, noah, '2026-11-06', { fee: 30, currency: 'EUR' });
    expect(await listOwingFamilies(fixture.browser)).toEqual([
      ['Maya Okafor'],
      ['Lena Hale', 'GBP 3500 0'],
      ['Noah Hale', 'EUR 3000 0', 'GBP 2000 0'],
      ['Ida Hale'],
    ]);
    await createPayment(fixture.browser, familyId, 4000);
    expect(await listOwingFamilies(fixture.browser)).toEqual([
      ['Maya Okafor'],
      ['Lena Hale'],
      ['Noah Hale', 'EUR 3000 0', 'GBP 1500 0'],
      ['Ida Hale'],
    ]);
  });

  test('F133 the balance of a student with two payers includes the shares of both', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { browser } = fixture;
    const lena = await createStudent(browser, { name: 'Lena Hale', carerName: 'Ruth Hale' });
    const { body } = await browser.call(studentContacts.addContact, {
      params: { id: lena.id },
      body: { name: 'Tom Hale' },
    });
    const [ruth = 0, tom = 0] = body.contacts.map(({ id }) => id);
    const payers = [
      { contactId: ruth, percent: 60 },
      { contactId: tom, percent: 40 },
    ];
    await browser.call(studentContacts.setPayers, {
      params: { id: lena.id },
      body: { from: EARLIEST_DATE, payers },
    });
    await createCompletedLesson(fixture, lena.id, '2026-11-03');
    expect(await listOwingFamilies(browser)).toEqual([
      ['Maya Okafor'],
      ['Lena Hale', 'GBP 3500 0'],
    ]);
  });
});

describe('the preview of deleting a student', () => {
  test('F144 contains the upcoming sessions and the amount owed, and changes nothing', async () => {
    const { fixture, children } = await createFamilyFixture(app);
    const [lena = 0, noah = 0] = children;
    await createCompletedLesson(fixture, lena, '2026-11-03');
    await createCompletedLesson(fixture, noah, '2026-11-04');
    await addLesson(fixture, { studentId: lena, date: '2026-11-10' });
    await addLesson(fixture, { ...weekly(), studentId: lena, recurringEndDate: '2026-12-08' });
    await addLesson(fixture, { studentId: noah, date: '2026-11-18' });
    await addLesson(fixture, {
      studentId: noah,
      students: [{ studentId: noah }, { studentId: lena }],
      date: '2026-11-20',
    });
    const before = await fetchSessionsAsText(fixture);
    const upcoming = await fetchSessionsBetween(fixture, '2026-11-17', '2026-12-31');
    const { body } = await previewDelete(fixture.browser, lena);
    expect(body).toEqual({
      sessions: upcoming.filter(({ students: seats }) =>
        seats.some(({ studentId }) => studentId === lena),
      ).length,
      balances: [{ currency: 'GBP', owed: 3500, credit: 0 }],
    });
    expect(body.sessions).toBeGreaterThan(3);
    expect(await fetchSessionsAsText(fixture)).toEqual(before);
    expect(await previewDelete(fixture.browser, children[2] ?? 0)).toMatchObject({
      body: { sessions: 0, balances: [] },
    });
  });

  test('F144 sessions that were invoiced in advance are not owed after the deletion', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { browser, studentId } = fixture;
    await createCompletedLesson(fixture, studentId, '2026-11-03');
    await addLesson(fixture, { date: '2026-11-20' });
    const [student] = (await browser.call(students.listStudents)).body;
    const { body: drafts } = await browser.call(invoices.draftInvoice, {
      body: {
        familyId: student?.familyId ?? 0,
        from: '2026-11-01',
        to: '2026-11-30',
        includeUpcoming: true,
      },
    });
    const issued = await browser.call(invoices.issueInvoices, {
      body: { ids: drafts.map(({ id }) => id) },
    });
    expect(issued.status).toBe(200);
    expect(await listOwingFamilies(browser)).toEqual([['Maya Okafor', 'GBP 7000 0']]);
    const { body } = await previewDelete(browser, studentId);
    expect(body).toEqual({ sessions: 1, balances: [{ currency: 'GBP', owed: 3500, credit: 0 }] });
    await browser.call(students.deleteStudent, { params: { id: studentId } });
    expect((await previewDelete(browser, studentId)).status).toBe(404);
  });
});
