import { Stripe } from 'stripe';
import {
  CardAccountAccessError,
  type CardProvider,
  CardProviderUnavailableError,
  CardRequestRejectedError,
  type CardReversal,
} from './card-provider.ts';
import {
  nullIfNotFound,
  rethrowAsInvalidSignature,
  translateErrors,
  translateIterationErrors,
} from './stripe-errors.ts';
import { toCheckoutState, toDate, toPaidAt } from './stripe-mapper.ts';

export interface StripeOptions {
  secretKey: string;
  accountSecret: string;
  paymentSecret: string;
  url: string;
}

/** Short, because the payer is waiting for the page. */
const TIMEOUT_MS = 5_000;
const QUICK_TIMEOUT_MS = 2_000;

/** Disputes in these states have not withdrawn any money, or have returned it. */
const INACTIVE_DISPUTE_STATUSES = new Set([
  'won',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
]);
const FAILED_REFUND_STATUSES = new Set(['failed', 'canceled']);

export function stripeCards(options: StripeOptions): CardProvider {
  const url = new URL(options.url);
  const protocol = url.protocol === 'http:' ? 'http' : 'https';
  const stripe = new Stripe(options.secretKey, {
    host: url.hostname,
    port: url.port || (protocol === 'http' ? 80 : 443),
    protocol,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });

  const listReversals = async (
    stripeAccount: string,
    paymentIntent: string,
  ): Promise<CardReversal[]> => {
    const filter = { payment_intent: paymentIntent, limit: 100 };
    const refunds = await stripe.refunds
      .list(filter, { stripeAccount })
      .autoPagingToArray({ limit: 1_000 });
    const disputes = await stripe.disputes
      .list(filter, { stripeAccount })
      .autoPagingToArray({ limit: 1_000 });
    return [
      ...refunds.map((refund) => ({
        id: refund.id,
        kind: 'refund' as const,
        amount: refund.amount,
        at: toDate(refund.created),
        isActive: !FAILED_REFUND_STATUSES.has(refund.status ?? ''),
        isPending: false,
        requestId: refund.metadata?.['request'] ?? null,
      })),
      ...disputes.map((dispute) => ({
        id: dispute.id,
        kind: 'dispute' as const,
        amount: dispute.amount,
        at: toDate(dispute.created),
        isActive: !INACTIVE_DISPUTE_STATUSES.has(dispute.status),
        isPending: dispute.status === 'needs_response' || dispute.status === 'under_review',
        requestId: null,
      })),
    ];
  };

  const findSessionByPayment = (
    stripeAccount: string,
    paymentIntent: string,
  ): Promise<string | null> =>
    translateErrors(async () => {
      const { data } = await stripe.checkout.sessions.list(
        { payment_intent: paymentIntent, limit: 1 },
        { stripeAccount },
      );
      return data[0]?.id ?? null;
    });

  return {
    live: options.secretKey.includes('_live_'),

    createAccount: ({ key, email, name, country }) =>
      translateErrors(async () => {
        const account = await stripe.v2.core.accounts.create(
          {
            contact_email: email,
            display_name: name,
            dashboard: 'full',
            ...(country ? { identity: { country } } : {}),
            configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
            defaults: {
              responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' },
            },
          },
          { idempotencyKey: `account-${key}` },
        );
        return account.id;
      }),

    onboardingUrl: (account, { refreshUrl, returnUrl }) =>
      translateErrors(async () => {
        const link = await stripe.v2.core.accountLinks.create({
          account,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: {
              refresh_url: refreshUrl,
              return_url: returnUrl,
            },
          },
        });
        return link.url;
      }),

    accountState: (accountId, quick = false) =>
      translateErrors(async () => {
        const account = await nullIfNotFound(() =>
          stripe.v2.core.accounts.retrieve(
            accountId,
            { include: ['configuration.merchant', 'requirements'] },
            quick ? { timeout: QUICK_TIMEOUT_MS, maxNetworkRetries: 0 } : {},
          ),
        );
        // If it is not found, it was deleted or was created with a different secret key.
        if (!account || account.closed)
          throw new CardAccountAccessError('The account does not exist');
        const capabilities = account.configuration?.merchant?.capabilities;
        return {
          canTakeCards: capabilities?.card_payments?.status === 'active',
          payoutsEnabled: capabilities?.stripe_balance?.payouts?.status === 'active',
        };
      }),

    createCheckout: (stripeAccount, checkout) =>
      translateErrors(async () => {
        const { publicId, amount, currency, title } = checkout;
        const metadata = { checkout: publicId };
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: publicId,
            metadata,
            payment_intent_data: { metadata },
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: currency.toLowerCase(),
                  unit_amount: amount,
                  product_data: { name: title },
                },
              },
            ],
            success_url: checkout.successUrl,
            cancel_url: checkout.cancelUrl,
          },
          { stripeAccount, idempotencyKey: `checkout-${publicId}` },
        );
        if (session.url === null) throw new CardProviderUnavailableError('The checkout has no URL');
        return { sessionId: session.id, url: session.url };
      }),

    expireCheckout: async (stripeAccount, sessionId) => {
      try {
        await translateErrors(() =>
          stripe.checkout.sessions.expire(sessionId, {}, { stripeAccount }),
        );
      } catch (error) {
        // Stripe rejects this if the checkout has been paid or has expired.
        if (!(error instanceof CardRequestRejectedError)) throw error;
      }
    },

    getCheckout: (stripeAccount, sessionId) =>
      translateErrors(async () => {
        const session = await nullIfNotFound(() =>
          stripe.checkout.sessions.retrieve(
            sessionId,
            { expand: ['payment_intent.latest_charge'] },
            { stripeAccount },
          ),
        );
        if (session === null) return null;
        const intent = session.payment_intent as Stripe.PaymentIntent | null;
        const state = toCheckoutState(session, intent);
        return {
          sessionId: session.id,
          publicId: session.client_reference_id,
          state,
          amount: session.amount_total ?? 0,
          currency: (session.currency ?? '').toUpperCase(),
          paymentIntent: intent?.id ?? null,
          paidAt: toPaidAt(intent),
          reversals:
            state === 'paid' && intent ? await listReversals(stripeAccount, intent.id) : [],
        };
      }),

    findSessionByPayment,

    async *listSessionsChangedSince(stripeAccount, since) {
      const page = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
      const account = { stripeAccount };
      for await (const session of translateIterationErrors(
        stripe.checkout.sessions.list(page, account),
      )) {
        yield session.id;
      }
      const intents = new Set<string>();
      for await (const { payment_intent: intent } of translateIterationErrors(
        stripe.refunds.list(page, account),
      )) {
        if (typeof intent === 'string') intents.add(intent);
      }
      for await (const { payment_intent: intent } of translateIterationErrors(
        stripe.disputes.list(page, account),
      )) {
        if (typeof intent === 'string') intents.add(intent);
      }
      for (const intent of intents) {
        const sessionId = await findSessionByPayment(stripeAccount, intent);
        if (sessionId !== null) yield sessionId;
      }
    },

    refund: (stripeAccount, { requestId, paymentIntent, amount }) =>
      translateErrors(async () => {
        // Stripe keeps idempotency keys for a day, and a refund is retried for longer.
        const { data } = await stripe.refunds.list(
          { payment_intent: paymentIntent, limit: 100 },
          { stripeAccount },
        );
        const earlier = data.find(({ metadata }) => metadata?.['request'] === requestId);
        if (earlier) return earlier.id;
        const refund = await stripe.refunds.create(
          { payment_intent: paymentIntent, amount, metadata: { request: requestId } },
          { stripeAccount, idempotencyKey: `refund-${requestId}` },
        );
        return refund.id;
      }),

    parseAccountEvent: (body, signature) =>
      rethrowAsInvalidSignature(() => {
        const event = stripe.parseEventNotification(body, signature, options.accountSecret);
        const related = 'related_object' in event ? event.related_object : null;
        const account = related && 'id' in related ? String(related.id) : null;
        return {
          id: event.id,
          type: event.type,
          accountId: account,
          live: event.livemode,
          sessionId: null,
          paymentIntent: null,
        };
      }),

    parsePaymentEvent: (body, signature) =>
      rethrowAsInvalidSignature(() => {
        const event = stripe.webhooks.constructEvent(body, signature, options.paymentSecret);
        const object = event.data.object as {
          object?: string;
          id?: string;
          payment_intent?: unknown;
        };
        return {
          id: event.id,
          type: event.type,
          accountId: event.account ?? null,
          live: event.livemode,
          sessionId: object.object === 'checkout.session' ? (object.id ?? null) : null,
          paymentIntent: typeof object.payment_intent === 'string' ? object.payment_intent : null,
        };
      }),
  };
}
