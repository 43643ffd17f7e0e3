import { cards } from '@lessonbook/contract/cards';
import { invoices } from '@lessonbook/contract/invoices';
import { notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { publicInvoices } from '@lessonbook/contract/public-invoice';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  assertInvariants,
  createPayment,
  formatBalances,
  readFamily,
} from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { hurryRetries } from '../../test/queue-idle.ts';
import {
  type CardFixture,
  createCardFixture,
  type StripeTestApp,
  startStripeTestApp,
  TEST_CARD,
} from '../../test/stripe-test-app.ts';
import { reconcileDueTutors } from './service/reconcile.ts';

let till: StripeTestApp;
beforeAll(async () => {
  till = await startStripeTestApp();
});
afterEach(async () => {
  await till.stripe.control.clearFaults();
  await till.stripe.control.release();
  await assertInvariants(till.app);
});
afterAll(() => till.close());

const bill = async ({ payer, payToken }: CardFixture, token = payToken) =>
  (await payer.call(publicInvoices.publicBill, { params: { token } })).body;
const balance = async ({ browser, familyId }: CardFixture) =>
  formatBalances(await readFamily(browser, familyId));
const list = async ({ browser }: CardFixture) =>
  (await browser.call(payments.listPayments, { query: {} })).body;
const refund = ({ browser }: CardFixture, id: number, amount: number) =>
  browser.call(payments.refundPayment, {
    params: { id },
    body: { amount, date: '2026-11-16', note: 'A gift' },
  });

async function paidByCard(): Promise<CardFixture & { sessionId: string; paymentId: number }> {
  const book = await createCardFixture(till);
  const sessionId = await book.openCheckout();
  await till.stripe.control.payAsBrowser(sessionId, TEST_CARD);
  await till.waitUntilIdle();
  const [payment] = await list(book);
  return { ...book, sessionId, paymentId: payment?.id ?? 0 };
}

