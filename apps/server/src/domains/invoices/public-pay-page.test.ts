import { businessSettings } from '@lessonbook/contract/business-settings';
import { dashboard } from '@lessonbook/contract/dashboard';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { notifications } from '@lessonbook/contract/notifications';
import { publicBills } from '@lessonbook/contract/public-bill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
  readFamily,
  readOpenBill,
} from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '20' });
});
afterAll(() => app.close());

const BANK = { accountName: 'A Tutor', sortCode: '01-02-03', accountNumber: '12345678' };

async function createFamilyWithDebt() {
  const family = await createFamilyFixture(app);
  const { fixture, familyId, children } = family;
  await fixture.browser.call(businessSettings.saveBusinessSettings, {
    body: {
      ...BANK,
      tradingName: 'Hill Tuition',
      dueDays: 7,
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
  await createCompletedLesson(fixture, children[1] ?? 0, '2026-11-04');
  const { payToken } = await readFamily(fixture.browser, familyId);
  return { ...family, payToken };
}
const readBill = (token: string) =>
  app.browser().call(publicBills.publicBill, { params: { token } });
const claimTransfer = (token: string) =>
  app.browser().call(publicBills.claimTransfer, { params: { token } });

describe('the public bill for a balance', () => {
  test('[V8.2.3] shows first names, outstanding charges, bank details and the payment reference', async () => {
    const { payToken, familyId } = await createFamilyWithDebt();
    const bill = await readOpenBill(app.browser(), payToken);
    expect(bill).toMatchObject({
      kind: 'balance',
      tutorName: 'Hill Tuition',
      state: 'due',
      amounts: [{ currency: 'GBP', due: 7000 }],
      bank: { ...BANK, iban: null, bic: null },
      reference: `LESSONS${familyId}`,
      invoice: null,
      claimedOn: null,
    });
    expect(
      bill.lines.map((line) => [line.studentName, line.description, line.outstanding]),
    ).toEqual([
      ['Lena', 'Maths lesson', 3500],
      ['Noah', 'Maths lesson', 3500],
    ]);
    expect(JSON.stringify(bill)).not.toMatch(/hale/i);
  });

  test('reporting a transfer marks nothing as paid; the report is recorded once and shown on the dashboard', async () => {
    const { payToken, fixture, familyId } = await createFamilyWithDebt();
    expect((await readOpenBill(app.browser(), payToken)).claimedOn).toBeNull();
    expect((await claimTransfer(payToken)).body).toMatchObject({
      claimedOn: '2026-11-16',
      state: 'due',
    });
    await claimTransfer(payToken);
    const dashboardResponse = await fixture.browser.call(dashboard.dashboard);
    expect(dashboardResponse.body.transferClaims).toEqual([
      { familyId, familyName: 'Ruth Hale', claimedOn: '2026-11-16', amount: 7000, currency: 'GBP' },
    ]);
    expect((await readFamily(fixture.browser, familyId)).claim).toEqual({
      amount: 7000,
      currency: 'GBP',
      claimedOn: '2026-11-16',
    });
    await createPayment(fixture.browser, familyId, 7000);
    expect((await readBill(payToken)).body).toMatchObject({
      state: 'paid',
      claimedOn: null,
      lines: [{ amount: 3500 }, { amount: 3500 }],
      payments: [{ amount: 7000, date: '2026-11-16', method: 'bank_transfer' }],
    });
  });

  test('F72 an overpayment is shown as credit', async () => {
    const { payToken, fixture, familyId } = await createFamilyWithDebt();
    await createPayment(fixture.browser, familyId, 10_800);
    expect((await readBill(payToken)).body).toMatchObject({
      state: 'paid',
      credits: [{ currency: 'GBP', amount: 3800 }],
    });
  });

  test('F85 the payer can withdraw a reported transfer, and the tutor is notified', async () => {
    const { payToken, fixture } = await createFamilyWithDebt();
    await claimTransfer(payToken);
    const withdraw = () =>
      app.browser().call(publicBills.withdrawTransferClaim, { params: { token: payToken } });
    expect((await withdraw()).body).toMatchObject({ state: 'due', claimedOn: null });
    await withdraw();
    const list = await fixture.browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.notifications.map(({ text }) => text)).toEqual([
      "Ruth Hale says they haven't sent £70.00 after all.",
      "Ruth Hale says they've paid £70.00 by bank transfer.",
    ]);
  });

  test("F87 shows invoice numbers, due dates and the tutor's contact details", async () => {
    const { payToken, fixture, familyId } = await createFamilyWithDebt();
    const body = { familyId, from: '2026-11-01', to: '2026-11-03' };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const bill = await readOpenBill(app.browser(), payToken);
    expect(bill.lines.map(({ invoice }) => invoice)).toEqual([
      { number: '0001', dueOn: '2026-11-23' },
      null,
    ]);
    expect(bill.contact.email).toMatch(/@example\.com$/);
  });

  test('the tutor can dismiss a reported transfer', async () => {
    const { payToken, fixture, familyId } = await createFamilyWithDebt();
    await claimTransfer(payToken);
    await fixture.browser.call(families.dismissClaim, { params: { id: familyId } });
    expect((await readOpenBill(app.browser(), payToken)).claimedOn).toBeNull();
  });
});

describe('the public bill for an invoice', () => {
  test('F72 shows the lines and the amount due, then the payment and the credit, on the page and in the PDF', async () => {
    const { fixture, familyId } = await createFamilyWithDebt();
    const body = { familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    const id = draft?.id ?? 0;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const { token } = (await fixture.browser.call(invoices.invoice, { params: { id } })).body;
    const instructions = 'In cash at the lesson';
    const business = (await fixture.browser.call(businessSettings.businessSettings)).body;
    await fixture.browser.call(businessSettings.saveBusinessSettings, {
      body: { ...business, paymentInstructions: instructions },
    });
    const readPdf = async () =>
      (await fetchPdfPages(app.url, fixture.browser, `/api/invoices/${id}.pdf`)).join(' ');
    expect(await readPdf()).toContain(instructions);
    expect((await readBill(token ?? '')).body).toMatchObject({
      kind: 'invoice',
      state: 'due',
      paymentInstructions: instructions,
      amounts: [{ currency: 'GBP', due: 7000 }],
      invoice: { number: '0001', total: 7000, paid: 0, dueOn: '2026-11-23' },
    });
    await createPayment(fixture.browser, familyId, 10_800);
    expect((await readBill(token ?? '')).body).toMatchObject({
      state: 'paid',
      amounts: [],
      credits: [{ currency: 'GBP', amount: 3800 }],
    });
    const pdf = await readPdf();
    expect(pdf).toContain('Paid on 16 Nov 2026 by bank transfer');
    expect(pdf).toContain('The account is £38.00 in credit.');
  });
});

describe('a link', () => {
  test.each(['b_unknown', 'i_unknown', 'x', '..%2f..', "' or 1=1 --"])(
    'returns 404 when its token is unknown: %s',
    async (token) => {
      const response = await readBill(token);
      expect([response.status, response.error.message]).toEqual([
        404,
        "This link doesn't work. Please ask your tutor for a new one.",
      ]);
    },
  );

  test('without an invoice has no PDF', async () => {
    const { payToken } = await createFamilyWithDebt();
    const pdf = await app.browser().send('GET', `/api/pay/${payToken}/pdf`);
    expect(pdf.status).toBe(404);
  });

  test('[V2.4.1] is rate limited per network to prevent guessing', async () => {
    const strict = await startTestApp();
    try {
      const statuses = [];
      for (let guess = 0; guess < 310; guess += 1) {
        const response = await strict
          .browser()
          .call(publicBills.publicBill, { params: { token: `b_guess${guess}` } });
        statuses.push(response.status);
      }
      expect(statuses.filter((status) => status === 404)).toHaveLength(300);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await strict.close();
    }
  });
});

test('F30 the tutor sees for a day that the bank details on the payment page have changed', async () => {
  const { fixture, familyId } = await createFamilyWithDebt();
  const changedAt = app.clock.now().toISOString();
  const body = { familyId, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
  const readNotice = async () =>
    (await fixture.browser.call(invoices.invoice, { params: { id: draft?.id ?? 0 } })).body
      .bankDetailsChangedAt;
  app.clock.advance({ minutes: 5 });
  const { bankDetailsChangedAt: _, ...settings } = (
    await fixture.browser.call(businessSettings.businessSettings)
  ).body;
  // Other changes do not count.
  await fixture.browser.call(businessSettings.saveBusinessSettings, {
    body: { ...settings, tradingName: 'Valley Tuition', dueDays: 14 },
  });
  expect(await readNotice()).toBe(changedAt);
  app.clock.advance({ days: 1 });
  expect(await readNotice()).toBeNull();
  await app.restartClock();
});
