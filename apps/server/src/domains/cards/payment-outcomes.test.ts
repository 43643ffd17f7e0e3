import { accounts } from '@lessonbook/contract/accounts';
import { arrears } from '@lessonbook/contract/arrears';
import { cards } from '@lessonbook/contract/card-payments';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { publicBills } from '@lessonbook/contract/public-bill';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { dateInZone } from '@lessonbook/contract/time';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formatPdfDate } from '../../platform/files/pdf-writer.ts';
import {
  assertInvariants,
  createPayment,
  formatBalances,
  readFamily,
} from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import {
  type CardFixture,
  createCardFixture,
  type StripeTestApp,
  startStripeTestApp,
  TEST_CARD,
} from '../../test/stripe-test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { formatShortDate } from '../messages/rules/format-dates-and-lessons.ts';
import { sendDueReminders } from '../messages/service/reminders/send-due-reminders.ts';

let stripeApp: StripeTestApp;
beforeAll(async () => {
  stripeApp = await startStripeTestApp();
});
afterEach(async () => {
  await stripeApp.stripe.control.release();
  await assertInvariants(stripeApp.app);
});
afterAll(() => stripeApp.close());

let payerCount = 0;
/** A family with an email address that owes £35 for each of two lessons, and a tutor who can send emails. */
async function createFixture() {
  payerCount += 1;
  const carerEmail = `outcome${payerCount}@families.example`;
  const fixture = await createCardFixture(stripeApp, { carerEmail });
  const { username } = (await fixture.browser.call(accounts.me)).body;
  await stripeApp.app.admin.query(
    'update login_directory set email_verified_at = now() where username = $1',
    [username],
  );
  const readEmails = async () => {
    await waitUntilMessagesProcessed(fixture.browser);
    return stripeApp.app.mailbox.emails().filter((mail) => mail.to.includes(carerEmail));
  };
  return { ...fixture, readEmails };
}
type Fixture = Awaited<ReturnType<typeof createFixture>>;

async function issueInvoice({ browser, familyId }: CardFixture, to = '2026-11-30') {
  const period = { familyId, from: '2026-11-01', to };
  const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  const id = draft?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  const invoice = (await browser.call(invoices.invoice, { params: { id } })).body;
  return { ...invoice, token: invoice.token ?? '' };
}

const readBill = async ({ payer, payToken }: CardFixture, token = payToken) =>
  (await payer.call(publicBills.publicBill, { params: { token } })).body;
const readBalances = async ({ browser, familyId }: CardFixture) =>
  formatBalances(await readFamily(browser, familyId));
const readInvoice = async ({ browser }: CardFixture, id: number) =>
  (await browser.call(invoices.invoice, { params: { id } })).body;
const readNotifications = async ({ browser }: CardFixture) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body.notifications;
const readOpenKinds = async ({ browser }: CardFixture) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body.open.map(
    ({ kind }) => kind,
  );
const readPdf = async ({ browser }: CardFixture, id: number) =>
  (await fetchPdfPages(stripeApp.app.url, browser, `/api/invoices/${id}.pdf`)).join(' ');

const creditAll = async (fixture: CardFixture, id: number) => {
  const { lines } = await readInvoice(fixture, id);
  return fixture.browser.call(invoices.creditInvoice, {
    params: { id },
    body: {
      lines: lines.map(({ chargeId, amount }) => ({ chargeId: chargeId ?? 0, amount })),
      reason: 'Lesson cancelled',
    },
  });
};

const pay = async (sessionId: string, method = TEST_CARD) => {
  const result = await stripeApp.stripe.control.payOnCheckoutPage(sessionId, method);
  await stripeApp.waitUntilIdle();
  return result.outcome;
};

async function findPaymentId({ browser }: CardFixture) {
  const { body } = await browser.call(payments.listPayments, { query: {} });
  return body.find(({ kind }) => kind === 'payment')?.id ?? 0;
}

