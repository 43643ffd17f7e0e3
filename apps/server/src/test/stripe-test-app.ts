import { accounts } from '@lessonbook/contract/accounts';
import { cards } from '@lessonbook/contract/card-payments';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { type FakeStripe, startStripe } from '@lessonbook/fakes/stripe';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import type { Browser } from './browser-client.ts';
import { createStudent } from './create-student-and-subject.ts';
import { createTutorWithStudentAndSubject } from './lesson-fixture.ts';
import { createCompletedLesson, readFamily } from './payment-fixture.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export const TEST_CARD = '4242424242424242';

export const WEBHOOK_SECRETS = { account: 'whsec_accounts', connect: 'whsec_payments' };

export const webhookEndpoints = (url: string) => ({
  account: { url: `${url}/api/stripe/webhooks/accounts`, secret: WEBHOOK_SECRETS.account },
  connect: { url: `${url}/api/stripe/webhooks/payments`, secret: WEBHOOK_SECRETS.connect },
});

export interface StripeTestApp {
  app: TestApp;
  stripe: FakeStripe;
  /** Waits until no webhook or card job is pending. */
  waitUntilIdle: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts the test app and the fake Stripe, connected over HTTP in both directions. */
export async function startStripeTestApp(
  environment: Record<string, string> = {},
): Promise<StripeTestApp> {
  const stripe = await startStripe();
  const app = await startTestApp({
    RATE_LIMIT_FACTOR: '1000',
    STRIPE_SECRET_KEY: stripe.apiKey,
    STRIPE_URL: stripe.url,
    STRIPE_ACCOUNT_SECRET: WEBHOOK_SECRETS.account,
    STRIPE_PAYMENT_SECRET: WEBHOOK_SECRETS.connect,
    ...environment,
  });
  await stripe.control.setWebhooks(webhookEndpoints(app.url));
  const waitUntilIdle = async () => {
    await waitUntil(
      async () => {
        await stripe.control.whenIdle();
        const { rows } = await app.admin.query<{ remaining: string }>(
          `select count(*) as remaining from jobs.job where name in ('card-event', 'card-refund', 'expire-checkouts') and state < 'completed'`,
        );
        return rows[0]?.remaining === '0';
      },
      () => 'card events are still being processed',
      2 * WAIT_TIMEOUT_MS,
    );
  };
  return {
    app,
    stripe,
    waitUntilIdle,
    close: async () => {
      await app.close();
      await stripe.close();
    },
  };
}

/** The Stripe account id, which the API never returns. */
export async function findStripeAccountId(
  app: Pick<TestApp, 'admin'>,
  browser: Browser,
): Promise<string> {
  const { rows } = await app.admin.query<{ account_id: string }>(
    `select c.account_id from card_accounts c join login_directory d on d.tutor_id = c.tutor_id where d.username = $1`,
    [(await browser.call(accounts.me)).body.username],
  );
  return rows[0]?.account_id ?? '';
}

export type CardFixture = Awaited<ReturnType<typeof createCardFixture>>;

/** Creates a tutor with card payments enabled, and a family that owes £35 for each of two lessons. */
export async function createCardFixture(
  { app, stripe, waitUntilIdle }: StripeTestApp,
  carer: { carerEmail?: string } = {},
) {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { browser } = fixture;
  const connected = await browser.call(cards.createCardAccount);
  if (connected.status !== 200) throw new Error(connected.error.message);
  const accountId = await findStripeAccountId(app, browser);
  await stripe.control.completeOnboarding(accountId);
  await waitUntilIdle();
  const saved = await browser.call(cards.saveDefaultMethod, { body: { paymentMethod: 'stripe' } });
  if (saved.status !== 200) throw new Error(saved.error.message);
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    ...carer,
  });
  const familyId = maya.familyId as number;
  await createCompletedLesson(fixture, maya.id, '2026-11-03');
  await createCompletedLesson(fixture, maya.id, '2026-11-10');
  const { payToken } = await readFamily(browser, familyId);
  const payer = app.browser();
  const openCheckout = async (token = payToken) => {
    const response = await payer.call(cards.payByCard, {
      params: { token },
      body: { currency: 'GBP' },
    });
    if (response.status !== 200) throw new Error(`${response.status} ${response.error.message}`);
    const [report] = await stripe.control.report(accountId);
    return report?.payments.at(-1)?.sessionId ?? '';
  };
  const stripeState = async () => (await stripe.control.report(accountId))[0];
  return {
    fixture,
    browser,
    accountId,
    maya,
    familyId,
    payToken,
    payer,
    openCheckout,
    stripeState,
  };
}
