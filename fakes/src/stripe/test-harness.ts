/** Shared by the tests: the fake, the official SDK and a webhook receiver. */
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import { type Receiver, startWebhookReceiver } from '../shared/webhook-receiver.ts';
import { type FakeStripe, type StripeOptions, startStripe } from '../stripe.ts';

export const ACCOUNT_SECRET = 'whsec_account';
export const CONNECT_SECRET = 'whsec_connect';

export interface Received {
  path: string;
  body: string;
  signature: string;
}

export function startReceiver(): Promise<Receiver<Received>> {
  return startWebhookReceiver((request, body) => ({
    path: request.url ?? '',
    body,
    signature: String(request.headers['stripe-signature']),
  }));
}

export interface TestHarness {
  fake: FakeStripe;
  stripe: Stripe;
  receiver: Receiver<Received>;
  close: () => Promise<void>;
}

export async function startHarness(options: StripeOptions = {}): Promise<TestHarness> {
  const receiver = await startReceiver();
  const fake = await startStripe({
    accountWebhook: { url: `${receiver.url}/account`, secret: ACCOUNT_SECRET },
    connectWebhook: { url: `${receiver.url}/connect`, secret: CONNECT_SECRET },
    delivery: { backoff: [5, 10] },
    ...options,
  });
  return {
    fake,
    stripe: sdkFor(fake),
    receiver,
    close: async () => {
      await fake.close();
      await receiver.close();
    },
  };
}

export function sdkFor(fake: FakeStripe, apiKey = fake.apiKey): Stripe {
  const { hostname, port } = new URL(fake.url);
  return new Stripe(apiKey, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 5_000,
  });
}

export const TUTOR: Stripe.V2.Core.AccountCreateParams = {
  contact_email: 'ada@tutor.example',
  display_name: 'Ada Tutor',
  dashboard: 'full',
  identity: { country: 'GB', entity_type: 'individual' },
  configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
  defaults: {
    currency: 'gbp',
    responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' },
  },
};

/** Creates an account that can accept payments. */
export async function openAccount({ stripe, fake }: TestHarness): Promise<string> {
  const account = await stripe.v2.core.accounts.create(TUTOR);
  await fake.control.completeOnboarding(account.id);
  return account.id;
}

export function lessonCheckout(pence = 3_000): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    success_url: 'http://lessons.example/paid?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://lessons.example/cancelled',
    client_reference_id: 'pay_77',
    metadata: { payment: '77' },
    payment_intent_data: { metadata: { payment: '77' } },
    line_items: [
      {
        price_data: {
          currency: 'gbp',
          unit_amount: pence,
          product_data: { name: 'Maths, 20 November' },
        },
        quantity: 1,
      },
    ],
  };
}

/** Pays for a lesson; returns its Checkout session, payment intent and charge. */
export async function payForLesson(harness: TestHarness, account: string, pence = 3_000) {
  const { stripe, fake } = harness;
  const created = await stripe.checkout.sessions.create(lessonCheckout(pence), {
    stripeAccount: account,
  });
  await fake.control.payOnCheckoutPage(created.id, '4242424242424242');
  const session = await stripe.checkout.sessions.retrieve(
    created.id,
    { expand: ['payment_intent'] },
    { stripeAccount: account },
  );
  const intent = session.payment_intent as Stripe.PaymentIntent;
  return { session, intent, charge: intent.latest_charge as string };
}

/** Expects that all requests, responses and events conform to Stripe's API description. */
export async function expectConformance({ fake }: TestHarness): Promise<void> {
  const { available, checked, violations } = await fake.control.conformance();
  console.log(
    available
      ? `Stripe: ${checked} exchanges and events checked, ${violations.length} violations`
      : 'Stripe: conformance not checked, the API description is missing',
  );
  expect(violations).toEqual([]);
}
