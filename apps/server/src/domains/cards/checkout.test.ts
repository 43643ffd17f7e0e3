import { accounts } from '@lessonbook/contract/accounts';
import { cards } from '@lessonbook/contract/card-payments';
import { invoices } from '@lessonbook/contract/invoices';
import { notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { publicBills } from '@lessonbook/contract/public-bill';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findTutorId } from '../../test/create-tutor.ts';
import {
  assertInvariants,
  createPayment,
  formatBalances,
  postPayment,
  readFamily,
} from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { sendWhileLocked } from '../../test/send-while-locked.ts';
import {
  type CardFixture,
  createCardFixture,
  type StripeTestApp,
  startStripeTestApp,
  TEST_CARD,
} from '../../test/stripe-test-app.ts';
import {
  postponeRetries,
  retryFailedJobsNow,
} from '../../test/wait-for-queue-and-control-retries.ts';
import { reconcileDueTutors } from './service/reconcile.ts';

let stripeApp: StripeTestApp;
beforeAll(async () => {
  stripeApp = await startStripeTestApp();
});
afterEach(async () => {
  await stripeApp.stripe.control.clearFaults();
  await stripeApp.stripe.control.release();
  await assertInvariants(stripeApp.app);
});
afterAll(() => stripeApp.close());

const readBill = async ({ payer, payToken }: CardFixture, token = payToken) =>
  (await payer.call(publicBills.publicBill, { params: { token } })).body;
const readBalances = async ({ browser, familyId }: CardFixture) =>
  formatBalances(await readFamily(browser, familyId));
const listPayments = async ({ browser }: CardFixture) =>
  (await browser.call(payments.listPayments, { query: {} })).body;
const requestRefund = ({ browser }: CardFixture, id: number, amount: number) =>
  browser.call(payments.refundPayment, {
    params: { id },
    body: { amount, date: '2026-11-16', note: 'A gift' },
  });

async function createPaidFixture(): Promise<
  CardFixture & { sessionId: string; paymentId: number }
> {
  const fixture = await createCardFixture(stripeApp);
  const sessionId = await fixture.openCheckout();
  await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
  await stripeApp.waitUntilIdle();
  const [payment] = await listPayments(fixture);
  return { ...fixture, sessionId, paymentId: payment?.id ?? 0 };
}

