import { bills } from '@lessonbook/contract/bills';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { ownData } from '@lessonbook/contract/own-data';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../test/book.ts';
import type { Answer } from '../test/browser.ts';
import { madeExport } from '../test/export.ts';
import { type House, openHouse } from '../test/house.ts';
import { paid, teach } from '../test/money.ts';
import { queueIdle } from '../test/queue-idle.ts';
import { addLesson, type Desk } from '../test/teaching.ts';
import { countFrom, everythingOf } from '../test/tenants.ts';
import { confirmed } from '../test/tutor.ts';
import { tutorIdOf } from '../test/tutor-id.ts';

let house: House;
let maintenance: pg.Client;
let theirs: Book;
let mine: Book;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(house.urls.maintenanceUrl);
  await maintenance.connect();
  theirs = await openTutor('theirs', 1_000_000);
  mine = await openTutor('mine', 0);
  // The worker must be done with both, or it would look like a change.
  await queueIdle(house.admin);
});
afterAll(async () => {
  await maintenance.end();
  await house.close();
});

const KINDS =
  'student carer subject lesson session family charge payment invoice message export notification';

interface Book extends Desk {
  tutorId: string;
  familyId: number;
  payToken: string;
  coming: number;
  draft: number;
  issued: number;
  payment: number;
  export: number;
}

async function openTutor(word: string, from: number): Promise<Book> {
  const { browser, input } = await confirmed(house, { name: `${word} tutor` });
  const tutorId = await tutorIdOf(house, input);
  await countFrom(maintenance, tutorId, KINDS.split(' '), from);
  const student = await newStudent(browser, {
    name: `${word} student`,
    carerName: `${word} carer`,
    carerEmail: `${word}@families.example`,
  });
  const subject = await newSubject(browser, { name: `${word} subject`, defaultFee: 35 });
  const desk: Desk = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await teach(desk, student.id, '2026-11-03');
  const period = { familyId, from: '2026-11-01', to: '2026-11-10' };
  const [first] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  await browser.call(invoices.issueInvoices, { body: { ids: [first?.id ?? 0] } });
  await teach(desk, student.id, '2026-11-04');
  const [second] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  const { sessionId } = await addLesson(desk, {
    title: `${word} lesson`,
    date: '2026-11-16',
    startTime: '09:00',
    endTime: '10:00',
  });
  const { id: payment } = await paid(browser, familyId, 500);
  const { id: file } = await madeExport(browser);
  const { payToken } = (
    await browser.call(families.family, { params: { id: familyId }, query: {} })
  ).body;
  return {
    ...desk,
    tutorId,
    familyId,
    payToken,
    coming: sessionId,
    draft: second?.id ?? 0,
    issued: first?.id ?? 0,
    payment,
    export: file,
  };
}

/** Calls beside the plain ones, in which only who is logged in is easily asked and not whose it is. */
const ways: Record<string, (my: Book, their: Book) => Promise<Answer<unknown>>> = {
  'ticking off many, one of them theirs': ({ browser, coming }, their) =>
    browser.call(sessions.completeSessions, {
      body: { sessions: [{ id: coming }, { id: their.coming }] },
    }),
  'issuing many drafts, one of them theirs': ({ browser, draft }, their) =>
    browser.call(invoices.issueInvoices, { body: { ids: [draft, their.draft] } }),
  'their invoice on paper': ({ browser }, { issued }) =>
    browser.call(invoices.invoicePdf, { params: { id: issued } }),
  'a credit note to their invoice': ({ browser }, { issued }) =>
    browser.call(invoices.creditInvoice, {
      params: { id: issued },
      body: { lines: [{ chargeId: 1, amount: 1 }] },
    }),
  'their draft drawn up for my family': ({ browser }, { draft }) =>
    browser.call(invoices.invoiceLineChoices, { params: { id: draft } }),
  'their invoice by mail': ({ browser }, { issued }) =>
    browser.call(messages.sendInvoice, {
      params: { id: issued },
      body: { channel: 'email' } as never,
    }),
  'a receipt of their payment': ({ browser }, { payment }) =>
    browser.call(messages.sendReceipt, {
      params: { id: payment },
      body: { channel: 'email' } as never,
    }),
  'telling of many lessons, one of them theirs': ({ browser, coming }, their) =>
    browser.call(messages.tell, {
      body: { kind: 'cancelled', sessionIds: [coming, their.coming], channel: 'email' } as never,
    }),
  'a payment spread over their family': ({ browser }, { familyId }) =>
    browser.call(payments.startPayment, { query: { familyId: String(familyId) } }),
  'the file of their whole book': ({ browser }, their) =>
    browser.call(ownData.downloadExport, { params: { id: their.export } }),
  'erasing their student': ({ browser }, { studentId }) =>
    browser.call(ownData.erasePerson, {
      body: { kind: 'student', id: studentId, name: 'theirs student' },
    }),
};

describe('[T07] who is logged in is not yet whose it is', () => {
  test.each(Object.entries(ways))('%s', async (_, call) => {
    const [before, own] = [
      await everythingOf(maintenance, theirs.tutorId),
      await everythingOf(maintenance, mine.tutorId),
    ];
    const answer = await call(mine, theirs);
    expect(answer.status, JSON.stringify(answer.body)).toBe(404);
    expect(JSON.stringify(answer.body)).not.toContain('theirs');
    expect(await everythingOf(maintenance, theirs.tutorId)).toEqual(before);
    // What was mine in the same call has not happened either.
    expect(await everythingOf(maintenance, mine.tutorId)).toEqual(own);
  });

  test('a link to pay opens one family’s bill, whoever is logged in', async () => {
    const bill = await mine.browser.call(bills.publicBill, { params: { token: theirs.payToken } });
    expect(JSON.stringify(bill.body)).toContain('theirs');
    expect(JSON.stringify(bill.body)).not.toContain('mine');
    const paper = await mine.browser.call(bills.publicInvoicePdf, {
      params: { token: mine.payToken },
    });
    expect(paper.status).toBe(404);
  });
});
