import { businessSettings } from '@lessonbook/contract/business-settings';
import type { InvoiceDraftUpdate } from '@lessonbook/contract/invoice-inputs';
import { type InvoiceRow, invoices } from '@lessonbook/contract/invoices';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  fetchSessionsBetween,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
import {
  assertInvariants,
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
  formatBalances,
  readFamily,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => assertInvariants(app));

const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };

const createDraft = async (
  fixture: LessonFixture,
  familyId: number,
  includeUpcoming = false,
): Promise<InvoiceRow> => {
  const response = await fixture.browser.call(invoices.draftInvoice, {
    body: { familyId, ...NOVEMBER, includeUpcoming },
  });
  return response.body[0] as InvoiceRow;
};
const issue = (fixture: LessonFixture, ...ids: number[]) =>
  fixture.browser.call(invoices.issueInvoices, { body: { ids } });
const readInvoice = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(invoices.invoice, { params: { id } })).body;
const updateDraft = (fixture: LessonFixture, id: number, body: InvoiceDraftUpdate) =>
  fixture.browser.call(invoices.updateInvoiceDraft, { params: { id }, body });
const voidInvoice = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(invoices.voidInvoice, { params: { id }, body: { reason: 'Wrong payer' } });
const credit = (
  fixture: LessonFixture,
  id: number,
  lines: { chargeId: number; amount: number }[],
) =>
  fixture.browser.call(invoices.creditInvoice, {
    params: { id },
    body: { lines, reason: 'Mistake' },
  });
const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const reopen = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.reopenSession, { params: { id }, body: {} });

/** A completed lesson for each of three siblings, and a draft invoice for their carer. */
async function createThreeCompletedLessons() {
  const family = await createFamilyFixture(app);
  const sessionIds: number[] = [];
  for (const [index, child] of family.children.entries())
    sessionIds.push(await createCompletedLesson(family.fixture, child, `2026-11-0${3 + index}`));
  const { id } = await createDraft(family.fixture, family.familyId);
  return { ...family, sessionIds, id };
}