describe('paying by card', () => {
  test('[PROD-13] records the payment when a signed webhook arrives and notifies the tutor', async () => {
    const fixture = await createCardFixture(stripeApp);
    expect(await readBill(fixture)).toMatchObject({ state: 'due', card: { pending: false } });
    const sessionId = await fixture.openCheckout();
    expect((await fixture.stripeState())?.payments).toMatchObject([
      { amount: 7000, currency: 'gbp' },
    ]);
    await stripeApp.stripe.control.hold();
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
    // The browser returns before the webhook arrives, so nothing is marked as paid yet.
    expect(await readBalances(fixture)).toEqual(['GBP owes 7000']);
    await stripeApp.stripe.control.release();
    await stripeApp.waitUntilIdle();
    expect(await readBill(fixture)).toMatchObject({ state: 'paid' });
    expect(await listPayments(fixture)).toMatchObject([
      { amount: 7000, method: 'card', currency: 'GBP' },
    ]);
    const notificationList = await fixture.browser.call(notifications.listNotifications, {
      query: {},
    });
    expect(notificationList.body.notifications).toMatchObject([
      { kind: 'payment_received', text: 'Ruth Hale paid £70.00 by card.' },
    ]);
  });

  test('lets a payer pay an invoice through its link', async () => {
    const fixture = await createCardFixture(stripeApp);
    const period = { familyId: fixture.familyId, from: '2026-11-01', to: '2026-11-05' };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id ?? 0;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const readInvoice = async () =>
      (await fixture.browser.call(invoices.invoice, { params: { id } })).body;
    const token = (await readInvoice()).token ?? '';
    const pages = await fetchPdfPages(
      stripeApp.app.url,
      fixture.browser,
      `/api/invoices/${id}.pdf`,
    );
    expect(pages.join(' ').replaceAll(/\s/g, '')).toContain(
      `Bycard${stripeApp.app.context.config.origin}/pay/${token}`,
    );
    const sessionId = await fixture.openCheckout(token);
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
    await stripeApp.waitUntilIdle();
    expect(await readInvoice()).toMatchObject({ state: 'paid', due: 0 });
    expect(await readBalances(fixture)).toEqual(['GBP owes 3500']);
  });

  test('records nothing when a card is declined, then records the payment made with another card', async () => {
    const fixture = await createCardFixture(stripeApp);
    const sessionId = await fixture.openCheckout();
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, '4000000000000002');
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual(['GBP owes 7000']);
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
    await stripeApp.waitUntilIdle();
    expect(await listPayments(fixture)).toHaveLength(1);
  });

  test('shows a bank debit as pending and records it when it succeeds', async () => {
    const fixture = await createCardFixture(stripeApp);
    const sessionId = await fixture.openCheckout();
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, 'bank-debit-succeeds');
    await stripeApp.waitUntilIdle();
    expect(await readBill(fixture)).toMatchObject({ state: 'due', card: { pending: true } });
    // A payer who still has the old page open is not charged twice.
    const again = await fixture.payer.call(cards.payByCard, {
      params: { token: fixture.payToken },
      body: { currency: 'GBP' },
    });
    expect(again.status).toBe(409);
    expect(again.error.message).toMatch(/already being processed/);
    await stripeApp.stripe.control.settleDebit(sessionId);
    await stripeApp.waitUntilIdle();
    expect(await readBill(fixture)).toMatchObject({ state: 'paid', card: { pending: false } });

    const failing = await createCardFixture(stripeApp);
    const failingSessionId = await failing.openCheckout();
    await stripeApp.stripe.control.payOnCheckoutPage(failingSessionId, 'bank-debit-fails');
    await stripeApp.waitUntilIdle();
    await stripeApp.stripe.control.settleDebit(failingSessionId);
    await stripeApp.waitUntilIdle();
    expect(await readBill(failing)).toMatchObject({ state: 'due', card: { pending: false } });
  });

  test('expires the first checkout when a second is opened, and returns 409 when the amount has already been paid', async () => {
    const fixture = await createCardFixture(stripeApp);
    const first = await fixture.openCheckout();
    const second = await fixture.openCheckout();
    await expect(
      stripeApp.stripe.control.payOnCheckoutPage(first, TEST_CARD),
    ).resolves.not.toMatchObject({
      outcome: 'paid',
    });
    await stripeApp.stripe.control.hold();
    await stripeApp.stripe.control.payOnCheckoutPage(second, TEST_CARD);
    const third = await fixture.payer.call(cards.payByCard, {
      params: { token: fixture.payToken },
      body: { currency: 'GBP' },
    });
    expect(third.status).toBe(409);
    expect(third.error.message).toBe('This has already been paid. Thank you!');
    await stripeApp.stripe.control.release();
    await stripeApp.waitUntilIdle();
    expect(await listPayments(fixture)).toHaveLength(1);
  });

  test('F14 creates no checkout if the amount is paid while the request waits for the lock', async () => {
    const fixture = await createCardFixture(stripeApp);
    const { username } = (await fixture.browser.call(accounts.me)).body;
    const tutorId = await findTutorId(stripeApp.app, { username });
    const [paid, checkout] = await sendWhileLocked<{ status: number }>(
      stripeApp.app.context.db,
      tutorId,
      [
        () => postPayment(fixture.browser, fixture.familyId, 7000),
        () =>
          fixture.payer.call(cards.payByCard, {
            params: { token: fixture.payToken },
            body: { currency: 'GBP' },
          }),
      ],
    );
    expect([paid?.status, checkout?.status]).toEqual([201, 409]);
    expect((await fixture.stripeState())?.payments ?? []).toEqual([]);
  });

  test('opens one checkout for concurrent requests', async () => {
    const fixture = await createCardFixture(stripeApp);
    const pay = () =>
      fixture.payer.call(cards.payByCard, {
        params: { token: fixture.payToken },
        body: { currency: 'GBP' },
      });
    const responses = await Promise.all([pay(), pay(), pay(), pay()]);
    const open =
      (await fixture.stripeState())?.payments.filter(({ state }) => state === 'open') ?? [];
    expect(responses.map(({ status }) => status)).toContain(200);
    expect(open).toHaveLength(1);
  });

  test('[T09] charges only the balance left after manual payments', async () => {
    const fixture = await createCardFixture(stripeApp);
    await createPayment(fixture.browser, fixture.familyId, 2000);
    await fixture.openCheckout();
    expect((await fixture.stripeState())?.payments).toMatchObject([{ amount: 5000 }]);
  });
});