async function createPaidFixture() {
  const fixture = await createFixture();
  const invoice = await issueInvoice(fixture);
  await pay(await fixture.openCheckout(invoice.token));
  const chargeId = (await fixture.stripeState())?.payments.at(-1)?.chargeId ?? '';
  return { ...fixture, invoice, chargeId, paymentId: await findPaymentId(fixture) };
}

const settle = ({ browser }: CardFixture, id: number, stillOwed: boolean) =>
  browser.call(payments.settleReturnedPayment, { params: { id }, body: { stillOwed } });

describe('open checkouts', () => {
  test.each([
    [
      'voided',
      (fixture: Fixture, id: number) =>
        fixture.browser.call(invoices.voidInvoice, { params: { id }, body: {} }),
    ],
    ['credited', creditAll],
    [
      'paid by other means',
      (fixture: Fixture) => createPayment(fixture.browser, fixture.familyId, 7000),
    ],
  ])('F16 F71 are expired when the invoice is %s', async (_, change) => {
    const fixture = await createFixture();
    const invoice = await issueInvoice(fixture);
    const sessionId = await fixture.openCheckout(invoice.token);
    await change(fixture, invoice.id);
    await stripeApp.waitUntilIdle();
    expect(await pay(sessionId)).toBe('refused');
  });

  test('F16 F71 a checkout cannot be paid if the invoice is voided while Stripe is creating it', async () => {
    const fixture = await createFixture();
    const invoice = await issueInvoice(fixture);
    await stripeApp.stripe.control.addFault({
      kind: 'slow',
      ms: 2_000,
      times: 1,
      method: 'POST',
      path: '^/v1/checkout/sessions$',
    });
    const request = fixture.payer.call(cards.payByCard, {
      params: { token: invoice.token },
      body: { currency: 'GBP' },
    });
    await waitUntil(
      async () => {
        const { rowCount } = await stripeApp.app.admin.query(
          `select from checkouts where state = 'open' and stripe_session_id is null`,
        );
        return rowCount === 1;
      },
      () => 'no checkout is being created',
    );
    await fixture.browser.call(invoices.voidInvoice, { params: { id: invoice.id }, body: {} });
    await request;
    await stripeApp.waitUntilIdle();
    const sessionId = (await fixture.stripeState())?.payments.at(-1)?.sessionId ?? '';
    expect(await pay(sessionId)).toBe('refused');
  });

  test('F71 a payment that arrives after the invoice was credited becomes credit, and the tutor and the payer are notified', async () => {
    const fixture = await createFixture();
    // The payment is acknowledged even if the tutor has turned receipts off.
    await fixture.browser.call(cards.saveDefaultMethod, {
      body: { paymentMethod: 'stripe', sendsReceipts: false },
    });
    const invoice = await issueInvoice(fixture);
    const sessionId = await fixture.openCheckout(invoice.token);
    await stripeApp.stripe.control.hold();
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
    await creditAll(fixture, invoice.id);
    await stripeApp.stripe.control.release();
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual(['GBP in credit 7000']);
    expect((await readNotifications(fixture))[0]?.text).toBe(
      'Ruth Hale paid £70.00 by card. Nothing was due, so the account is now £70.00 in credit.',
    );
    const emails = await fixture.readEmails();
    expect(emails).toHaveLength(1);
    const [mail] = emails;
    expect(mail?.text).toContain('Credit for future lessons, £70.00');
    expect(mail?.text).toContain('Your account is £70.00 in credit.');
    expect(await readBill(fixture, invoice.token)).toMatchObject({
      state: 'paid',
      credits: [{ currency: 'GBP', amount: 7000 }],
      invoice: { creditNotes: [{ total: 7000, reason: 'Lesson cancelled' }] },
    });
  });
});

