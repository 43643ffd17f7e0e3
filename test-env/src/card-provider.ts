import { type FakeStripe, type StripeOptions, startStripe } from '@lessonbook/fakes/stripe';

export interface CardProvider extends FakeStripe {
  /** What API and worker must know to speak with it. */
  env: Record<string, string>;
}

/** Guards nothing: both ends are on this machine, and no money moves. */
const SECRETS = { account: 'whsec_stage_accounts', connect: 'whsec_stage_payments' };

/** A stand-in for Stripe whose events go to the API at this address, whether that has started already or not. */
export async function startCardProvider(
  apiUrl: string,
  options: StripeOptions = {},
): Promise<CardProvider> {
  const hooks = `${apiUrl}/api/stripe/webhooks`;
  const stripe = await startStripe({
    accountWebhook: { url: `${hooks}/accounts`, secret: SECRETS.account },
    connectWebhook: { url: `${hooks}/payments`, secret: SECRETS.connect },
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
