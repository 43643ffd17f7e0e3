import { businessSettings } from '@lessonbook/contract/business-settings';
import { type InvoiceDraftUpdate, type InvoiceRow, invoices } from '@lessonbook/contract/invoices';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newStudent } from '../../test/factories.ts';
import {
  addLesson,
  type LessonFixture,
  listSessionsBetween,
  weekly,
} from '../../test/lesson-fixture.ts';
import {
  assertInvariants,
  createFamilyFixture,
  createPayment,
  createTaughtLesson,
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

const draft = async (
  fixture: LessonFixture,
  familyId: number,
  includeComing = false,
): Promise<InvoiceRow> => {
  const answer = await fixture.browser.call(invoices.draftInvoice, {
    body: { familyId, ...NOVEMBER, includeComing },
  });
  return answer.body[0] as InvoiceRow;
};
const issue = (fixture: LessonFixture, ...ids: number[]) =>
  fixture.browser.call(invoices.issueInvoices, { body: { ids } });
const read = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(invoices.invoice, { params: { id } })).body;
const change = (fixture: LessonFixture, id: number, body: InvoiceDraftUpdate) =>
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
const session = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const reopen = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.reopenSession, { params: { id }, body: {} });

/** Three siblings taught once each, and the draft for their carer. */
async function createThreeTaughtLessons() {
  const family = await createFamilyFixture(app);
  const taught: number[] = [];
  for (const [index, child] of family.children.entries())
    taught.push(await createTaughtLesson(family.desk, child, `2026-11-0${3 + index}`));
  const { id } = await draft(family.desk, family.familyId);
  return { ...family, taught, id };
}