describe('a draft', () => {
  test('bills a carer for several children, shows only their first names and has no number', async () => {
    const { fixture, id, familyId } = await createThreeCompletedLessons();
    expect(await readInvoice(fixture, id)).toMatchObject({
      number: null,
      state: 'draft',
      familyId,
      familyName: 'Ruth Hale',
      students: ['Ida', 'Lena', 'Noah'],
      total: 10_500,
      due: 10_500,
      dueOn: '2026-11-23',
      token: null,
      parties: { to: { name: 'Ruth Hale', address: null }, bank: null },
    });
    const { lines } = await readInvoice(fixture, id);
    expect(lines.map((line) => [line.studentName, line.date, line.description])).toEqual([
      ['Ida', '2026-11-05', 'Maths lesson'],
      ['Lena', '2026-11-03', 'Maths lesson'],
      ['Noah', '2026-11-04', 'Maths lesson'],
    ]);
  });

  test('F110 shows the amount still due if part of it has been paid, as the issued invoice does', async () => {
    const { fixture, id, familyId } = await createThreeCompletedLessons();
    await createPayment(fixture.browser, familyId, 2000);
    expect(await readInvoice(fixture, id)).toMatchObject({ total: 10_500, due: 8500 });
    await issue(fixture, id);
    expect(await readInvoice(fixture, id)).toMatchObject({ total: 10_500, due: 8500 });
  });

  test('can be edited and deleted', async () => {
    const { fixture, id } = await createThreeCompletedLessons();
    const { lines } = await readInvoice(fixture, id);
    const remainingLines = lines.slice(0, 1).map((line) => ({ chargeId: line.chargeId }));
    const item = { description: 'Workbook', amount: 1299 };
    const response = await updateDraft(fixture, id, {
      lines: [...remainingLines, item],
      dueOn: '2026-12-01',
    });
    expect(response.body).toMatchObject({ total: 3500 + 1299, dueOn: '2026-12-01', lineCount: 2 });
    const availableLines = await fixture.browser.call(invoices.availableInvoiceLines, {
      params: { id },
    });
    expect(availableLines.body.map((line) => line.studentName)).toEqual(['Lena', 'Noah']);
    expect((await fixture.browser.call(invoices.deleteInvoice, { params: { id } })).status).toBe(
      200,
    );
    expect((await fixture.browser.call(invoices.invoice, { params: { id } })).status).toBe(404);
  });

  test.each([
    [{ description: 'Workbook' }, 'Please enter an amount'],
    [{ amount: 100 }, 'Please enter a description'],
    [{ description: 'x', amount: -1 }, 'The amount must be greater than 0'],
  ])('rejects the line %j: %s', async (line, message) => {
    const { fixture, id } = await createThreeCompletedLessons();
    const response = await updateDraft(fixture, id, { lines: [line] });
    expect([response.status, response.error.message]).toEqual([400, message]);
  });

  test("[V2.2.2, T09] ignores amounts given for lessons, and rejects duplicates and another payer's charges", async () => {
    const { fixture, id } = await createThreeCompletedLessons();
    const { lines } = await readInvoice(fixture, id);
    const tamperedLines = lines.map((line) => ({ chargeId: line.chargeId, amount: 1 }));
    expect((await updateDraft(fixture, id, { lines: tamperedLines })).body.total).toBe(10_500);
    const other = await createStudent(fixture.browser, { name: 'Theo' });
    await createCompletedLesson(fixture, other.id, '2026-11-07');
    const theirs = await createDraft(fixture, other.familyId ?? 0);
    const [line] = (await readInvoice(fixture, theirs.id)).lines;
    const otherPayer = await updateDraft(fixture, id, {
      lines: [{ chargeId: line?.chargeId ?? 0 }],
    });
    expect(otherPayer.status).toBe(409);
    const twice = [lines[0], lines[0]].map((duplicate) => ({ chargeId: duplicate?.chargeId ?? 0 }));
    expect((await updateDraft(fixture, id, { lines: twice })).status).toBe(409);
  });

  test('is created separately for each currency', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-04', {
      currency: 'EUR',
      fee: 40,
    });
    const response = await fixture.browser.call(invoices.draftInvoice, {
      body: { familyId, ...NOVEMBER },
    });
    expect(response.body.map((row) => [row.currency, row.total])).toEqual([
      ['EUR', 4000],
      ['GBP', 3500],
    ]);
  });
});

