import { businessSettings } from '@lessonbook/contract/business-settings';
import { dashboard } from '@lessonbook/contract/dashboard';
import { invoiceDrafts } from '@lessonbook/contract/delete-and-restore-invoice-drafts';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { families } from '@lessonbook/contract/families';
import { batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import {
  callByName,
  disableRowSecurity,
  type EndpointCall,
  readAllRowsOfTutor,
  startIdsAfter,
} from '../../test/tenant-isolation-test-support.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(app.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await app.close();
});

/** If a response to another tutor matches this pattern, data has leaked. */
const CANARY = /canary|77\.77|\b7777\b/i;
const endpoints: Record<string, Endpoint> = {
  ...payments,
  ...families,
  ...invoices,
  ...invoiceDrafts,
  ...batches,
  ...businessSettings,
  ...reports,
  onboardingProgress: dashboard.onboardingProgress,
  navigationCounts: dashboard.navigationCounts,
};
const KINDS = [
  'student',
  'carer',
  'subject',
  'lesson',
  'session',
  'family',
  'charge',
  'payment',
  'invoice',
];

interface TutorFixture extends LessonFixture {
  tutorId: string;
  familyId: number;
  lessonId: number;
  sessionId: number;
  paymentId: number;
  openingId: number;
  /** Ids of an issued invoice and a draft. */
  issuedId: number;
  draftId: number;
  chargeId: number;
  batchId: number;
}

/** A tutor with a family, a payment, an opening balance, an issued invoice and a draft. Ids start after `from`. */
async function createTutorFixture(label: string, fee: number, from = 0): Promise<TutorFixture> {
  const { browser, input } = await createTutor(app);
  const tutorId = await findTutorId(app, input);
  await startIdsAfter(maintenance, tutorId, KINDS, from);
  const student = await createStudent(browser, {
    name: `${label} student`,
    carerName: `${label} carer`,
  });
  const subject = await createSubject(browser, { name: `${label} subject`, defaultFee: fee });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: `${label} tuition`,
      address: `${label} lane`,
      accountName: `${label}-1`,
      accountNumber: '12345678',
      dueDays: 7,
      invoicePrefix: label.slice(0, 6),
      nextInvoiceNumber: 1,
    },
  });
  const sessionId = await createCompletedLesson(fixture, student.id, '2026-11-03', { fee });
  const { lessonId } = await addLesson(fixture, {
    date: '2026-11-18',
    title: `${label} lesson`,
    fee,
  });
  const body = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [first] = (await browser.call(invoices.draftInvoice, { body })).body;
  const issuedId = first?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [issuedId] } });
  const { lines } = (await browser.call(invoices.invoice, { params: { id: issuedId } })).body;
  await createCompletedLesson(fixture, student.id, '2026-11-04', { fee });
  const [second] = (await browser.call(invoices.draftInvoice, { body })).body;
  const { id: paymentId } = await createPayment(browser, familyId, Math.round(fee * 10), {
    note: label,
  });
  await browser.call(families.setOpeningBalance, {
    params: { id: familyId },
    body: { amount: Math.round(fee * 100), currency: 'GBP', date: '2026-09-01' },
  });
  const account = await browser.call(families.family, { params: { id: familyId }, query: {} });
  const opening = account.body.entries.find((entry) => entry.kind === 'opening');
  return {
    ...fixture,
    tutorId,
    familyId,
    lessonId,
    sessionId,
    paymentId,
    openingId: opening?.chargeId ?? 0,
    issuedId,
    draftId: second?.id ?? 0,
    chargeId: lines[0]?.chargeId ?? 0,
    // Outside the id sequence, so that it does not clash with new batches.
    batchId: await insertBatch(tutorId, label, from + 900),
  };
}

/** A batch that is finished, so that no job changes the rows during a test. */
async function insertBatch(tutorId: string, label: string, id: number): Promise<number> {
  await maintenance.query(
    `insert into batches (tutor_id, id, kind, created_at, finished_at)
     values ($1, $2, 'send_reminders', '2026-11-16T12:00:00Z', '2026-11-16T12:00:00Z')`,
    [tutorId, id],
  );
  await maintenance.query(
    `insert into batch_items (tutor_id, batch_id, position, family_id, state, failure_reason)
     select $1, $2, 1, min(id), 'skipped', $3 from families where tutor_id = $1`,
    [tutorId, id, `${label} carer has paid`],
  );
  return id;
}

const send = callByName(endpoints);
const readRows = (tutorId: string) => readAllRowsOfTutor(maintenance, tutorId);