describe('refunds and disputes', () => {
  test('records a partial refund once the provider has made it', async () => {
    const fixture = await createPaidFixture();
    await stripeApp.stripe.control.addFault({
      kind: 'status',
      status: 500,
      path: '^/v1/refunds',
      times: 2,
    });
    const requested = await requestRefund(fixture, fixture.paymentId, 2000);
    expect(requested.body).toMatchObject({ pendingRefundAmount: 2000, refunded: 0 });
    expect((await requestRefund(fixture, fixture.paymentId, 5001)).status).toBe(400);
    await retryFailedJobsNow(stripeApp.app, 'card-refund');
    await stripeApp.waitUntilIdle();
    const { body } = await fixture.browser.call(payments.payment, {
      params: { id: fixture.paymentId },
    });
    expect(body).toMatchObject({ pendingRefundAmount: 0, refunded: 2000 });
    expect((await fixture.stripeState())?.refunds).toMatchObject([{ amount: 2000 }]);
    expect(await readBalances(fixture)).toEqual(['GBP owes 2000']);
  });

  test('F17 a refund that succeeded is recorded even if the checkout cannot be read afterwards', async () => {
    const fixture = await createPaidFixture();
    const { control } = stripeApp.stripe;
    await control.addFault({ kind: 'status', status: 403, path: '^/v1/checkout', times: 100 });
    await requestRefund(fixture, fixture.paymentId, 2000);
    const readPayment = async () =>
      (await fixture.browser.call(payments.payment, { params: { id: fixture.paymentId } })).body;
    await waitUntil(
      async () => (await readPayment()).pendingRefundAmount === 0,
      () => 'the refund is still pending',
    );
    expect(await readPayment()).toMatchObject({ refunded: 2000, refunds: [{ amount: -2000 }] });
    await postponeRetries(stripeApp.app, 'card-event');
    await control.clearFaults();
    await retryFailedJobsNow(stripeApp.app, 'card-event');
    await stripeApp.waitUntilIdle();
    expect(await readPayment()).toMatchObject({ refunded: 2000, refunds: [{ amount: -2000 }] });
    expect((await fixture.stripeState())?.refunds).toHaveLength(1);
    const list = await fixture.browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.notifications.map(({ kind }) => kind)).not.toContain('refund_failed');
  });

  test('F17 a refund that the provider has accepted is not requested again, nor reported as failed', async () => {
    const fixture = await createPaidFixture();
    const { control } = stripeApp.stripe;
    await control.addFault({ kind: 'status', status: 500, path: '^/v1/checkout', times: 100 });
    await requestRefund(fixture, fixture.paymentId, 2000);
    // Without this, the worker could retry between the two faults and succeed.
    await postponeRetries(stripeApp.app, 'card-refund');
    await control.clearFaults();
    await control.addFault({
      kind: 'status',
      status: 403,
      path: '^/v1/refunds$',
      method: 'POST',
      times: 100,
    });
    await retryFailedJobsNow(stripeApp.app, 'card-refund');
    await waitUntil(
      async () => (await readBalances(fixture)).join() === 'GBP owes 2000',
      () => 'the refund is not recorded',
    );
    const list = await fixture.browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.notifications.map(({ kind }) => kind)).not.toContain('refund_failed');
  });

  test('records refunds made in the provider’s dashboard', async () => {
    const fixture = await createPaidFixture();
    const [payment] = (await fixture.stripeState())?.payments ?? [];
    await stripeApp.stripe.control.refundFromDashboard(payment?.chargeId ?? '', 3000);
    await stripeApp.stripe.control.refundFromDashboard(payment?.chargeId ?? '');
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual(['GBP owes 7000']);
  });

  test('undoes a refund that fails later and notifies the tutor', async () => {
    const fixture = await createPaidFixture();
    await requestRefund(fixture, fixture.paymentId, 7000);
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual(['GBP owes 7000']);
    const [created] = (await fixture.stripeState())?.refunds ?? [];
    await stripeApp.stripe.control.failRefund(created?.id ?? '');
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual([]);
    const notificationList = await fixture.browser.call(notifications.listNotifications, {
      query: {},
    });
    expect(notificationList.body.notifications[0]).toMatchObject({
      kind: 'refund_failed',
      requiresAction: true,
    });
  });

  test('removes a disputed payment from the balance until the dispute is won', async () => {
    const fixture = await createPaidFixture();
    const [payment] = (await fixture.stripeState())?.payments ?? [];
    const dispute = await stripeApp.stripe.control.openDispute(payment?.chargeId ?? '');
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual(['GBP owes 7000']);
    await stripeApp.stripe.control.closeDispute(dispute, 'won');
    await stripeApp.waitUntilIdle();
    expect(await readBalances(fixture)).toEqual([]);
    const notificationList = await fixture.browser.call(notifications.listNotifications, {
      query: {},
    });
    expect(notificationList.body.notifications.map(({ kind }) => kind)).toEqual([
      'payment_disputed',
      'payment_disputed',
      'payment_received',
    ]);
  });
});