describe('a payment by card', () => {
  test('F75 keeps the lines on the payment page, shows its date and method there, and sends a receipt', async () => {
    const fixture = await createPaidFixture();
    // The date is Stripe's, which does not follow the test clock.
    const date = dateInZone('Europe/London', new Date(await stripeApp.stripe.control.now()));
    const payment = { amount: 7000, currency: 'GBP', date, method: 'card' };
    expect(await readBill(fixture, fixture.invoice.token)).toMatchObject({
      state: 'paid',
      lines: [{ amount: 3500 }, { amount: 3500 }],
      payments: [payment],
    });
    expect(await readBill(fixture)).toMatchObject({
      state: 'paid',
      lines: [{ amount: 3500 }, { amount: 3500 }],
      payments: [payment],
    });
    expect(await readPdf(fixture, fixture.invoice.id)).toContain(
      `Paid on ${formatPdfDate(date)} by card`,
    );
    const emails = await fixture.readEmails();
    expect(emails).toHaveLength(1);
    // F87: the receipt shows its number, the method and the date.
    expect(emails[0]?.subject).toBe(`Receipt ${fixture.paymentId}: £70.00 received`);
    expect(emails[0]?.text).toContain(
      `I've received your payment of £70.00 (card, ${formatShortDate(date, date)}) for:`,
    );
    expect(emails[0]?.text).toContain('Your account is up to date.');
  });

  test('F75 sends no receipt if the tutor has turned receipts off', async () => {
    const fixture = await createFixture();
    const saved = await fixture.browser.call(cards.saveDefaultMethod, {
      body: { paymentMethod: 'stripe', sendsReceipts: false },
    });
    expect(saved.body).toEqual({ defaultPaymentMethod: 'stripe', sendsReceipts: false });
    await pay(await fixture.openCheckout());
    expect(await readBill(fixture)).toMatchObject({ state: 'paid' });
    expect(await fixture.readEmails()).toEqual([]);
  });

  test('F76 notifies the tutor and the payer when a bank debit fails, and the bill shows the failed payment', async () => {
    const fixture = await createFixture();
    const sessionId = await fixture.openCheckout();
    await pay(sessionId, 'bank-debit-fails');
    await stripeApp.stripe.control.settleDebit(sessionId);
    await stripeApp.waitUntilIdle();
    expect((await readNotifications(fixture))[0]).toMatchObject({
      kind: 'payment_failed',
      text: "Ruth Hale's bank payment of £70.00 didn't go through, so the amount is still owed.",
    });
    const [mail] = await fixture.readEmails();
    expect(mail?.subject).toBe("Your payment of £70.00 didn't go through");
    expect(mail?.text).toContain('You can pay again here: ');
    expect(mail?.html).toContain('Pay again');
    expect(await readBill(fixture)).toMatchObject({
      state: 'due',
      failedPayment: { amount: 7000, currency: 'GBP', date: '2026-11-16' },
    });
    await pay(await fixture.openCheckout());
    expect(await readBill(fixture)).toMatchObject({ state: 'paid', failedPayment: null });
  });
});