const reads: EndpointCall[] = [
  ['onboardingProgress', {}],
  ['navigationCounts', {}],
  ['listPayments', { query: {} }],
  ['listPayments', { query: { studentId: 1, subjectId: 1 } }],
  ['listFamilies', {}],
  ['balances', {}],
  ['listInvoices', { query: {} }],
  ['listInvoices', { query: { search: 'canary', sort: 'amount' } }],
  ['listInvoices', { query: { search: '77.77', sort: 'family' } }],
  ['invoiceSummary', { query: {} }],
  ['invoicesCsv', { query: {} }],
  ['listBatches', {}],
  ['invoicesCsv', { query: { ids: '1-2-1000001-1000002' } }],
  ['businessSettings', {}],
  ['earnings', { query: { period: 'all_time' } }],
  ['earningsCsv', { query: { period: 'all_time' } }],
  ['earningsPdf', { query: { period: 'all_time' } }],
  ['lessonReport', { query: { period: 'all_time' } }],
  ['sessionsInReport', { query: { period: 'all_time' } }],
  ['lessonsCsv', { query: { period: 'all_time' } }],
];

/** Calls that use the ids in `target`; all other ids come from `mine`, the caller's own data. */
function callsWithIds(target: TutorFixture, mine: TutorFixture): EndpointCall[] {
  const payment = { familyId: mine.familyId, amount: 100, currency: 'GBP', method: 'cash' };
  const date = '2026-11-16';
  const family = { params: { id: target.familyId } };
  const period = { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true };
  return [
    ['paymentFormData', { query: { lessonId: target.lessonId } }],
    ['paymentFormData', { query: { sessionId: target.sessionId } }],
    ['paymentFormData', { query: { studentId: target.studentId } }],
    ['paymentFormData', { query: { familyId: target.familyId } }],
    ['paymentFormData', { query: { invoiceId: target.issuedId } }],
    ['payment', { params: { id: target.paymentId } }],
    ['earnings', { query: { studentId: target.studentId } }],
    ['lessonReport', { query: { studentId: target.studentId } }],
    ['sessionsInReport', { query: { studentId: target.studentId } }],
    ['lessonsCsv', { query: { studentId: target.studentId } }],
    ['family', { ...family, query: {} }],
    ['studentBalance', { params: { id: target.studentId } }],
    ['invoice', { params: { id: target.issuedId } }],
    ['invoicePdf', { params: { id: target.issuedId } }],
    ['availableInvoiceLines', { params: { id: target.draftId } }],
    ['recordPayment', { body: { ...payment, familyId: target.familyId, date } }],
    ['recordPayment', { body: { ...payment, date, chargeIds: [target.chargeId] } }],
    ['refundPayment', { params: { id: target.paymentId }, body: { amount: 1, date } }],
    ['updateFamily', { ...family, body: { address: 'Elsewhere', reference: 'OTHER' } }],
    ['setOpeningBalance', { ...family, body: { amount: 500, currency: 'GBP', date } }],
    ['reverseCharge', { params: { id: target.familyId, chargeId: target.openingId } }],
    ['dismissClaim', family],
    ['replacePayLink', family],
    ['replaceInvoiceLink', { params: { id: target.issuedId } }],
    ['draftInvoice', { body: { familyId: target.familyId, ...period } }],
    [
      'updateInvoiceDraft',
      { params: { id: target.draftId }, body: { lines: [{ description: 'x', amount: 5 }] } },
    ],
    ['issueInvoices', { body: { ids: [target.draftId] } }],
    [
      'creditInvoice',
      {
        params: { id: target.issuedId },
        body: { lines: [{ chargeId: target.chargeId, amount: 1 }] },
      },
    ],
    ['voidInvoice', { params: { id: target.issuedId }, body: {} }],
    ['deleteInvoice', { params: { id: target.draftId } }],
    ['deleteInvoiceDrafts', { body: { ids: [target.draftId] } }],
    [
      'restoreInvoiceDrafts',
      {
        body: {
          drafts: [
            {
              familyId: target.familyId,
              currency: 'GBP',
              periodFrom: null,
              periodTo: null,
              dueOn: null,
              note: null,
              lines: [{ description: 'x', amount: 5 }],
            },
          ],
        },
      },
    ],
    ['startBatch', { body: { kind: 'issue_invoices', ids: [target.draftId] } }],
    ['startBatch', { body: { kind: 'send_reminders', ids: [target.familyId] } }],
    ['previewInvoiceBatch', { body: { ids: [target.draftId] } }],
    ['batch', { params: { id: target.batchId } }],
    ['stopBatch', { params: { id: target.batchId } }],
    ['retryBatch', { params: { id: target.batchId } }],
    ['reversePayment', { params: { id: target.paymentId } }],
    ['settleReturnedPayment', { params: { id: target.paymentId }, body: { stillOwed: false } }],
  ];
}

