import { businessSettings } from '@lessonbook/contract/business-settings';
import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { payments } from '@lessonbook/contract/payments';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { createTutorWithStudentAndSubject, type LessonFixture } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

async function createInvoice(
  fixture: LessonFixture,
  student: { id: number; familyId: number | null },
  lesson: { fee: number; date: string; currency?: 'EUR' },
  dueOn?: string,
): Promise<number> {
  const { date, ...price } = lesson;
  await createCompletedLesson(fixture, student.id, date, price);
  const body = { familyId: student.familyId as number, from: date, to: date };
  const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
  const params = { id: draft?.id ?? 0 };
  const { lines } = (await fixture.browser.call(invoices.invoice, { params })).body;
  if (dueOn) {
    const update = { lines: lines.map(({ chargeId }) => ({ chargeId })), dueOn };
    await fixture.browser.call(invoices.updateInvoiceDraft, { params, body: update });
  }
  return params.id;
}

const issue = (browser: Browser, ...ids: number[]) =>
  browser.call(invoices.issueInvoices, { body: { ids } });

/**
 * As of 18 November: Ruth has an overdue invoice for Zoë, a draft and a void invoice; Adam has one that is not due yet and
 * a paid one in euros.
 */
async function createInvoices() {
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const subject = await createSubject(browser);
  const fixture = { browser, studentId: 0, subjectId: subject.id };
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      invoicePrefix: 'MT-',
      nextInvoiceNumber: 1,
      dueDays: 7,
      paymentInstructions: 'Cash, please',
    },
  });
  const zoe = await createStudent(browser, {
    name: 'Zoë Hale',
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@families.example',
  });
  const noah = await createStudent(browser, { name: 'Noah Hale', carerId: zoe.carerId });
  const adam = await createStudent(browser, { name: 'Adam Okafor' });
  const overdue = await createInvoice(fixture, zoe, { fee: 146, date: '2026-11-02' }, '2026-11-16');
  await issue(browser, overdue);
  const paid = await createInvoice(fixture, adam, { fee: 20, date: '2026-11-03', currency: 'EUR' });
  await issue(browser, paid);
  await createPayment(browser, adam.familyId as number, 2000, { currency: 'EUR' });
  const voided = await createInvoice(fixture, noah, { fee: 50, date: '2026-11-04' });
  await issue(browser, voided);
  await browser.call(invoices.voidInvoice, { params: { id: voided }, body: {} });
  app.clock.advance({ days: 2 });
  const sent = await createInvoice(fixture, adam, { fee: 83.5, date: '2026-11-05' });
  await issue(browser, sent);
  const draft = await createInvoice(fixture, noah, { fee: 70, date: '2026-11-06' });
  const names = new Map(
    Object.entries({ overdue, paid, voided, sent, draft }).map(([a, b]) => [b, a]),
  );
  const list = async (query: Parameters<typeof callList>[1]) =>
    (await callList(browser, query)).map(({ id }) => names.get(id));
  return { browser, zoe, ids: { overdue, paid, voided, sent, draft }, list };
}

async function callList(
  browser: Browser,
  query: {
    state?: 'draft' | 'sent' | 'overdue' | 'paid' | 'void' | 'open';
    search?: string;
    sort?: 'number' | 'family' | 'issued' | 'due' | 'amount';
    direction?: 'asc' | 'desc';
    from?: string;
    to?: string;
    limit?: number;
    offset?: number;
  },
) {
  const response = await browser.call(invoices.listInvoices, { query });
  if (response.status !== 200) throw new Error(response.error.message);
  return response.body;
}

let setup: Awaited<ReturnType<typeof createInvoices>>;
beforeEach(async () => {
  setup = await createInvoices();
});
afterEach(() => app.restartClock());