describe('untrusted webhooks', () => {
  test('[T21] ignores events that are forged, stale, unsigned, or from another account or mode', async () => {
    const fixture = await createCardFixture(stripeApp);
    const sessionId = await fixture.openCheckout();
    const object = { id: sessionId, object: 'checkout.session', payment_status: 'paid' };
    for (const kind of ['wrong-signature', 'stale', 'tampered', 'no-signature'] as const) {
      const response = await stripeApp.stripe.control.sendForged(kind, {
        account: fixture.accountId,
        object,
      });
      expect(response.status, kind).toBe(400);
    }
    for (const kind of ['other-account', 'wrong-mode'] as const) {
      const response = await stripeApp.stripe.control.sendForged(kind, { object });
      expect(response.text, kind).toBe('{"received":false}');
    }
    await stripeApp.waitUntilIdle();
    expect(await listPayments(fixture)).toEqual([]);
    const stored = await stripeApp.app.admin.query(
      `select 1 from webhook_events where type like 'checkout%' and account_id = $1`,
      [fixture.accountId],
    );
    expect(stored.rowCount).toBe(0);
  });

  test('[T21] a signed event for another tutor’s checkout records nothing for this tutor', async () => {
    const [mine, theirs] = [await createCardFixture(stripeApp), await createCardFixture(stripeApp)];
    const sessionId = await theirs.openCheckout();
    await stripeApp.stripe.control.hold();
    await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
    const event = (await stripeApp.stripe.control.events('checkout.session.completed')).at(-1);
    await stripeApp.app.admin.query(
      'update stripe_account_index set tutor_id = tutor_id where account_id = $1',
      [mine.accountId],
    );
    expect(event).toMatchObject({ account: theirs.accountId });
    await stripeApp.stripe.control.release();
    await stripeApp.waitUntilIdle();
    expect(await listPayments(mine)).toEqual([]);
    expect(await listPayments(theirs)).toHaveLength(1);
  });
});

describe('[V16.5.2] when the provider is unavailable', () => {
  test.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
    { kind: 'reset' },
    { kind: 'hang' },
  ] as const)(
    '%o: paying returns 503, everything else works and nothing is charged twice',
    async (fault) => {
      const fixture = await createCardFixture(stripeApp);
      await stripeApp.stripe.control.addFault(fault);
      const rejected = await fixture.payer.call(cards.payByCard, {
        params: { token: fixture.payToken },
        body: { currency: 'GBP' },
      });
      expect(rejected.status).toBe(503);
      expect(rejected.error.message).toMatch(/Nothing was charged/);
      expect(await readBill(fixture)).toMatchObject({ state: 'due', card: { pending: false } });
      expect((await fixture.browser.call(cards.cardStatus)).body).toMatchObject({
        connected: true,
      });
      expect((await createPayment(fixture.browser, fixture.familyId, 1000)).amount).toBe(1000);
      await stripeApp.stripe.control.clearFaults();
      const sessionId = await fixture.openCheckout();
      await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
      await stripeApp.waitUntilIdle();
      expect(await readBalances(fixture)).toEqual([]);
    },
  );

  test('reconciliation finds a payment when both the response and the event were lost', async () => {
    const fixture = await createCardFixture(stripeApp);
    await stripeApp.stripe.control.addFault({
      kind: 'done-then-reset',
      path: '^/v1/checkout/sessions$',
      method: 'POST',
      times: 2,
    });
    const lost = await fixture.payer.call(cards.payByCard, {
      params: { token: fixture.payToken },
      body: { currency: 'GBP' },
    });
    expect(lost.status).toBe(503);
    const [checkout] = (await fixture.stripeState())?.payments ?? [];
    await stripeApp.stripe.control.setWebhooks({ connect: null });
    await stripeApp.stripe.control.payOnCheckoutPage(checkout?.sessionId ?? '', TEST_CARD);
    await stripeApp.waitUntilIdle();
    expect(await listPayments(fixture)).toEqual([]);
    stripeApp.app.clock.advance({ minutes: 20 });
    await reconcileDueTutors(stripeApp.app.context);
    stripeApp.app.clock.restart();
    expect(await listPayments(fixture)).toMatchObject([{ amount: 7000, method: 'card' }]);
    await stripeApp.stripe.control.setWebhooks({
      connect: {
        url: `${stripeApp.app.url}/api/stripe/webhooks/payments`,
        secret: 'whsec_payments',
      },
    });
  });
});

test("requests and responses conform to the provider's API specification", async () => {
  const { checked, violations, available } = await stripeApp.stripe.control.conformance();
  process.stdout.write(
    available
      ? `[cards] ${checked} exchanges checked against the API specification\n`
      : '[cards] the API specification is not available: nothing was checked\n',
  );
  expect(violations).toEqual([]);
});