const otherWrites: EndpointCall[] = [
  ['draftAllInvoices', { body: { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true } }],
  ['saveBusinessSettings', { body: { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 50 } }],
];

test('every payment, family, invoice and report endpoint is covered', () => {
  const target = { studentId: 1, draftId: 1 } as unknown as TutorFixture;
  const used = [...reads, ...callsWithIds(target, target), ...otherWrites].map(([name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe("another tutor's payments and invoices", () => {
  test('[AUTH-45, V8.2.2, V8.4.1, T06] ids that exist only for the other tutor return 404 and change nothing', async () => {
    const theirs = await createTutorFixture('canary', 77.77, 1_000_000);
    const mine = await createTutorFixture('plain', 35);
    const [before, ownBefore] = [await readRows(theirs.tutorId), await readRows(mine.tutorId)];
    expect(JSON.stringify(before)).toMatch(CANARY);
    for (const call of callsWithIds(theirs, mine)) {
      const response = await send(mine.browser, call);
      expect([call[0], response.status]).toEqual([call[0], 404]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    expect(await readRows(mine.tutorId)).toEqual(ownBefore);
    for (const call of [...reads, ...otherWrites]) {
      const response = await send(mine.browser, call);
      expect([call[0], response.status < 300]).toEqual([call[0], true]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    expect(await readRows(theirs.tutorId)).toEqual(before);
  });

  test("[AUTH-45, V8.2.2, T06] another tutor's charges, sessions and drafts cannot be invoiced or issued", async () => {
    const theirs = await createTutorFixture('canary', 77.77, 1_000_000);
    const mine = await createTutorFixture('plain', 35);
    const before = await readRows(mine.tutorId);
    const lines = [{ chargeId: theirs.chargeId }, { sessionId: theirs.sessionId }];
    for (const line of lines) {
      const body = { lines: [line] };
      const response = await send(mine.browser, [
        'updateInvoiceDraft',
        { params: { id: mine.draftId }, body },
      ]);
      expect(response.status).toBe(409);
    }
    const ids = [mine.draftId, theirs.draftId];
    expect((await send(mine.browser, ['issueInvoices', { body: { ids } }])).status).toBe(404);
    expect(await readRows(mine.tutorId)).toEqual(before);
  });

  test('[AUTH-45] with identical ids, a tutor reads and changes only their own data', async () => {
    const theirs = await createTutorFixture('canary', 77.77);
    const mine = await createTutorFixture('plain', 35);
    expect([mine.familyId, mine.draftId, mine.chargeId, mine.paymentId]).toEqual([
      theirs.familyId,
      theirs.draftId,
      theirs.chargeId,
      theirs.paymentId,
    ]);
    const before = await readRows(theirs.tutorId);
    for (const call of [...reads, ...callsWithIds(theirs, mine), ...otherWrites, ...reads]) {
      const response = await send(mine.browser, call);
      expect([call[0], response.status < 500]).toEqual([call[0], true]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    expect(JSON.stringify(await readRows(mine.tutorId))).not.toMatch(CANARY);
    expect(await readRows(theirs.tutorId)).toEqual(before);
  });
});

describe('with row-level security disabled', () => {
  beforeAll(() => disableRowSecurity(app.urls.ownerUrl));

  test.each([0, 1_000_000])(
    "[AUTH-45] the server's own checks prevent access if the other tutor's ids start after %d",
    async (from) => {
      const theirs = await createTutorFixture('canary', 77.77, from);
      const mine = await createTutorFixture('plain', 35);
      // Otherwise, the daily job could change the rows between the two reads.
      await app.admin.query('delete from tenant_schedule');
      const before = await readRows(theirs.tutorId);
      for (const call of [...reads, ...callsWithIds(theirs, mine), ...otherWrites, ...reads]) {
        const response = await send(mine.browser, call);
        expect(JSON.stringify([call[0], response.body])).not.toMatch(CANARY);
        expect([call[0], response.status]).not.toEqual([call[0], 500]);
      }
      expect(JSON.stringify(await readRows(mine.tutorId))).not.toMatch(CANARY);
      expect(await readRows(theirs.tutorId)).toEqual(before);
    },
  );
});