describe('issuing', () => {
  test('assigns the next number, stores the party details and derives the amount due', async () => {
    const { fixture, id, familyId } = await createThreeCompletedLessons();
    await fixture.browser.call(businessSettings.saveBusinessSettings, {
      body: {
        tradingName: 'Hill Tuition',
        accountNumber: '12345678',
        sortCode: '01-02-03',
        dueDays: 14,
        invoicePrefix: 'HT-',
        nextInvoiceNumber: 41,
      },
    });
    const [row] = (await issue(fixture, id)).body;
    expect(row).toMatchObject({
      number: 'HT-0041',
      state: 'sent',
      issuedOn: '2026-11-16',
      dueOn: '2026-11-30',
      due: 10_500,
    });
    await fixture.browser.call(businessSettings.saveBusinessSettings, {
      body: { tradingName: 'Other', dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 42 },
    });
    const issued = await readInvoice(fixture, id);
    expect(issued.parties.from.name).toBe('Hill Tuition');
    expect(issued.parties.bank?.accountNumber).toBe('12345678');
    await createPayment(fixture.browser, familyId, 10_000);
    expect(await readInvoice(fixture, id)).toMatchObject({
      state: 'part_paid',
      paid: 10_000,
      due: 500,
    });
    app.clock.advance({ days: 15 });
    expect((await readInvoice(fixture, id)).state).toBe('overdue');
    await createPayment(fixture.browser, familyId, 500);
    expect(await readInvoice(fixture, id)).toMatchObject({ state: 'paid', due: 0 });
    await app.restartClock();
  });

  test('[V2.3.1] an issued invoice cannot be changed, deleted or issued again; deleted drafts do not use up a number', async () => {
    const { fixture, id, familyId, children } = await createThreeCompletedLessons();
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-09');
    const deleted = await createDraft(fixture, familyId);
    await fixture.browser.call(invoices.deleteInvoice, { params: { id: deleted.id } });
    expect((await issue(fixture, id)).body[0]?.number).toBe('0001');
    expect((await updateDraft(fixture, id, { lines: [] })).status).toBe(409);
    expect((await fixture.browser.call(invoices.deleteInvoice, { params: { id } })).status).toBe(
      409,
    );
    expect((await issue(fixture, id)).status).toBe(409);
    const next = await createDraft(fixture, familyId);
    expect((await issue(fixture, next.id)).body[0]?.number).toBe('0002');
  });

  test('[V2.3.3] several drafts are issued all together or not at all, with no gaps in the numbers', async () => {
    const { fixture, id, familyId, sessionIds } = await createThreeCompletedLessons();
    const item = { description: 'Workbook', amount: 500 };
    const empty = await createDraft(fixture, familyId);
    expect((await issue(fixture, id, empty.id)).status).toBe(409);
    await updateDraft(fixture, empty.id, { lines: [item] });
    await reopen(fixture, sessionIds[0] ?? 0);
    const stale = await issue(fixture, empty.id, id);
    expect(stale.error.message).toBe(
      'Some lessons on the draft for Ruth Hale have changed. Please check it again.',
    );
    expect((await issue(fixture, empty.id)).body[0]?.number).toBe('0001');
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7500']);
  });

  test('the database rejects changes to an issued invoice', async () => {
    const { fixture, id } = await createThreeCompletedLessons();
    await issue(fixture, id);
    const { db } = app.context;
    const [[link]] = [
      await db.global
        .selectFrom('shared_links')
        .selectAll()
        .where('kind', '=', 'invoice')
        .execute(),
    ];
    const tutorId = link?.tutor_id ?? '';
    const attempts = [
      () =>
        db.tutorTransaction(tutorId, (tx) =>
          tx
            .updateTable('invoices')
            .set({ note: 'x' })
            .where('issued_at', 'is not', null)
            .execute(),
        ),
      () => db.tutorTransaction(tutorId, (tx) => tx.deleteFrom('invoice_lines').execute()),
      () =>
        db.tutorTransaction(tutorId, (tx) =>
          tx.updateTable('invoice_lines').set({ amount: 1 }).execute(),
        ),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/cannot change/);
  });
});

describe('[SESS-27] a lesson on an issued invoice', () => {
  test('cannot be reopened until it is credited', async () => {
    const { fixture, id, sessionIds, familyId } = await createThreeCompletedLessons();
    await issue(fixture, id);
    const sessionId = sessionIds[1] ?? 0;
    expect(await readSession(fixture, sessionId)).toMatchObject({
      invoice: { id, number: '0001' },
    });
    const rejected = await reopen(fixture, sessionId);
    expect([rejected.status, rejected.error.message]).toEqual([
      409,
      'This lesson is on an invoice. Create a credit note for it first, then reopen it.',
    ]);
    const line = (await readInvoice(fixture, id)).lines.find(
      (entry) => entry.sessionId === sessionId,
    );
    const note = await credit(fixture, id, [{ chargeId: line?.chargeId ?? 0, amount: 3500 }]);
    expect(note.body).toMatchObject({
      kind: 'credit_note',
      number: 'CN-0001',
      total: 3500,
      corrects: { id, number: '0001' },
    });
    expect(await readInvoice(fixture, id)).toMatchObject({ credited: 3500, due: 7000 });
    expect((await reopen(fixture, sessionId)).status).toBe(200);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });
});

