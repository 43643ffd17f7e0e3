import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { dataExport } from '@lessonbook/contract/data-export';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { payments } from '@lessonbook/contract/payments';
import { publicBills } from '@lessonbook/contract/public-bill';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../test/browser-client.ts';
import { createExport } from '../test/create-and-download-export.ts';
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../test/create-tutor.ts';
import { addLesson, type LessonFixture } from '../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../test/payment-fixture.ts';
import { readAllRowsOfTutor, startIdsAfter } from '../test/tenant-isolation-test-support.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { waitUntilQueueIdle } from '../test/wait-for-queue-and-control-retries.ts';

let app: TestApp;
let maintenance: pg.Client;
let theirs: TutorFixture;
let mine: TutorFixture;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(app.urls.maintenanceUrl);
  await maintenance.connect();
  theirs = await createTutorFixture('theirs', 1_000_000);
  mine = await createTutorFixture('mine', 0);
  // Background jobs must have finished, or their changes would make the comparison fail.
  await waitUntilQueueIdle(app.admin);
});
afterAll(async () => {
  await maintenance.end();
  await app.close();
});

const KINDS =
  'student carer subject lesson session family charge payment invoice message export notification';

interface TutorFixture extends LessonFixture {
  tutorId: string;
  familyId: number;
  payToken: string;
  upcomingSessionId: number;
  draftId: number;
  issuedInvoiceId: number;
  paymentId: number;
  exportId: number;
}

async function createTutorFixture(label: string, firstId: number): Promise<TutorFixture> {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app, { name: `${label} tutor` });
  const tutorId = await findTutorId(app, input);
  await startIdsAfter(maintenance, tutorId, KINDS.split(' '), firstId);
  const student = await createStudent(browser, {
    name: `${label} student`,
    carerName: `${label} carer`,
    carerEmail: `${label}@families.example`,
  });
  const subject = await createSubject(browser, { name: `${label} subject`, defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await createCompletedLesson(fixture, student.id, '2026-11-03');
  const period = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [first] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  await browser.call(invoices.issueInvoices, { body: { ids: [first?.id ?? 0] } });
  await createCompletedLesson(fixture, student.id, '2026-11-04');
  const [second] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  const { sessionId } = await addLesson(fixture, {
    title: `${label} lesson`,
    date: '2026-11-16',
    startTime: '09:00',
    endTime: '10:00',
  });
  const { id: payment } = await createPayment(browser, familyId, 500);
  const { id: file } = await createExport(browser);
  const { payToken } = (
    await browser.call(families.family, { params: { id: familyId }, query: {} })
  ).body;
  return {
    ...fixture,
    tutorId,
    familyId,
    payToken,
    upcomingSessionId: sessionId,
    draftId: second?.id ?? 0,
    issuedInvoiceId: first?.id ?? 0,
    paymentId: payment,
    exportId: file,
  };
}

/** Less obvious endpoints, where it is easy to check the login but forget to check the owner. */
const calls: Record<
  string,
  (my: TutorFixture, their: TutorFixture) => Promise<ApiResponse<unknown>>
> = {
  'completing several sessions, one of them theirs': ({ browser, upcomingSessionId }, their) =>
    browser.call(sessions.completeSessions, {
      body: { sessions: [{ id: upcomingSessionId }, { id: their.upcomingSessionId }] },
    }),
  'issuing several drafts, one of them theirs': ({ browser, draftId }, their) =>
    browser.call(invoices.issueInvoices, { body: { ids: [draftId, their.draftId] } }),
  'the PDF of their invoice': ({ browser }, { issuedInvoiceId }) =>
    browser.call(invoices.invoicePdf, { params: { id: issuedInvoiceId } }),
  'a credit note for their invoice': ({ browser }, { issuedInvoiceId }) =>
    browser.call(invoices.creditInvoice, {
      params: { id: issuedInvoiceId },
      body: { lines: [{ chargeId: 1, amount: 1 }] },
    }),
  'the lines available for their draft': ({ browser }, { draftId }) =>
    browser.call(invoices.availableInvoiceLines, { params: { id: draftId } }),
  'their invoice by email': ({ browser }, { issuedInvoiceId }) =>
    browser.call(messages.sendInvoice, {
      params: { id: issuedInvoiceId },
      body: { channel: 'email' } as never,
    }),
  'a receipt for their payment': ({ browser }, { paymentId }) =>
    browser.call(messages.sendReceipt, {
      params: { id: paymentId },
      body: { channel: 'email' } as never,
    }),
  'a change notice for several lessons, one of them theirs': (
    { browser, upcomingSessionId },
    their,
  ) =>
    browser.call(messages.sendChangeNotice, {
      body: {
        sessionIds: [upcomingSessionId, their.upcomingSessionId],
        channel: 'email',
      } as never,
    }),
  'the payment form for their family': ({ browser }, { familyId }) =>
    browser.call(payments.paymentFormData, { query: { familyId: String(familyId) } }),
  'the download of their export': ({ browser }, their) =>
    browser.call(dataExport.downloadExport, { params: { id: their.exportId } }),
  'erasing their student': ({ browser }, { studentId }) =>
    browser.call(privacy.erasePerson, {
      body: { kind: 'student', id: studentId, name: 'theirs student' },
    }),
};

describe("[T07] a login does not give access to another tutor's data", () => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const [before, own] = [
      await readAllRowsOfTutor(maintenance, theirs.tutorId),
      await readAllRowsOfTutor(maintenance, mine.tutorId),
    ];
    const response = await call(mine, theirs);
    expect(response.status, JSON.stringify(response.body)).toBe(404);
    expect(JSON.stringify(response.body)).not.toContain('theirs');
    expect(await readAllRowsOfTutor(maintenance, theirs.tutorId)).toEqual(before);
    // The tutor's own items in the same call are unchanged too.
    expect(await readAllRowsOfTutor(maintenance, mine.tutorId)).toEqual(own);
  });

  test("a payment link shows only that family's bill, even to another tutor", async () => {
    const bill = await mine.browser.call(publicBills.publicBill, {
      params: { token: theirs.payToken },
    });
    expect(JSON.stringify(bill.body)).toContain('theirs');
    expect(JSON.stringify(bill.body)).not.toContain('mine');
    const pdf = await mine.browser.call(publicBills.publicInvoicePdf, {
      params: { token: mine.payToken },
    });
    expect(pdf.status).toBe(404);
  });
});