describe('a family pays by card', () => {
  test('[PROD-13] what is owed is paid by the signed word of the provider, and the tutor is told', async () => {
    const book = await createCardFixture(till);
    expect(await bill(book)).toMatchObject({ state: 'due', card: { pending: false } });
    const sessionId = await book.openCheckout();
    expect((await book.books())?.payments).toMatchObject([{ amount: 7000, currency: 'gbp' }]);
    await till.stripe.control.hold();
    await till.stripe.control.payAsBrowser(sessionId, TEST_CARD);
    // The browser is back before the word has come: nothing is marked as paid.
    expect(await balance(book)).toEqual(['GBP owes 7000']);
    await till.stripe.control.release();
    await till.waitUntilIdle();
    expect(await bill(book)).toMatchObject({ state: 'paid' });
    expect(await list(book)).toMatchObject([{ amount: 7000, method: 'card', currency: 'GBP' }]);
    const inbox = await book.browser.call(notifications.listNotifications, { query: {} });
    expect(inbox.body.notifications).toMatchObject([
      { kind: 'payment_received', text: 'Ruth Hale paid £70.00 by card.' },
    ]);
  });

  test('an invoice is paid through its own link', async () => {
    const book = await createCardFixture(till);
    const period = { familyId: book.familyId, from: '2026-11-01', to: '2026-11-05' };
    const [draft] = (await book.browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id ?? 0;
    await book.browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const issued = async () => (await book.browser.call(invoices.invoice, { params: { id } })).body;
    const token = (await issued()).token ?? '';
    const paper = await fetchPdfPages(till.app.url, book.browser, `/api/invoices/${id}.pdf`);
    expect(paper.join(' ').replaceAll(/\s/g, '')).toContain(
      `Bycard${till.app.context.config.origin}/pay/${token}`,
    );
    const sessionId = await book.openCheckout(token);
    await till.stripe.control.payAsBrowser(sessionId, TEST_CARD);
    await till.waitUntilIdle();
    expect(await issued()).toMatchObject({ state: 'paid', due: 0 });
    expect(await balance(book)).toEqual(['GBP owes 3500']);
  });

  test('a declined card pays nothing, the next one does', async () => {
    const book = await createCardFixture(till);
    const sessionId = await book.openCheckout();
    await till.stripe.control.payAsBrowser(sessionId, '4000000000000002');
    await till.waitUntilIdle();
    expect(await balance(book)).toEqual(['GBP owes 7000']);
    await till.stripe.control.payAsBrowser(sessionId, TEST_CARD);
    await till.waitUntilIdle();
    expect(await list(book)).toHaveLength(1);
  });

  test('a slow way to pay is shown as on its way, and counts when it has come', async () => {
    const book = await createCardFixture(till);
    const sessionId = await book.openCheckout();
    await till.stripe.control.payAsBrowser(sessionId, 'bank-debit-succeeds');
    await till.waitUntilIdle();
    expect(await bill(book)).toMatchObject({ state: 'due', card: { pending: true } });
    // Whoever still has the old page open is not charged a second time.
    const again = await book.payer.call(cards.payByCard, {
      params: { token: book.payToken },
      body: { currency: 'GBP' },
    });
    expect(again.status).toBe(409);
    expect(again.error.message).toMatch(/on its way already/);
    await till.stripe.control.settleDebit(sessionId);
    await till.waitUntilIdle();
    expect(await bill(book)).toMatchObject({ state: 'paid', card: { pending: false } });

    const failing = await createCardFixture(till);
    const other = await failing.openCheckout();
    await till.stripe.control.payAsBrowser(other, 'bank-debit-fails');
    await till.waitUntilIdle();
    await till.stripe.control.settleDebit(other);
    await till.waitUntilIdle();
    expect(await bill(failing)).toMatchObject({ state: 'due', card: { pending: false } });
  });

  test('whoever opens it twice can pay only once, and what is paid meanwhile is not asked again', async () => {
    const book = await createCardFixture(till);
    const first = await book.openCheckout();
    const second = await book.openCheckout();
    await expect(till.stripe.control.payAsBrowser(first, TEST_CARD)).resolves.not.toMatchObject({
      outcome: 'paid',
    });
    await till.stripe.control.hold();
    await till.stripe.control.payAsBrowser(second, TEST_CARD);
    const third = await book.payer.call(cards.payByCard, {
      params: { token: book.payToken },
      body: { currency: 'GBP' },
    });
    expect(third.status).toBe(409);
    expect(third.error.message).toBe('This has been paid already. Thank you!');
    await till.stripe.control.release();
    await till.waitUntilIdle();
    expect(await list(book)).toHaveLength(1);
  });

  test('two windows at the same moment open one page to pay', async () => {
    const book = await createCardFixture(till);
    const press = () =>
      book.payer.call(cards.payByCard, {
        params: { token: book.payToken },
        body: { currency: 'GBP' },
      });
    const answers = await Promise.all([press(), press(), press(), press()]);
    const open = (await book.books())?.payments.filter(({ state }) => state === 'open') ?? [];
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(open).toHaveLength(1);
  });

  test('[T09] what is asked for is what is owed in that moment, whatever was paid by hand', async () => {
    const book = await createCardFixture(till);
    await createPayment(book.browser, book.familyId, 2000);
    await book.openCheckout();
    expect((await book.books())?.payments).toMatchObject([{ amount: 5000 }]);
  });
});

describe('money goes back', () => {
  test('a refund in part is asked for, done by the provider, and then stands in the book', async () => {
    const book = await paidByCard();
    await till.stripe.control.addFault({
      kind: 'status',
      status: 500,
      path: '^/v1/refunds',
      times: 2,
    });
    const asked = await refund(book, book.paymentId, 2000);
    expect(asked.body).toMatchObject({ refundsWaiting: 2000, refunded: 0 });
    expect((await refund(book, book.paymentId, 5001)).status).toBe(400);
    await hurryRetries(till.app, 'card-refund');
    await till.waitUntilIdle();
    const { body } = await book.browser.call(payments.payment, { params: { id: book.paymentId } });
    expect(body).toMatchObject({ refundsWaiting: 0, refunded: 2000 });
    expect((await book.books())?.refunds).toMatchObject([{ amount: 2000 }]);
    expect(await balance(book)).toEqual(['GBP owes 2000']);
  });

  test('a refund from the provider’s own pages reaches the book as well', async () => {
    const book = await paidByCard();
    const [payment] = (await book.books())?.payments ?? [];
    await till.stripe.control.refundFromDashboard(payment?.chargeId ?? '', 3000);
    await till.stripe.control.refundFromDashboard(payment?.chargeId ?? '');
    await till.waitUntilIdle();
    expect(await balance(book)).toEqual(['GBP owes 7000']);
  });

  test('a refund that fails later is taken back, and the tutor is told', async () => {
    const book = await paidByCard();
    await refund(book, book.paymentId, 7000);
    await till.waitUntilIdle();
    expect(await balance(book)).toEqual(['GBP owes 7000']);
    const [made] = (await book.books())?.refunds ?? [];
    await till.stripe.control.failRefund(made?.id ?? '');
    await till.waitUntilIdle();
    expect(await balance(book)).toEqual([]);
    const inbox = await book.browser.call(notifications.listNotifications, { query: {} });
    expect(inbox.body.notifications[0]).toMatchObject({
      kind: 'refund_failed',
      requiresAction: true,
    });
  });

  test('a dispute takes the money out of the book until it is won', async () => {
    const book = await paidByCard();
    const [payment] = (await book.books())?.payments ?? [];
    const dispute = await till.stripe.control.openDispute(payment?.chargeId ?? '');
    await till.waitUntilIdle();
    expect(await balance(book)).toEqual(['GBP owes 7000']);
    await till.stripe.control.closeDispute(dispute, 'won');
    await till.waitUntilIdle();
    expect(await balance(book)).toEqual([]);
    const inbox = await book.browser.call(notifications.listNotifications, { query: {} });
    expect(inbox.body.notifications.map(({ kind }) => kind)).toEqual([
      'payment_disputed',
      'payment_disputed',
      'payment_received',
    ]);
  });
});

describe('words that are not to be believed', () => {
  test('[T21] forged, stale, unsigned, of another account or of the other mode: nothing changes', async () => {
    const book = await createCardFixture(till);
    const sessionId = await book.openCheckout();
    const object = { id: sessionId, object: 'checkout.session', payment_status: 'paid' };
    for (const kind of ['wrong-signature', 'stale', 'tampered', 'no-signature'] as const) {
      const answer = await till.stripe.control.sendForged(kind, {
        account: book.accountId,
        object,
      });
      expect(answer.status, kind).toBe(400);
    }
    for (const kind of ['other-account', 'wrong-mode'] as const) {
      const answer = await till.stripe.control.sendForged(kind, { object });
      expect(answer.text, kind).toBe('{"received":false}');
    }
    await till.waitUntilIdle();
    expect(await list(book)).toEqual([]);
    const taken = await till.app.admin.query(
      `select 1 from webhook_events where type like 'checkout%' and account_id = $1`,
      [book.accountId],
    );
    expect(taken.rowCount).toBe(0);
  });

  test('[T21] a signed word about another tutor’s checkout pays nothing here', async () => {
    const [mine, theirs] = [await createCardFixture(till), await createCardFixture(till)];
    const sessionId = await theirs.openCheckout();
    await till.stripe.control.hold();
    await till.stripe.control.payAsBrowser(sessionId, TEST_CARD);
    const event = (await till.stripe.control.events('checkout.session.completed')).at(-1);
    await till.app.admin.query(
      'update stripe_account_index set tutor_id = tutor_id where account_id = $1',
      [mine.accountId],
    );
    expect(event).toMatchObject({ account: theirs.accountId });
    await till.stripe.control.release();
    await till.waitUntilIdle();
    expect(await list(mine)).toEqual([]);
    expect(await list(theirs)).toHaveLength(1);
  });
});

describe('[V16.5.2] when the provider is away', () => {
  test.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
    { kind: 'reset' },
    { kind: 'hang' },
  ] as const)(
    '%o: the pay page says so kindly, everything else works, nothing is charged twice',
    async (fault) => {
      const book = await createCardFixture(till);
      await till.stripe.control.addFault(fault);
      const refused = await book.payer.call(cards.payByCard, {
        params: { token: book.payToken },
        body: { currency: 'GBP' },
      });
      expect(refused.status).toBe(503);
      expect(refused.error.message).toMatch(/Nothing was charged/);
      expect(await bill(book)).toMatchObject({ state: 'due', card: { pending: false } });
      expect((await book.browser.call(cards.cardStatus)).body).toMatchObject({ connected: true });
      expect((await createPayment(book.browser, book.familyId, 1000)).amount).toBe(1000);
      await till.stripe.control.clearFaults();
      const sessionId = await book.openCheckout();
      await till.stripe.control.payAsBrowser(sessionId, TEST_CARD);
      await till.waitUntilIdle();
      expect(await balance(book)).toEqual([]);
    },
  );

  test('an answer that was lost, and no event either: the comparison finds the payment', async () => {
    const book = await createCardFixture(till);
    await till.stripe.control.addFault({
      kind: 'done-then-reset',
      path: '^/v1/checkout/sessions$',
      method: 'POST',
      times: 2,
    });
    const lost = await book.payer.call(cards.payByCard, {
      params: { token: book.payToken },
      body: { currency: 'GBP' },
    });
    expect(lost.status).toBe(503);
    const [begun] = (await book.books())?.payments ?? [];
    await till.stripe.control.setWebhooks({ connect: null });
    await till.stripe.control.payAsBrowser(begun?.sessionId ?? '', TEST_CARD);
    await till.waitUntilIdle();
    expect(await list(book)).toEqual([]);
    till.app.clock.forward({ minutes: 20 });
    await reconcileDueTutors(till.app.context);
    till.app.clock.restart();
    expect(await list(book)).toMatchObject([{ amount: 7000, method: 'card' }]);
    await till.stripe.control.setWebhooks({
      connect: {
        url: `${till.app.url}/api/stripe/webhooks/payments`,
        secret: 'whsec_payments',
      },
    });
  });
});

test("nothing that was said to or by the provider breaks the provider's own description", async () => {
  const { checked, violations, available } = await till.stripe.control.conformance();
  process.stdout.write(
    available
      ? `[cards] ${checked} exchanges held against the description\n`
      : '[cards] the description is absent: nothing was held against it\n',
  );
  expect(violations).toEqual([]);
});
