import { businessDetails } from '@lessonbook/contract/business';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { reports } from '@lessonbook/contract/reports';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
import { type House, openHouse } from '../../test/house.ts';
import { paid, teach } from '../../test/money.ts';
import { addLesson, type Desk } from '../../test/teaching.ts';
import {
  type Attempt,
  attemptBy,
  countFrom,
  dropPolicies,
  everythingOf,
} from '../../test/tenants.ts';
import { signedIn } from '../../test/tutor.ts';
import { tutorIdOf } from '../../test/tutor-id.ts';

let house: House;
let maintenance: pg.Client;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(house.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await house.close();
});

/** Seen anywhere in another tutor's answer, this is a leak. */
const CANARY = /canary|77\.77|\b7777\b/i;
const { dashboard: _elsewhere, ...money } = reports;
const endpoints: Record<string, Endpoint> = {
  ...payments,
  ...families,
  ...invoices,
  ...businessDetails,
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

interface Book extends Desk {
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
async function openTutor(word: string, fee: number, from = 0): Promise<Book> {
  const { browser, input } = await signedIn(house);
  const tutorId = await tutorIdOf(house, input);
  await countFrom(maintenance, tutorId, KINDS, from);
  const student = await newStudent(browser, {
    name: `${word} student`,
    carerName: `${word} carer`,
  });
  const subject = await newSubject(browser, { name: `${word} subject`, defaultFee: fee });
  const desk: Desk = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await browser.call(businessDetails.saveBusiness, {
    body: {
      tradingName: `${word} tuition`,
      address: `${word} lane`,
      accountNumber: `${word}-1`,
      dueDays: 7,
      invoicePrefix: word.slice(0, 6),
      nextInvoiceNumber: 1,
    },
  });
  const sessionId = await teach(desk, student.id, '2026-11-03', { fee });
  const { lessonId } = await addLesson(desk, { date: '2026-11-18', title: `${word} lesson`, fee });
  const body = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [first] = (await browser.call(invoices.draftInvoice, { body })).body;
  const issuedId = first?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [issuedId] } });
  const { lines } = (await browser.call(invoices.invoice, { params: { id: issuedId } })).body;
  await teach(desk, student.id, '2026-11-04', { fee });
  const [second] = (await browser.call(invoices.draftInvoice, { body })).body;
  const { id: paymentId } = await paid(browser, familyId, Math.round(fee * 10), { note: word });
  await browser.call(families.setOpeningBalance, {
    params: { id: familyId },
    body: { amount: Math.round(fee * 100), currency: 'GBP', date: '2026-09-01' },
  });
  const account = await browser.call(families.family, { params: { id: familyId }, query: {} });
  const opening = account.body.entries.find((entry) => entry.kind === 'opening');
  return {
    ...desk,
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

const send = attemptBy(endpoints);
const everything = (tutorId: string) => everythingOf(maintenance, tutorId);

const looks: Attempt[] = [
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
function naming(named: Book, mine: Book): Attempt[] {
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

const rest: Attempt[] = [
  ['invoiceEveryone', { body: { from: '2026-11-01', to: '2026-11-30', includeComing: true } }],
  ['saveBusiness', { body: { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 50 } }],
];

test('the lists below leave out no endpoint of payments, families, invoices and reports', () => {
  const book = { studentId: 1, draftId: 1 } as unknown as Book;
  const used = [...looks, ...naming(book, book), ...rest].map(([name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe("another tutor's money", () => {
  test('[AUTH-45, V8.2.2, V8.4.1, T06] under ids that only the other tutor has, nothing is found and nothing changes', async () => {
    const theirs = await openTutor('canary', 77.77, 1_000_000);
    const mine = await openTutor('plain', 35);
    const [before, own] = [await everything(theirs.tutorId), await everything(mine.tutorId)];
    expect(JSON.stringify(before)).toMatch(CANARY);
    for (const attempt of naming(theirs, mine)) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status]).toEqual([attempt[0], 404]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(await everything(mine.tutorId)).toEqual(own);
    for (const attempt of [...looks, ...rest]) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status < 300]).toEqual([attempt[0], true]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(await everything(theirs.tutorId)).toEqual(before);
  });

  test('[AUTH-45, V8.2.2, T06] a line of theirs on my draft is refused, as is one of theirs among mine to issue', async () => {
    const theirs = await openTutor('canary', 77.77, 1_000_000);
    const mine = await openTutor('plain', 35);
    const before = await everything(mine.tutorId);
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
    expect(await everything(mine.tutorId)).toEqual(before);
  });

  test('[AUTH-45] with equal ids I read and change my own and never theirs', async () => {
    const theirs = await openTutor('canary', 77.77);
    const mine = await openTutor('plain', 35);
    expect([mine.familyId, mine.draftId, mine.chargeId, mine.paymentId]).toEqual([
      theirs.familyId,
      theirs.draftId,
      theirs.chargeId,
      theirs.paymentId,
    ]);
    const before = await everything(theirs.tutorId);
    for (const attempt of [...looks, ...naming(theirs, mine), ...rest, ...looks]) {
      const answer = await send(mine.browser, attempt);
      expect([attempt[0], answer.status < 500]).toEqual([attempt[0], true]);
      expect(JSON.stringify(answer.body)).not.toMatch(CANARY);
    }
    expect(JSON.stringify(await everything(mine.tutorId))).not.toMatch(CANARY);
    expect(await everything(theirs.tutorId)).toEqual(before);
  });
});

describe('with the policies of the database taken away', () => {
  beforeAll(() => dropPolicies(house.urls.ownerUrl));

  test.each([0, 1_000_000])(
    "[AUTH-45] the server's own checks hold alone, with their ids from %d",
    async (from) => {
      const theirs = await openTutor('canary', 77.77, from);
      const mine = await openTutor('plain', 35);
      const before = await everything(theirs.tutorId);
      for (const attempt of [...looks, ...naming(theirs, mine), ...rest, ...looks]) {
        const answer = await send(mine.browser, attempt);
        expect(JSON.stringify([attempt[0], answer.body])).not.toMatch(CANARY);
        expect([attempt[0], answer.status]).not.toEqual([attempt[0], 500]);
      }
      expect(JSON.stringify(await everything(mine.tutorId))).not.toMatch(CANARY);
      expect(await everything(theirs.tutorId)).toEqual(before);
    },
  );
});