describe('a credit note', () => {
  test('for part of a line turns the payment into credit, and cannot exceed the remaining amount', async () => {
    const { fixture, id, familyId } = await createThreeCompletedLessons();
    await issue(fixture, id);
    await createPayment(fixture.browser, familyId, 10_500);
    const [line] = (await readInvoice(fixture, id)).lines;
    const chargeId = line?.chargeId ?? 0;
    expect((await credit(fixture, id, [{ chargeId, amount: 1000 }])).status).toBe(201);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 1000',
    ]);
    expect(await readInvoice(fixture, id)).toMatchObject({
      state: 'paid',
      credited: 1000,
      paid: 9500,
    });
    expect((await credit(fixture, id, [{ chargeId, amount: 2501 }])).error.fields).toEqual({
      'lines.0.amount': "That's more than is left to credit",
    });
    expect((await credit(fixture, id, [{ chargeId, amount: 2500 }])).body.number).toBe('CN-0002');
    expect((await credit(fixture, id, [{ chargeId: 999, amount: 1 }])).status).toBe(404);
    expect((await voidInvoice(fixture, id)).status).toBe(409);
  });
});

describe('voiding', () => {
  test('keeps the number, allows the lessons to be invoiced again and reverses other items', async () => {
    const { fixture, id, familyId } = await createThreeCompletedLessons();
    const { lines } = await readInvoice(fixture, id);
    const item = { description: 'Workbook', amount: 1000 };
    await updateDraft(fixture, id, {
      lines: [...lines.map(({ chargeId }) => ({ chargeId })), item],
    });
    await issue(fixture, id);
    await createPayment(fixture.browser, familyId, 11_500);
    const response = await voidInvoice(fixture, id);
    expect(response.body).toMatchObject({
      state: 'void',
      number: '0001',
      voidReason: 'Wrong payer',
      due: 0,
      paid: 0,
    });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 1000',
    ]);
    expect((await voidInvoice(fixture, id)).status).toBe(409);
    const nextDraft = await createDraft(fixture, familyId);
    const availableLines = await fixture.browser.call(invoices.availableInvoiceLines, {
      params: { id: nextDraft.id },
    });
    expect(availableLines.body).toHaveLength(3);
  });
});