test('F135 invoices are found by number, payer, child and amount, regardless of case and accents', async () => {
  const { list } = setup;
  expect(await list({ search: 'mt-0001' })).toEqual(['overdue']);
  expect(await list({ search: '0002' })).toEqual(['paid']);
  expect(await list({ search: 'okafor', sort: 'number' })).toEqual(['sent', 'paid']);
  expect(await list({ search: 'zoe' })).toEqual(['overdue']);
  expect(await list({ search: 'RUTH noah', sort: 'number' })).toEqual(['draft', 'voided']);
  expect(await list({ search: '146' })).toEqual(['overdue']);
  expect(await list({ search: '£146.00' })).toEqual(['overdue']);
  expect(await list({ search: '€146' })).toEqual([]);
  expect(await list({ search: 'adam 83.50' })).toEqual(['sent']);
  expect(await list({ search: 'ruth 83.50' })).toEqual([]);
  expect(await list({ search: '%' })).toEqual([]);
  expect(await list({ search: ' ' })).toHaveLength(5);
});

test('F135 the list can be sorted by each column in either direction, and the order continues across pages', async () => {
  const { list } = setup;
  const orders = {
    number: ['overdue', 'paid', 'voided', 'sent', 'draft'],
    issued: ['overdue', 'paid', 'voided', 'sent', 'draft'],
    due: ['overdue', 'paid', 'voided', 'sent', 'draft'],
    family: ['paid', 'sent', 'overdue', 'voided', 'draft'],
    amount: ['paid', 'voided', 'draft', 'sent', 'overdue'],
  } as const;
  for (const [key, ascending] of Object.entries(orders)) {
    const sort = key as keyof typeof orders;
    expect([sort, await list({ sort, direction: 'asc' })]).toEqual([sort, ascending]);
    expect([sort, await list({ sort })]).toEqual([sort, ascending.toReversed()]);
    const pages = [
      ...(await list({ sort, direction: 'asc', limit: 2 })),
      ...(await list({ sort, direction: 'asc', limit: 2, offset: 2 })),
      ...(await list({ sort, direction: 'asc', limit: 2, offset: 4 })),
    ];
    expect([sort, pages]).toEqual([sort, ascending]);
  }
});

test('F135 the list can be filtered by state and period; drafts have no date and are included in every period', async () => {
  const { list } = setup;
  for (const state of ['draft', 'sent', 'overdue', 'paid'] as const) {
    expect(await list({ state })).toEqual([state]);
  }
  expect(await list({ state: 'void' })).toEqual(['voided']);
  expect(await list({ from: '2026-11-17', to: '2026-11-30' })).toEqual(['draft', 'sent']);
  expect(await list({ to: '2026-11-17', sort: 'number', direction: 'asc' })).toEqual([
    'overdue',
    'paid',
    'voided',
    'draft',
  ]);
});

test('F135 the summary counts each state and adds up the filtered invoices by currency', async () => {
  const { browser } = setup;
  const read = async (query: { state?: 'overdue' | 'draft'; search?: string; from?: string }) =>
    (await browser.call(invoices.invoiceSummary, { query })).body;
  const all = await read({});
  expect(all.counts).toEqual({ all: 5, draft: 1, sent: 1, overdue: 1, paid: 1 });
  expect(all.totals).toEqual([
    { currency: 'EUR', total: 2000, due: 0, overdue: 0 },
    { currency: 'GBP', total: 14_600 + 8350 + 7000, due: 14_600 + 8350, overdue: 14_600 },
  ]);
  // The lesson of the void invoice can be invoiced again.
  expect(all.uninvoiced).toEqual({
    lessons: 1,
    families: 1,
    totals: [{ currency: 'GBP', amount: 5000 }],
  });
  const overdue = await read({ state: 'overdue' });
  expect(overdue.counts).toEqual(all.counts);
  expect(overdue.totals).toEqual([
    { currency: 'GBP', total: 14_600, due: 14_600, overdue: 14_600 },
  ]);
  const ruth = await read({ search: 'ruth', from: '2026-11-17' });
  expect(ruth.counts).toEqual({ all: 1, draft: 1, sent: 0, overdue: 0, paid: 0 });
});

