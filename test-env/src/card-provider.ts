import { type FakeStripe, type StripeOptions, startStripe } from '@lessonbook/fakes/stripe';

export interface CardProvider extends FakeStripe {
  /** Environment variables for the API and the worker. */
  env: Record<string, string>;
}

/** Test values: sender and receiver both run on this machine. */
const SECRETS = { account: 'whsec_test_accounts', connect: 'whsec_test_payments' };

/** A fake Stripe that sends its webhooks to the API at this address; the API may start later. */
export async function startCardProvider(
  apiUrl: string,
  options: StripeOptions = {},
): Promise<CardProvider> {
  const webhooksUrl = `${apiUrl}/api/stripe/webhooks`;
  const stripe = await startStripe({
    accountWebhook: { url: `${webhooksUrl}/accounts`, secret: SECRETS.account },
    connectWebhook: { url: `${webhooksUrl}/payments`, secret: SECRETS.connect },
    ...options,
  });
  return {
    ...stripe,
    env: {
      STRIPE_URL: stripe.url,
      STRIPE_SECRET_KEY: stripe.apiKey,
      STRIPE_ACCOUNT_SECRET: SECRETS.account,
      STRIPE_PAYMENT_SECRET: SECRETS.connect,
      STRIPE_DASHBOARD_URL: `${stripe.url}/dashboard`,
    },
  };
}