describe('prepaid lessons', () => {
  /** A weekly lesson whose upcoming sessions are invoiced. */
  async function createPrepaidLessons() {
    const family = await createFamilyFixture(app);
    const { fixture, familyId, children } = family;
    await addLesson(fixture, weekly({ studentId: children[0] ?? 0 }));
    const { id } = await createDraft(fixture, familyId, true);
    await issue(fixture, id);
    const rows = await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-30');
    return { ...family, id, ids: rows.map((row) => row.id) };
  }
  const complete = (fixture: LessonFixture, id: number, charge = true) =>
    fixture.browser.call(sessions.completeSession, { params: { id }, body: { charge } });

  test('issuing the invoice creates their charges, and completing a lesson does not create a second one', async () => {
    const { fixture, id, ids, familyId } = await createPrepaidLessons();
    expect(await readInvoice(fixture, id)).toMatchObject({ total: 7000, due: 7000, state: 'sent' });
    await complete(fixture, ids[0] ?? 0);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });

  test('cancelling without a fee creates a credit note, and payments become credit', async () => {
    const { fixture, id, ids, familyId } = await createPrepaidLessons();
    await createPayment(fixture.browser, familyId, 7000);
    const body = { cancelledBy: 'tutor' as const, chargeFee: false };
    await fixture.browser.call(sessions.cancelSession, { params: { id: ids[0] ?? 0 }, body });
    const invoice = await readInvoice(fixture, id);
    expect(invoice.creditNotes).toMatchObject([{ number: 'CN-0001', total: 3500 }]);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 3500',
    ]);
    expect((await reopen(fixture, ids[0] ?? 0)).status).toBe(200);
  });

  test('waiving the charge creates a credit note', async () => {
    const { fixture, ids, familyId } = await createPrepaidLessons();
    await complete(fixture, ids[1] ?? 0, false);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 3500']);
  });

  test('a late cancellation keeps the cancellation fee and credits the rest', async () => {
    const { fixture, ids, familyId } = await createPrepaidLessons();
    await fixture.browser.send('PUT', '/api/settings/cancellation-policy', {
      tiers: [{ noticeHours: 48, feePercent: 40 }],
    });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: ids[0] ?? 0 },
      body: { cancelledBy: 'carer', chargeFee: true },
    });
    expect(await readSession(fixture, ids[0] ?? 0)).toMatchObject({
      charged: 1400,
      outstanding: 1400,
    });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      `GBP owes ${1400 + 3500}`,
    ]);
  });

  test('a rescheduled lesson keeps its charge', async () => {
    const { fixture, ids, familyId } = await createPrepaidLessons();
    const moved = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: ids[0] ?? 0 },
      body: { date: '2026-11-19', startTime: '10:00', endTime: '11:00' },
    });
    expect(moved.body).toMatchObject({ charged: 3500, invoice: { number: '0001' } });
    await complete(fixture, moved.body.id);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });

  test('the fee and the student cannot be changed, and changes to the series skip these lessons', async () => {
    const { fixture, ids, children } = await createPrepaidLessons();
    const row = await readSession(fixture, ids[0] ?? 0);
    const body = {
      studentId: children[0] ?? 0,
      subjectId: fixture.subjectId,
      title: row.title,
      date: row.date,
      startTime: '17:00',
      endTime: '18:00',
      fee: 35,
      isRecurring: true,
      recurringEndDate: '2026-12-15',
      sessionId: ids[0] ?? 0,
    };
    const put = (fields: object) =>
      fixture.browser.send('PUT', `/api/lessons/${row.lessonId}`, { ...body, ...fields });
    expect((await put({ scope: 'this', fee: 50 })).status).toBe(409);
    const later = (await fetchSessionsBetween(fixture, '2026-12-01', '2026-12-31'))[0];
    const all = await put({ scope: 'all', sessionId: later?.id ?? 0, date: later?.date });
    const { consequences } = all.body as { consequences: { unchanged: unknown[] } };
    expect(consequences.unchanged).toContainEqual({ reason: 'invoiced', count: 2 });
    expect(await readSession(fixture, ids[1] ?? 0)).toMatchObject({ startTime: '16:00' });
  });

  test('deleting the student credits the prepaid lessons', async () => {
    const { fixture, familyId, children } = await createPrepaidLessons();
    await fixture.browser.call(students.deleteStudent, { params: { id: children[0] ?? 0 } });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([]);
  });

  test('voiding reverses their charges', async () => {
    const { fixture, id, familyId } = await createPrepaidLessons();
    await voidInvoice(fixture, id);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([]);
  });
});

describe('drafting invoices for all families', () => {
  test('creates one draft for each payer who owes something in the period, only once, and issues them together', async () => {
    const { fixture, children } = await createFamilyFixture(app);
    const theo = await createStudent(fixture.browser, { name: 'Theo' });
    await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-04');
    await createCompletedLesson(fixture, theo.id, '2026-11-05');
    await createCompletedLesson(fixture, fixture.studentId, '2026-10-31');
    const draftAll = () =>
      fixture.browser.call(invoices.draftAllInvoices, {
        body: { ...NOVEMBER, includeUpcoming: false },
      });
    const drafts = (await draftAll()).body;
    expect(drafts.map((row) => [row.familyName, row.total, row.state])).toEqual([
      ['Ruth Hale', 7000, 'draft'],
      ['Theo', 3500, 'draft'],
    ]);
    expect((await draftAll()).body).toEqual([]);
    const issued = await issue(fixture, ...drafts.map((row) => row.id));
    expect(issued.body.map((row) => row.number)).toEqual(['0001', '0002']);
    const list = await fixture.browser.call(invoices.listInvoices, { query: { state: 'open' } });
    expect(list.body.map((row) => row.number)).toEqual(['0002', '0001']);
    const remaining = await fixture.browser.call(invoices.listInvoices, {
      query: { state: 'draft' },
    });
    expect(remaining.body).toEqual([]);
  });
});
