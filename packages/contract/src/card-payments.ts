import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency } from './schema-fields.ts';

/* Card payments go through the tutor's own Stripe account; the money never passes through ours. */

export const DEFAULT_METHOD_OPTIONS = ['manual', 'stripe'] as const;
export type DefaultMethod = (typeof DEFAULT_METHOD_OPTIONS)[number];

export const STRIPE_NOT_READY_MESSAGE =
  'You need to connect and setup your Stripe account before you can use Stripe Payments.';

export const StripeConnectStatus = z.object({
  connected: z.boolean(),
  onboardingComplete: z.boolean(),
  payoutsEnabled: z.boolean(),
});
export type StripeConnectStatus = z.infer<typeof StripeConnectStatus>;

const DefaultPaymentMethod = z.object({
  defaultPaymentMethod: z.enum(DEFAULT_METHOD_OPTIONS),
  /** Whether payers are emailed a receipt for each card payment. */
  sendsReceipts: z.boolean(),
});
const RedirectReply = z.object({ url: z.string() });
const WebhookReply = z.object({ received: z.boolean() });

export const DefaultMethodInput = z.object({
  paymentMethod: z.enum(DEFAULT_METHOD_OPTIONS, { error: 'Please choose a payment method' }),
  /** Undefined keeps the current setting. */
  sendsReceipts: z.optional(z.boolean()),
});

export const cards = defineEndpoints({
  cardStatus: {
    method: 'GET',
    path: '/api/stripe-connect/status',
    access: 'login',
    summary: "The status of the tutor's Stripe account",
    reply: StripeConnectStatus,
  },
  createCardAccount: {
    method: 'POST',
    path: '/api/stripe-connect/create-account',
    access: 'login',
    requires: 'recent-auth',
    summary: 'The URL for connecting a Stripe account, completing its onboarding or managing it',
    reply: RedirectReply,
  },
  defaultMethod: {
    method: 'GET',
    path: '/api/payment-methods/default',
    access: 'login',
    summary: 'The default payment method',
    reply: DefaultPaymentMethod,
  },
  saveDefaultMethod: {
    method: 'PUT',
    path: '/api/payment-methods/default',
    access: 'login',
    summary: 'Set the default payment method',
    body: DefaultMethodInput,
    reply: DefaultPaymentMethod,
  },
  payByCard: {
    method: 'POST',
    path: '/api/pay/:token/card',
    access: 'public',
    summary: 'Create a checkout for a payment link',
    params: z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) }),
    body: z.object({ currency }),
    reply: RedirectReply,
  },
  accountWebhook: {
    method: 'POST',
    path: '/api/stripe/webhooks/accounts',
    access: 'public',
    summary: 'Webhook: a Stripe account changed',
    signed: true,
    reply: WebhookReply,
  },
  paymentWebhook: {
    method: 'POST',
    path: '/api/stripe/webhooks/payments',
    access: 'public',
    summary: 'Webhook: a Stripe payment changed',
    signed: true,
    reply: WebhookReply,
  },
});