describe('a draft', () => {
  test('bills a carer for several children, in first names, and has no number', async () => {
    const { desk: fixture, id, familyId } = await createThreeTaughtLessons();
    expect(await read(fixture, id)).toMatchObject({
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
    const { lines } = await read(fixture, id);
    expect(lines.map((line) => [line.studentName, line.date, line.description])).toEqual([
      ['Ida', '2026-11-05', 'Maths lesson'],
      ['Lena', '2026-11-03', 'Maths lesson'],
      ['Noah', '2026-11-04', 'Maths lesson'],
    ]);
  });

  test('can lose lines, get items and others that are on no invoice, and be thrown away', async () => {
    const { desk: fixture, id } = await createThreeTaughtLessons();
    const { lines } = await read(fixture, id);
    const kept = lines.slice(0, 1).map((line) => ({ chargeId: line.chargeId }));
    const item = { description: 'Workbook', amount: 1299 };
    const answer = await change(fixture, id, { lines: [...kept, item], dueOn: '2026-12-01' });
    expect(answer.body).toMatchObject({ total: 3500 + 1299, dueOn: '2026-12-01', lineCount: 2 });
    const choices = await fixture.browser.call(invoices.availableInvoiceLines, { params: { id } });
    expect(choices.body.map((line) => line.studentName)).toEqual(['Lena', 'Noah']);
    expect((await fixture.browser.call(invoices.deleteInvoice, { params: { id } })).status).toBe(
      200,
    );
    expect((await fixture.browser.call(invoices.invoice, { params: { id } })).status).toBe(404);
  });

  test.each([
    [{ description: 'Workbook' }, 'Please enter an amount'],
    [{ amount: 100 }, 'Please say what it is for'],
    [{ description: 'x', amount: -1 }, 'The amount must be greater than 0'],
  ])('refuses the line %j: %s', async (line, message) => {
    const { desk: fixture, id } = await createThreeTaughtLessons();
    const answer = await change(fixture, id, { lines: [line] });
    expect([answer.status, answer.error.message]).toEqual([400, message]);
  });

  test("[V2.2.2, T09] takes no amount for a lesson from the caller, and nothing of another payer's", async () => {
    const { desk: fixture, id } = await createThreeTaughtLessons();
    const { lines } = await read(fixture, id);
    const cheap = lines.map((line) => ({ chargeId: line.chargeId, amount: 1 }));
    expect((await change(fixture, id, { lines: cheap })).body.total).toBe(10_500);
    const other = await newStudent(fixture.browser, { name: 'Theo' });
    await createTaughtLesson(fixture, other.id, '2026-11-07');
    const theirs = await draft(fixture, other.familyId ?? 0);
    const [line] = (await read(fixture, theirs.id)).lines;
    const astray = await change(fixture, id, { lines: [{ chargeId: line?.chargeId ?? 0 }] });
    expect(astray.status).toBe(409);
    const twice = [lines[0], lines[0]].map((each) => ({ chargeId: each?.chargeId ?? 0 }));
    expect((await change(fixture, id, { lines: twice })).status).toBe(409);
  });

  test('one for each currency', async () => {
    const { desk: fixture, familyId, children } = await createFamilyFixture(app);
    await createTaughtLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createTaughtLesson(fixture, children[0] ?? 0, '2026-11-04', { currency: 'EUR', fee: 40 });
    const answer = await fixture.browser.call(invoices.draftInvoice, {
      body: { familyId, ...NOVEMBER },
    });
    expect(answer.body.map((row) => [row.currency, row.total])).toEqual([
      ['EUR', 4000],
      ['GBP', 3500],
    ]);
  });
});

describe('issuing', () => {
  test('gives the next number, freezes both sides, and derives what is due', async () => {
    const { desk: fixture, id, familyId } = await createThreeTaughtLessons();
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
    const frozen = await read(fixture, id);
    expect(frozen.parties.from.name).toBe('Hill Tuition');
    expect(frozen.parties.bank?.accountNumber).toBe('12345678');
    await createPayment(fixture.browser, familyId, 10_000);
    expect(await read(fixture, id)).toMatchObject({ state: 'part_paid', paid: 10_000, due: 500 });
    app.clock.forward({ days: 15 });
    expect((await read(fixture, id)).state).toBe('overdue');
    await createPayment(fixture.browser, familyId, 500);
    expect(await read(fixture, id)).toMatchObject({ state: 'paid', due: 0 });
    await app.restartClock();
  });

  test('[V2.3.1] an issued one cannot change, be thrown away or be issued again; thrown-away drafts burn no number', async () => {
    const { desk: fixture, id, familyId, children } = await createThreeTaughtLessons();
    await createTaughtLesson(fixture, children[0] ?? 0, '2026-11-09');
    const away = await draft(fixture, familyId);
    await fixture.browser.call(invoices.deleteInvoice, { params: { id: away.id } });
    expect((await issue(fixture, id)).body[0]?.number).toBe('0001');
    expect((await change(fixture, id, { lines: [] })).status).toBe(409);
    expect((await fixture.browser.call(invoices.deleteInvoice, { params: { id } })).status).toBe(
      409,
    );
    expect((await issue(fixture, id)).status).toBe(409);
    const next = await draft(fixture, familyId);
    expect((await issue(fixture, next.id)).body[0]?.number).toBe('0002');
  });

  test('[V2.3.3] of several is all or none: one that cannot be issued takes no number from the others', async () => {
    const { desk: fixture, id, familyId, taught } = await createThreeTaughtLessons();
    const item = { description: 'Workbook', amount: 500 };
    const empty = await draft(fixture, familyId);
    expect((await issue(fixture, id, empty.id)).status).toBe(409);
    await change(fixture, empty.id, { lines: [item] });
    await reopen(fixture, taught[0] ?? 0);
    const stale = await issue(fixture, empty.id, id);
    expect(stale.error.message).toBe(
      'Some lessons on the draft for Ruth Hale have changed. Please look at it again.',
    );
    expect((await issue(fixture, empty.id)).body[0]?.number).toBe('0001');
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7500']);
  });

  test('a lower number than one that was given is refused', async () => {
    const { desk: fixture, id } = await createThreeTaughtLessons();
    await issue(fixture, id);
    const answer = await fixture.browser.call(businessSettings.saveBusinessSettings, {
      body: { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 1 },
    });
    expect(answer.error.fields).toEqual({
      nextInvoiceNumber: 'Number 1 is already given. Please enter 2 or more',
    });
  });

  test('the database itself refuses a change of an issued document', async () => {
    const { desk: fixture, id } = await createThreeTaughtLessons();
    await issue(fixture, id);
    const { db } = app.context;
    const [[link]] = [
      await db.global
        .selectFrom('public_links')
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
  test('cannot be reopened until a credit note took it back', async () => {
    const { desk: fixture, id, taught, familyId } = await createThreeTaughtLessons();
    await issue(fixture, id);
    const sessionId = taught[1] ?? 0;
    expect(await session(fixture, sessionId)).toMatchObject({ invoice: { id, number: '0001' } });
    const refused = await reopen(fixture, sessionId);
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'This lesson is on an invoice. Make a credit note for it first, then reopen it.',
    ]);
    const line = (await read(fixture, id)).lines.find((each) => each.sessionId === sessionId);
    const note = await credit(fixture, id, [{ chargeId: line?.chargeId ?? 0, amount: 3500 }]);
    expect(note.body).toMatchObject({
      kind: 'credit_note',
      number: 'CN-0001',
      total: 3500,
      corrects: { id, number: '0001' },
    });
    expect(await read(fixture, id)).toMatchObject({ credited: 3500, due: 7000 });
    expect((await reopen(fixture, sessionId)).status).toBe(200);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });
});

describe('a credit note', () => {
  test('for part of a line gives the money back as credit, and never more than is left', async () => {
    const { desk: fixture, id, familyId } = await createThreeTaughtLessons();
    await issue(fixture, id);
    await createPayment(fixture.browser, familyId, 10_500);
    const [line] = (await read(fixture, id)).lines;
    const chargeId = line?.chargeId ?? 0;
    expect((await credit(fixture, id, [{ chargeId, amount: 1000 }])).status).toBe(201);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 1000',
    ]);
    expect(await read(fixture, id)).toMatchObject({ state: 'paid', credited: 1000, paid: 9500 });
    expect((await credit(fixture, id, [{ chargeId, amount: 2501 }])).error.fields).toEqual({
      'lines.0.amount': 'That is more than is left of this line',
    });
    expect((await credit(fixture, id, [{ chargeId, amount: 2500 }])).body.number).toBe('CN-0002');
    expect((await credit(fixture, id, [{ chargeId: 999, amount: 1 }])).status).toBe(404);
    expect((await voidInvoice(fixture, id)).status).toBe(409);
  });
});

describe('voiding', () => {
  test('keeps the number, frees the lessons for another invoice, and takes back what only it had made', async () => {
    const { desk: fixture, id, familyId } = await createThreeTaughtLessons();
    const { lines } = await read(fixture, id);
    const item = { description: 'Workbook', amount: 1000 };
    await change(fixture, id, { lines: [...lines.map(({ chargeId }) => ({ chargeId })), item] });
    await issue(fixture, id);
    await createPayment(fixture.browser, familyId, 11_500);
    const answer = await voidInvoice(fixture, id);
    expect(answer.body).toMatchObject({
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
    const choices = await draft(fixture, familyId);
    const again = await fixture.browser.call(invoices.availableInvoiceLines, {
      params: { id: choices.id },
    });
    expect(again.body).toHaveLength(3);
  });
});

describe('lessons still to come', () => {
  /** A weekly lesson whose coming sessions are invoiced ahead. */
  async function ahead() {
    const family = await createFamilyFixture(app);
    const { desk: fixture, familyId, children } = family;
    await addLesson(fixture, weekly({ studentId: children[0] ?? 0 }));
    const { id } = await draft(fixture, familyId, true);
    await issue(fixture, id);
    const rows = await listSessionsBetween(fixture, '2026-11-17', '2026-11-30');
    return { ...family, id, ids: rows.map((row) => row.id) };
  }
  const complete = (fixture: LessonFixture, id: number, charge = true) =>
    fixture.browser.call(sessions.completeSession, { params: { id }, body: { charge } });

  test('issuing makes their charges, completing makes no second one', async () => {
    const { desk: fixture, id, ids, familyId } = await ahead();
    expect(await read(fixture, id)).toMatchObject({ total: 7000, due: 7000, state: 'sent' });
    await complete(fixture, ids[0] ?? 0);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });

  test('a free cancellation makes a credit note; the money becomes credit', async () => {
    const { desk: fixture, id, ids, familyId } = await ahead();
    await createPayment(fixture.browser, familyId, 7000);
    const body = { cancelledBy: 'tutor' as const, chargeFee: false };
    await fixture.browser.call(sessions.cancelSession, { params: { id: ids[0] ?? 0 }, body });
    const invoice = await read(fixture, id);
    expect(invoice.creditNotes).toMatchObject([{ number: 'CN-0001', total: 3500 }]);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 3500',
    ]);
    expect((await reopen(fixture, ids[0] ?? 0)).status).toBe(200);
  });

  test('waiving one makes a credit note too', async () => {
    const { desk: fixture, ids, familyId } = await ahead();
    await complete(fixture, ids[1] ?? 0, false);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 3500']);
  });

  test('a late cancellation keeps the fee and credits the rest', async () => {
    const { desk: fixture, ids, familyId } = await ahead();
    await fixture.browser.send('PUT', '/api/settings/policy', { noticeHours: 48, feePercent: 40 });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: ids[0] ?? 0 },
      body: { cancelledBy: 'carer', chargeFee: true },
    });
    expect(await session(fixture, ids[0] ?? 0)).toMatchObject({ charged: 1400, outstanding: 1400 });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      `GBP owes ${1400 + 3500}`,
    ]);
  });

  test('one that moves takes its charge along: it is paid once', async () => {
    const { desk: fixture, ids, familyId } = await ahead();
    const moved = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: ids[0] ?? 0 },
      body: { date: '2026-11-19', startTime: '10:00', endTime: '11:00' },
    });
    expect(moved.body).toMatchObject({ charged: 3500, invoice: { number: '0001' } });
    await complete(fixture, moved.body.id);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 7000']);
  });

  test('its fee and student stay, and a change of the series leaves it alone', async () => {
    const { desk: fixture, ids, children } = await ahead();
    const row = await session(fixture, ids[0] ?? 0);
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
    const put = (part: object) =>
      fixture.browser.send('PUT', `/api/lessons/${row.lessonId}`, { ...body, ...part });
    expect((await put({ scope: 'this', fee: 50 })).status).toBe(409);
    const later = (await listSessionsBetween(fixture, '2026-12-01', '2026-12-31'))[0];
    const all = await put({ scope: 'all', sessionId: later?.id ?? 0, date: later?.date });
    const { consequences } = all.body as { consequences: { stays: unknown[] } };
    expect(consequences.stays).toContainEqual({ reason: 'invoiced', count: 2 });
    expect(await session(fixture, ids[1] ?? 0)).toMatchObject({ startTime: '16:00' });
  });

  test('a student who leaves gets credit for what was invoiced ahead', async () => {
    const { desk: fixture, familyId, children } = await ahead();
    await fixture.browser.call(students.deleteStudent, { params: { id: children[0] ?? 0 } });
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([]);
  });

  test('voiding takes their charges back', async () => {
    const { desk: fixture, id, familyId } = await ahead();
    await voidInvoice(fixture, id);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([]);
  });
});

