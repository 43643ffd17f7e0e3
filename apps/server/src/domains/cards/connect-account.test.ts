import { CARD_NOT_READY, cards } from '@lessonbook/contract/cards';
import { notifications } from '@lessonbook/contract/notifications';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLessonFixture } from '../../test/lesson-fixture.ts';
import {
  createCardFixture,
  findStripeAccountId,
  type StripeTestApp,
  startStripeTestApp,
} from '../../test/stripe-test-app.ts';
import { startTestApp } from '../../test/test-app.ts';

let till: StripeTestApp;
beforeAll(async () => {
  till = await startStripeTestApp();
});
afterAll(() => till.close());

/** How many accounts there are at the provider. */
async function accounts(): Promise<number> {
  const answer = await fetch(`${till.stripe.url}/v2/core/accounts?limit=100`, {
    headers: {
      authorization: `Bearer ${till.stripe.apiKey}`,
      'stripe-version': '2026-10-28.dahlia',
    },
  });
  return ((await answer.json()) as { data: unknown[] }).data.length;
}
const none = { connected: false, onboardingComplete: false, payoutsEnabled: false };

describe('connecting', () => {
  test('[API-38, API-40, API-41] from nothing to an account that takes cards, as Stripe says', async () => {
    const { browser } = await createLessonFixture(till.app);
    expect((await browser.call(cards.cardStatus)).body).toEqual(none);
    expect((await browser.call(cards.defaultMethod)).body).toEqual({
      defaultPaymentMethod: 'manual',
    });
    const { body } = await browser.call(cards.createCardAccount);
    expect(body.url).toContain(till.stripe.url);
    expect((await browser.call(cards.cardStatus)).body).toEqual({ ...none, connected: true });
    const page = await fetch(body.url);
    const form = /action="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const done = await fetch(new URL(form, till.stripe.url), {
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

  test('[API-41] however often and at once it is asked for, there is one account', async () => {
    const { browser } = await createLessonFixture(till.app);
    const before = await accounts();
    // The first answer is lost on the way: the account exists, and we do not know.
    await till.stripe.control.addFault({
      kind: 'done-then-reset',
      path: '^/v2/core/accounts$',
      times: 1,
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => browser.call(cards.createCardAccount)),
    );
    expect(answers.map((answer) => answer.status)).toContain(200);
    await browser.call(cards.createCardAccount);
    expect(await accounts()).toBe(before + 1);
  });

  test('[PAYM-20, PAYM-21, PAYM-22, API-39] card payments can be chosen once onboarding is complete, not before', async () => {
    const { browser } = await createLessonFixture(till.app);
    const choose = (paymentMethod: string) =>
      browser.call(cards.saveDefaultMethod, { body: { paymentMethod: paymentMethod as 'stripe' } });
    expect((await choose('bitcoin')).status).toBe(400);
    expect((await choose('stripe')).error).toMatchObject({ message: CARD_NOT_READY });
    await browser.call(cards.createCardAccount);
    const refused = await choose('stripe');
    expect(refused.status).toBe(409);
    expect(refused.error.message).toBe(CARD_NOT_READY);
    await till.stripe.control.completeOnboarding(await findStripeAccountId(till.app, browser));
    expect((await choose('stripe')).body).toEqual({ defaultPaymentMethod: 'stripe' });
    expect((await browser.call(cards.defaultMethod)).body.defaultPaymentMethod).toBe('stripe');
    expect((await choose('manual')).body).toEqual({ defaultPaymentMethod: 'manual' });
  });
});

describe('what happens to an account later', () => {
  const inbox = async (browser: Awaited<ReturnType<typeof createCardFixture>>['browser']) =>
    (await browser.call(notifications.listNotifications, { query: {} })).body.notifications;

  test('the tutor is told when payouts stop', async () => {
    const { browser, accountId } = await createCardFixture(till);
    await till.stripe.control.disablePayouts(accountId);
    await till.waitUntilIdle();
    expect(await inbox(browser)).toMatchObject([
      { kind: 'payouts_disabled', path: '/payment-methods', requiresAction: true },
    ]);
    expect((await browser.call(cards.cardStatus)).body.payoutsEnabled).toBe(false);
  });

  test('an account that is taken away ends card payments, and a new one can be connected', async () => {
    const { browser, accountId, payer, payToken } = await createCardFixture(till);
    await till.stripe.control.deauthorize(accountId);
    await till.waitUntilIdle();
    expect((await browser.call(cards.cardStatus)).body).toEqual(none);
    expect(await inbox(browser)).toMatchObject([{ kind: 'cards_disconnected' }]);
    const refused = await payer.call(cards.payByCard, {
      params: { token: payToken },
      body: { currency: 'GBP' },
    });
    expect(refused.status).toBe(409);
    const before = await accounts();
    expect((await browser.call(cards.createCardAccount)).status).toBe(200);
    expect(await accounts()).toBe(before + 1);
  });
});

test('an account that the provider does not know is let go of, and another can be connected', async () => {
  const { browser, accountId } = await createCardFixture(till);
  await till.app.admin.query(
    `update card_accounts set account_id = 'acct_1NobodyKnowsThis' where account_id = $1`,
    [accountId],
  );
  expect((await browser.call(cards.cardStatus)).body).toEqual(none);
  expect((await browser.call(cards.createCardAccount)).status).toBe(200);
  expect((await browser.call(cards.cardStatus)).body).toEqual({ ...none, connected: true });
});

test('without an account at the provider, nothing is offered and nothing breaks', async () => {
  const app = await startTestApp();
  const { browser } = await createLessonFixture(app);
  expect((await browser.call(cards.cardStatus)).body).toEqual(none);
  expect((await browser.call(cards.createCardAccount)).status).toBe(503);
  const posted = await fetch(`${app.url}/api/stripe/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(posted.status).toBe(503);
  await app.close();
});