describe('a refund made in Stripe', () => {
  async function createRefundedFixture() {
    const fixture = await createPaidFixture();
    await stripeApp.stripe.control.refundFromDashboard(fixture.chargeId);
    await stripeApp.waitUntilIdle();
    return fixture;
  }

  test('F77 asks the tutor whether the amount is still owed, and the payer is not asked for it in the meantime', async () => {
    const fixture = await createRefundedFixture();
    expect((await readNotifications(fixture))[0]).toMatchObject({
      kind: 'payment_refunded',
      text: 'Ruth Hale was refunded £70.00 in Stripe. Is this amount still owed?',
      path: `/families/${fixture.familyId}?payment=${fixture.paymentId}`,
      requiresAction: true,
    });
    for (const token of [fixture.payToken, fixture.invoice.token]) {
      expect(await readBill(fixture, token)).toMatchObject({
        state: 'on_hold',
        amounts: [],
        onHold: [{ currency: 'GBP', amount: 7000, reason: 'refund' }],
      });
    }
    expect(await readInvoice(fixture, fixture.invoice.id)).toMatchObject({
      state: 'on_hold',
      holdReason: 'refund',
    });
    expect(await readPdf(fixture, fixture.invoice.id)).toContain('Nothing to pay at the moment.');
    const resent = await fixture.browser.call(messages.previewInvoiceMessage, {
      params: { id: fixture.invoice.id },
      body: { channel: 'email' },
    });
    expect(resent.body.text).toContain('There is nothing to pay at the moment.');
    const reminder = await fixture.browser.call(messages.previewReminder, {
      body: { familyId: fixture.familyId, channel: 'email' },
    });
    expect(reminder.status).toBe(409);
    const checkout = await fixture.payer.call(cards.payByCard, {
      params: { token: fixture.payToken },
      body: { currency: 'GBP' },
    });
    expect(checkout.status).toBe(409);
    const emails = await fixture.readEmails();
    expect(emails.map(({ subject }) => subject)).toContain('Refund of £70.00');
  });

  test('F77 "still owed" makes the amount due again', async () => {
    const fixture = await createRefundedFixture();
    const answered = await settle(fixture, fixture.paymentId, true);
    expect(answered.body).toMatchObject({ returned: [], refunds: [{ kind: 'refund' }] });
    expect(await readBill(fixture)).toMatchObject({
      state: 'due',
      amounts: [{ currency: 'GBP', due: 7000 }],
      onHold: [],
    });
  });

  test('F77 "no longer owed" credits the invoice, and a repeated answer changes nothing', async () => {
    const fixture = await createRefundedFixture();
    await settle(fixture, fixture.paymentId, false);
    await settle(fixture, fixture.paymentId, true);
    expect(await readBalances(fixture)).toEqual([]);
    expect(await readInvoice(fixture, fixture.invoice.id)).toMatchObject({
      state: 'paid',
      credited: 7000,
      creditNotes: [{ total: 7000, reason: 'Payment returned' }],
    });
  });

  test('F77 "no longer owed" without an invoice removes the charges, in part if the refund was partial', async () => {
    const fixture = await createFixture();
    await pay(await fixture.openCheckout());
    const chargeId = (await fixture.stripeState())?.payments.at(-1)?.chargeId ?? '';
    await stripeApp.stripe.control.refundFromDashboard(chargeId, 1000);
    await stripeApp.waitUntilIdle();
    const family = await readFamily(fixture.browser, fixture.familyId);
    expect(family.returnedPayments).toMatchObject([{ kind: 'refund', amount: 1000 }]);
    await settle(fixture, await findPaymentId(fixture), false);
    expect(await readBalances(fixture)).toEqual([]);
    const { entries } = await readFamily(fixture.browser, fixture.familyId);
    expect(entries.map(({ description }) => description)).toContain('No longer owed, Maths');
  });

  test('"no longer owed" also covers the part of the charges that was written off', async () => {
    const fixture = await createFixture();
    const { browser, familyId } = fixture;
    const params = { id: familyId };
    const cash = await createPayment(browser, familyId, 1000);
    await pay(await fixture.openCheckout());
    const chargeId = (await fixture.stripeState())?.payments.at(-1)?.chargeId ?? '';
    const { body: list } = await browser.call(payments.listPayments, { query: {} });
    const card = list.find(({ method }) => method === 'card')?.id ?? 0;
    await browser.call(payments.reversePayment, { params: { id: cash.id } });
    const [unpaid] = (await browser.call(arrears.arrears, { params })).body.charges;
    await browser.call(arrears.writeOff, {
      params,
      body: { chargeIds: [unpaid?.id ?? 0], currency: 'GBP', amount: 1000 },
    });
    expect(await readBalances(fixture)).toEqual([]);
    await stripeApp.stripe.control.refundFromDashboard(chargeId);
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual(['GBP owes 6000']);
    await settle(fixture, card, false);
    expect(await readBalances(fixture)).toEqual([]);
    expect((await browser.call(arrears.arrears, { params })).body.writtenOff).toEqual([]);
  });
});

