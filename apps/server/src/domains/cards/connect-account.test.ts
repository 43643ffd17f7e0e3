import { cards, STRIPE_NOT_READY_MESSAGE } from '@lessonbook/contract/card-payments';
import { notifications } from '@lessonbook/contract/notifications';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutorWithStudentAndSubject } from '../../test/lesson-fixture.ts';
import {
  createCardFixture,
  findStripeAccountId,
  type StripeTestApp,
  startStripeTestApp,
} from '../../test/stripe-test-app.ts';
import { startTestApp } from '../../test/test-app.ts';

let stripeApp: StripeTestApp;
beforeAll(async () => {
  stripeApp = await startStripeTestApp();
});
afterAll(() => stripeApp.close());

async function countStripeAccounts(): Promise<number> {
  const response = await fetch(`${stripeApp.stripe.url}/v2/core/accounts?limit=100`, {
    headers: {
      authorization: `Bearer ${stripeApp.stripe.apiKey}`,
      'stripe-version': '2026-10-28.dahlia',
    },
  });
  return ((await response.json()) as { data: unknown[] }).data.length;
}
const NOT_CONNECTED = { connected: false, onboardingComplete: false, payoutsEnabled: false };

describe('connecting an account', () => {
  test('[API-38, API-40, API-41] onboards an account and reports its status from Stripe', async () => {
    const { browser } = await createTutorWithStudentAndSubject(stripeApp.app);
    expect((await browser.call(cards.cardStatus)).body).toEqual(NOT_CONNECTED);
    expect((await browser.call(cards.defaultMethod)).body).toEqual({
      defaultPaymentMethod: 'manual',
      sendsReceipts: true,
    });
    const { body } = await browser.call(cards.createCardAccount);
    expect(body.url).toContain(stripeApp.stripe.url);
    expect((await browser.call(cards.cardStatus)).body).toEqual({
      ...NOT_CONNECTED,
      connected: true,
    });
    const page = await fetch(body.url);
    const form = /action="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const done = await fetch(new URL(form, stripeApp.stripe.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'complete' }),
    });
    expect(done.headers.get('location')).toContain('/payment-methods?stripe=success');
    expect((await browser.call(cards.cardStatus)).body).toEqual({
      connected: true,
      onboardingComplete: true,
      payoutsEnabled: true,
    });
    const again = await browser.call(cards.createCardAccount);
    expect(again.body.url).toBe('https://dashboard.stripe.com');
  });

  test('[API-41] creates only one account for repeated and concurrent requests', async () => {
    const { browser } = await createTutorWithStudentAndSubject(stripeApp.app);
    const before = await countStripeAccounts();
    // The first response is lost: the account exists at Stripe, but we do not have its id.
    await stripeApp.stripe.control.addFault({
      kind: 'done-then-reset',
      path: '^/v2/core/accounts$',
      times: 1,
    });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => browser.call(cards.createCardAccount)),
    );
    expect(responses.map((response) => response.status)).toContain(200);
    await browser.call(cards.createCardAccount);
    expect(await countStripeAccounts()).toBe(before + 1);
  });

  test('[PAYM-20, PAYM-21, PAYM-22, API-39] card payments can be enabled only after onboarding is complete', async () => {
    const { browser } = await createTutorWithStudentAndSubject(stripeApp.app);
    const choose = (paymentMethod: string) =>
      browser.call(cards.saveDefaultMethod, { body: { paymentMethod: paymentMethod as 'stripe' } });
    expect((await choose('bitcoin')).status).toBe(400);
    expect((await choose('stripe')).error).toMatchObject({ message: STRIPE_NOT_READY_MESSAGE });
    await browser.call(cards.createCardAccount);
    const rejected = await choose('stripe');
    expect(rejected.status).toBe(409);
    expect(rejected.error.message).toBe(STRIPE_NOT_READY_MESSAGE);
    await stripeApp.stripe.control.completeOnboarding(
      await findStripeAccountId(stripeApp.app, browser),
    );
    expect((await choose('stripe')).body).toEqual({
      defaultPaymentMethod: 'stripe',
      sendsReceipts: true,
    });
    expect((await browser.call(cards.defaultMethod)).body.defaultPaymentMethod).toBe('stripe');
    expect((await choose('manual')).body).toEqual({
      defaultPaymentMethod: 'manual',
      sendsReceipts: true,
    });
  });
});

describe('account problems', () => {
  const listNotifications = async (
    browser: Awaited<ReturnType<typeof createCardFixture>>['browser'],
  ) => (await browser.call(notifications.listNotifications, { query: {} })).body.notifications;

  test('notifies the tutor when payouts stop', async () => {
    const { browser, accountId } = await createCardFixture(stripeApp);
    await stripeApp.stripe.control.disablePayouts(accountId);
    await stripeApp.waitUntilIdle();
    expect(await listNotifications(browser)).toMatchObject([
      { kind: 'payouts_disabled', path: '/payment-methods', requiresAction: true },
    ]);
    expect((await browser.call(cards.cardStatus)).body.payoutsEnabled).toBe(false);
  });

  test('revoking access stops card payments, and a new account can be connected', async () => {
    const { browser, accountId, payer, payToken } = await createCardFixture(stripeApp);
    await stripeApp.stripe.control.deauthorize(accountId);
    await stripeApp.waitUntilIdle();
    expect((await browser.call(cards.cardStatus)).body).toEqual(NOT_CONNECTED);
    expect(await listNotifications(browser)).toMatchObject([{ kind: 'cards_disconnected' }]);
    const rejected = await payer.call(cards.payByCard, {
      params: { token: payToken },
      body: { currency: 'GBP' },
    });
    expect(rejected.status).toBe(409);
    const before = await countStripeAccounts();
    expect((await browser.call(cards.createCardAccount)).status).toBe(200);
    expect(await countStripeAccounts()).toBe(before + 1);
  });
});

test('disconnects an account that the provider does not recognise, and another can be connected', async () => {
  const { browser, accountId } = await createCardFixture(stripeApp);
  await stripeApp.app.admin.query(
    `update card_accounts set account_id = 'acct_1UnknownAccount' where account_id = $1`,
    [accountId],
  );
  expect((await browser.call(cards.cardStatus)).body).toEqual(NOT_CONNECTED);
  expect((await browser.call(cards.createCardAccount)).status).toBe(200);
  expect((await browser.call(cards.cardStatus)).body).toEqual({
    ...NOT_CONNECTED,
    connected: true,
  });
});

test('reports "not connected" and returns 503 when Stripe is not configured', async () => {
  const app = await startTestApp();
  const { browser } = await createTutorWithStudentAndSubject(app);
  expect((await browser.call(cards.cardStatus)).body).toEqual(NOT_CONNECTED);
  expect((await browser.call(cards.createCardAccount)).status).toBe(503);
  const posted = await fetch(`${app.url}/api/stripe/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(posted.status).toBe(503);
  await app.close();
});
