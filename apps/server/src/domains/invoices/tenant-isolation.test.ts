import { businessSettings } from '@lessonbook/contract/business-settings';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/factories.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import { createPayment, createTaughtLesson } from '../../test/payment-fixture.ts';
import {
  callByName,
  disableRowSecurity,
  type EndpointCall,
  readAllRows,
  startIdsAfter,
} from '../../test/tenant-isolation.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, findTutorId } from '../../test/tutor.ts';

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

/** Seen anywhere in another tutor's answer, this is a leak. */
const CANARY = /canary|77\.77|\b7777\b/i;
const { dashboard: _elsewhere, ...money } = reports;
const endpoints: Record<string, Endpoint> = {
  ...payments,
  ...families,
  ...invoices,
  ...businessSettings,
  ...money,
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
  /** One issued, one draft. */
  issuedId: number;
  draftId: number;
  chargeId: number;
}

/** A tutor with an account, a payment, an opening balance, an issued invoice and a draft; ids are counted from `from` on. */
async function createTutorFixture(word: string, fee: number, from = 0): Promise<TutorFixture> {
  const { browser, input } = await createTutor(app);
  const tutorId = await findTutorId(app, input);
  await startIdsAfter(maintenance, tutorId, KINDS, from);
  const student = await newStudent(browser, {
    name: `${word} student`,
    carerName: `${word} carer`,
  });
  const subject = await newSubject(browser, { name: `${word} subject`, defaultFee: fee });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: `${word} tuition`,
      address: `${word} lane`,
      accountNumber: `${word}-1`,
      dueDays: 7,
      invoicePrefix: word.slice(0, 6),
      nextInvoiceNumber: 1,
    },
  });
  const sessionId = await createTaughtLesson(fixture, student.id, '2026-11-03', { fee });
  const { lessonId } = await addLesson(fixture, {
    date: '2026-11-18',
    title: `${word} lesson`,
    fee,
  });
  const body = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [first] = (await browser.call(invoices.draftInvoice, { body })).body;
  const issuedId = first?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [issuedId] } });
  const { lines } = (await browser.call(invoices.invoice, { params: { id: issuedId } })).body;
  await createTaughtLesson(fixture, student.id, '2026-11-04', { fee });
  const [second] = (await browser.call(invoices.draftInvoice, { body })).body;
  const { id: paymentId } = await createPayment(browser, familyId, Math.round(fee * 10), {
    note: word,
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
  };
}

const send = callByName(endpoints);
const allRows = (tutorId: string) => readAllRows(maintenance, tutorId);

const looks: EndpointCall[] = [
  ['firstSteps', {}],
  ['listPayments', { query: {} }],
  ['listFamilies', {}],
  ['balances', {}],
  ['listInvoices', { query: {} }],
  ['business', {}],
  ['earnings', { query: { period: 'all_time' } }],
  ['earningsCsv', { query: { period: 'all_time' } }],
  ['earningsPdf', { query: { period: 'all_time' } }],
];

/** Every call that names something: `named` is what it names, `mine` the rest of the caller's own. */
function callsNaming(named: TutorFixture, mine: TutorFixture): EndpointCall[] {
  const payment = { familyId: mine.familyId, amount: 100, currency: 'GBP', method: 'cash' };
  const date = '2026-11-16';
  const family = { params: { id: named.familyId } };
  const period = { from: '2026-11-01', to: '2026-11-30', includeComing: true };
  return [
    ['startPayment', { query: { lessonId: named.lessonId } }],
    ['startPayment', { query: { sessionId: named.sessionId } }],
    ['startPayment', { query: { studentId: named.studentId } }],
    ['startPayment', { query: { familyId: named.familyId } }],
    ['payment', { params: { id: named.paymentId } }],
    ['family', { ...family, query: {} }],
    ['studentBalance', { params: { id: named.studentId } }],
    ['invoice', { params: { id: named.issuedId } }],
    ['invoicePdf', { params: { id: named.issuedId } }],
    ['invoiceLineChoices', { params: { id: named.draftId } }],
    ['recordPayment', { body: { ...payment, familyId: named.familyId, date } }],
    ['recordPayment', { body: { ...payment, date, chargeIds: [named.chargeId] } }],
    ['refundPayment', { params: { id: named.paymentId }, body: { amount: 1, date } }],
    ['updateFamily', { ...family, body: { address: 'Elsewhere', reference: 'OTHER' } }],
    ['setOpeningBalance', { ...family, body: { amount: 500, currency: 'GBP', date } }],
    ['reverseCharge', { params: { id: named.familyId, chargeId: named.openingId } }],
    ['dismissClaim', family],
    ['draftInvoice', { body: { familyId: named.familyId, ...period } }],
    [
      'changeInvoice',
      { params: { id: named.draftId }, body: { lines: [{ description: 'x', amount: 5 }] } },
    ],
    ['issueInvoices', { body: { ids: [named.draftId] } }],
    [
      'creditInvoice',
      {
        params: { id: named.issuedId },
        body: { lines: [{ chargeId: named.chargeId, amount: 1 }] },
      },
    ],
    ['voidInvoice', { params: { id: named.issuedId }, body: {} }],
    ['deleteInvoice', { params: { id: named.draftId } }],
    ['reversePayment', { params: { id: named.paymentId } }],
  ];
}