describe('a dispute', () => {
  test('F77 puts the invoice on hold and is listed in the ledger; a won dispute restores the payment', async () => {
    const fixture = await createPaidFixture();
    const dispute = await stripeApp.stripe.control.openDispute(fixture.chargeId);
    await stripeApp.waitUntilIdle();
    expect((await readNotifications(fixture))[0]).toMatchObject({
      kind: 'payment_disputed',
      text: "A £70.00 card payment from Ruth Hale has been disputed. Respond in Stripe. We won't ask Ruth Hale for it in the meantime.",
      requiresAction: true,
    });
    expect(await readOpenKinds(fixture)).toEqual(['payment_disputed']);
    expect(await readInvoice(fixture, fixture.invoice.id)).toMatchObject({
      state: 'on_hold',
      holdReason: 'dispute',
    });
    expect(await readBill(fixture)).toMatchObject({
      state: 'on_hold',
      onHold: [{ reason: 'dispute' }],
    });
    const family = await readFamily(fixture.browser, fixture.familyId);
    expect(family.returnedPayments).toMatchObject([{ state: 'disputed', amount: 7000 }]);
    expect(family.entries[0]).toMatchObject({
      kind: 'dispute',
      description: 'Disputed payment',
    });
    expect((await settle(fixture, fixture.paymentId, true)).body.returned).toMatchObject([
      { state: 'disputed' },
    ]);
    await stripeApp.stripe.control.closeDispute(dispute, 'won');
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual([]);
    expect(await readInvoice(fixture, fixture.invoice.id)).toMatchObject({ state: 'paid' });
    expect(await readOpenKinds(fixture)).toEqual([]);
    expect((await readNotifications(fixture))[0]?.text).toBe(
      "You won the dispute over Ruth Hale's £70.00 payment. It's marked as paid again.",
    );
    const subjects = (await fixture.readEmails()).map(({ subject }) => subject);
    expect(subjects).toEqual(
      expect.arrayContaining(['Disputed payment of £70.00', 'Your payment of £70.00 is confirmed']),
    );
  });

  test('F77 after a lost dispute, the tutor is asked whether the amount is still owed, and automatic reminders wait for the answer', async () => {
    const fixture = await createPaidFixture();
    const dispute = await stripeApp.stripe.control.openDispute(fixture.chargeId);
    await stripeApp.waitUntilIdle();
    await stripeApp.stripe.control.closeDispute(dispute, 'lost');
    await stripeApp.waitUntilIdle();
    expect((await readNotifications(fixture))[0]?.text).toBe(
      'The bank has returned £70.00 to Ruth Hale. Is this amount still owed?',
    );
    const { body } = await fixture.browser.call(reminders.reminderSettings);
    const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
    await fixture.browser.call(reminders.saveReminderSettings, {
      body: { ...settings, overdueEnabled: true, overdueDays: [1] },
    });
    await fixture.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
    const countReminders = async () => {
      await sendDueReminders(stripeApp.app.context);
      await waitUntilMessagesProcessed(fixture.browser);
      const log = await fixture.browser.call(messages.listMessages, { query: {} });
      return log.body.filter(({ kind }) => kind === 'payment_reminder').length;
    };
    stripeApp.app.clock.advance({ days: 20 });
    expect(await countReminders()).toBe(0);
    // F78: the question stays open until it is answered, and is not asked again.
    expect(await readOpenKinds(fixture)).toEqual(['payment_disputed']);
    await settle(fixture, fixture.paymentId, true);
    expect(await readOpenKinds(fixture)).toEqual([]);
    stripeApp.app.clock.advance({ days: 1 });
    expect(await countReminders()).toBe(1);
    await stripeApp.app.restartClock();
  });
});