test('F136 a row says whether the invoice was emailed, how many times the payer was reminded and how it was paid', async () => {
  const { browser, ids, zoe } = setup;
  const read = async (id: number) => (await callList(browser, {})).find((row) => row.id === id);
  expect(await read(ids.sent)).toMatchObject({ message: null, reminderCount: 0, payment: null });
  expect(await read(ids.paid)).toMatchObject({
    payment: { method: 'bank_transfer', date: '2026-11-16' },
  });
  const body = { channel: 'email' as const };
  await browser.call(messages.sendInvoice, { params: { id: ids.overdue }, body });
  const reminder = { ...body, familyId: zoe.familyId as number };
  expect((await browser.call(messages.sendReminder, { body: reminder })).status).toBe(201);
  await waitUntilMessagesProcessed(browser);
  expect(await read(ids.overdue)).toMatchObject({
    message: { channel: 'email', state: 'sent', at: expect.stringMatching(/^2026-11-18T/) },
    reminderCount: 1,
  });
});

test('F135 the CSV file contains the filtered or the selected invoices', async () => {
  const { browser, ids } = setup;
  const read = async (query: string) => {
    const response = await browser.send('GET', `/api/invoices/list.csv?${query}`);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    return String(response.body).split('\r\n').slice(0, -1);
  };
  expect(await read('sort=number&direction=asc')).toHaveLength(6);
  expect(await read('state=paid')).toEqual([
    expect.stringContaining('Number,Kind,Payer'),
    'MT-0002,Invoice,Adam Okafor,,2026-11-16,2026-11-23,Paid,20,0,EUR',
  ]);
  const selected = await read(`ids=${ids.draft}-${ids.sent}&sort=number&direction=asc`);
  expect(selected.slice(1)).toEqual([
    expect.stringMatching(/^MT-0004,Invoice,Adam Okafor,.*,Issued,83.5,83.5,GBP$/),
    expect.stringMatching(/^,Invoice,Ruth Hale,Noah,,.*,Draft,70,70,GBP$/),
  ]);
  expect((await browser.send('GET', '/api/invoices/list.csv?ids=1;drop')).status).toBe(400);
});

test('F136 the payment form for an invoice preselects its unpaid charges', async () => {
  const { browser, ids, zoe } = setup;
  const query = { invoiceId: ids.overdue };
  const { body } = await browser.call(payments.paymentFormData, { query });
  expect(body.familyId).toBe(zoe.familyId);
  const preselected = body.charges.filter(({ id }) => body.preselectedChargeIds.includes(id));
  expect(preselected.map(({ outstanding }) => outstanding)).toEqual([14_600]);
});

test('a draft can include everything that is not invoiced yet', async () => {
  const { browser, zoe } = setup;
  const body = { familyId: zoe.familyId as number, from: EARLIEST_DATE, to: '2026-11-18' };
  const drafted = await browser.call(invoices.draftInvoice, { body });
  // Only the lesson of the void invoice is left.
  expect(drafted.body).toMatchObject([{ total: 5000, lineCount: 1 }]);
  const invalid = await browser.call(invoices.draftInvoice, { body: { ...body, from: 'then' } });
  expect(invalid.status).toBe(400);
});

test("[AUTH-45] another tutor's invoices are neither listed, counted nor exported", async () => {
  const other = await createTutorWithStudentAndSubject(app);
  for (const search of ['mt', 'ruth', 'zoe', '146', '0001']) {
    expect(await callList(other.browser, { search })).toEqual([]);
  }
  const { body } = await other.browser.call(invoices.invoiceSummary, { query: {} });
  expect(body.counts.all).toBe(0);
  expect(body.totals).toEqual([]);
  const ids = Object.values(setup.ids).join('-');
  const csv = await other.browser.send('GET', `/api/invoices/list.csv?ids=${ids}`);
  expect(String(csv.body).trim().split('\r\n')).toHaveLength(1);
});