const rest: EndpointCall[] = [
  ['invoiceEveryone', { body: { from: '2026-11-01', to: '2026-11-30', includeComing: true } }],
  ['saveBusiness', { body: { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 50 } }],
];

test('the lists below leave out no endpoint of payments, families, invoices and reports', () => {
  const book = { studentId: 1, draftId: 1 } as unknown as TutorFixture;
  const used = [...looks, ...callsNaming(book, book), ...rest].map(([name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe("another tutor's money", () => {
  test('[AUTH-45, V8.2.2, V8.4.1, T06] under ids that only the other tutor has, nothing is found and nothing changes', async () => {
    const theirs = await createTutorFixture('canary', 77.77, 1_000_000);
    const mine = await createTutorFixture('plain', 35);
    const [before, own] = [await allRows(theirs.tutorId), await allRows(mine.tutorId)];
    expect(JSON.stringify(before)).toMatch(CANARY);
    for (const attempt of callsNaming(theirs, mine)) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status]).toEqual([attempt[0], 404]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(await allRows(mine.tutorId)).toEqual(own);
    for (const attempt of [...looks, ...rest]) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status < 300]).toEqual([attempt[0], true]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(await allRows(theirs.tutorId)).toEqual(before);
  });

  test('[AUTH-45, V8.2.2, T06] a line of theirs on my draft is refused, as is one of theirs among mine to issue', async () => {
    const theirs = await createTutorFixture('canary', 77.77, 1_000_000);
    const mine = await createTutorFixture('plain', 35);
    const before = await allRows(mine.tutorId);
    const lines = [{ chargeId: theirs.chargeId }, { sessionId: theirs.sessionId }];
    for (const line of lines) {
      const body = { lines: [line] };
      const answer = await send(mine.browser, [
        'changeInvoice',
        { params: { id: mine.draftId }, body },
      ]);
      expect(answer.status).toBe(409);
    }
    const ids = [mine.draftId, theirs.draftId];
    expect((await send(mine.browser, ['issueInvoices', { body: { ids } }])).status).toBe(404);
    expect(await allRows(mine.tutorId)).toEqual(before);
  });

  test('[AUTH-45] with equal ids I read and change my own and never theirs', async () => {
    const theirs = await createTutorFixture('canary', 77.77);
    const mine = await createTutorFixture('plain', 35);
    expect([mine.familyId, mine.draftId, mine.chargeId, mine.paymentId]).toEqual([
      theirs.familyId,
      theirs.draftId,
      theirs.chargeId,
      theirs.paymentId,
    ]);
    const before = await allRows(theirs.tutorId);
    for (const attempt of [...looks, ...callsNaming(theirs, mine), ...rest, ...looks]) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status < 500]).toEqual([attempt[0], true]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(JSON.stringify(await allRows(mine.tutorId))).not.toMatch(CANARY);
    expect(await allRows(theirs.tutorId)).toEqual(before);
  });
});

describe('with the policies of the database taken away', () => {
  beforeAll(() => disableRowSecurity(app.urls.ownerUrl));

  test.each([0, 1_000_000])(
    "[AUTH-45] the server's own checks hold alone, with their ids from %d",
    async (from) => {
      const theirs = await createTutorFixture('canary', 77.77, from);
      const mine = await createTutorFixture('plain', 35);
      const before = await allRows(theirs.tutorId);
      for (const attempt of [...looks, ...callsNaming(theirs, mine), ...rest, ...looks]) {
        const answer = await send(mine.browser, attempt);
        expect(JSON.stringify([attempt[0], answer.body])).not.toMatch(CANARY);
        expect([attempt[0], answer.status]).not.toEqual([attempt[0], 500]);
      }
      expect(JSON.stringify(await allRows(mine.tutorId))).not.toMatch(CANARY);
      expect(await allRows(theirs.tutorId)).toEqual(before);
    },
  );
});