describe('invoice everyone', () => {
  test('drafts one for each payer who owes something in the period, once, and issues them together', async () => {
    const { desk: fixture, children } = await createFamilyFixture(app);
    const theo = await newStudent(fixture.browser, { name: 'Theo' });
    await createTaughtLesson(fixture, children[0] ?? 0, '2026-11-03');
    await createTaughtLesson(fixture, children[1] ?? 0, '2026-11-04');
    await createTaughtLesson(fixture, theo.id, '2026-11-05');
    await createTaughtLesson(fixture, fixture.studentId, '2026-10-31');
    const everyone = () =>
      fixture.browser.call(invoices.draftAllInvoices, {
        body: { ...NOVEMBER, includeComing: false },
      });
    const drafts = (await everyone()).body;
    expect(drafts.map((row) => [row.familyName, row.total, row.state])).toEqual([
      ['Ruth Hale', 7000, 'draft'],
      ['Theo', 3500, 'draft'],
    ]);
    expect((await everyone()).body).toEqual([]);
    const issued = await issue(fixture, ...drafts.map((row) => row.id));
    expect(issued.body.map((row) => row.number)).toEqual(['0001', '0002']);
    const list = await fixture.browser.call(invoices.listInvoices, { query: { state: 'open' } });
    expect(list.body.map((row) => row.number)).toEqual(['0002', '0001']);
    const drafted = await fixture.browser.call(invoices.listInvoices, {
      query: { state: 'draft' },
    });
    expect(drafted.body).toEqual([]);
  });
});
