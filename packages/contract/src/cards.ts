import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency } from './schema-fields.ts';

/* Cards, through the tutor's own account at Stripe. The money never passes through us. */

export const DEFAULT_METHODS = ['manual', 'stripe'] as const;
export type DefaultMethod = (typeof DEFAULT_METHODS)[number];

export const CARD_NOT_READY =
  'You need to connect and setup your Stripe account before you can use Stripe Payments.';

export const CardStatus = z.object({
  connected: z.boolean(),
  onboardingComplete: z.boolean(),
  payoutsEnabled: z.boolean(),
});
export type CardStatus = z.infer<typeof CardStatus>;

const DefaultPaymentMethod = z.object({ defaultPaymentMethod: z.enum(DEFAULT_METHODS) });
const RedirectReply = z.object({ url: z.string() });
const WebhookReply = z.object({ received: z.boolean() });

export const cards = defineEndpoints({
  cardStatus: {
    method: 'GET',
    path: '/api/stripe-connect/status',
    access: 'login',
    summary: "What Stripe says about the tutor's account",
    reply: CardStatus,
  },
  createCardAccount: {
    method: 'POST',
    path: '/api/stripe-connect/create-account',
    access: 'login',
    summary: 'Where to connect, to complete onboarding, or to manage the account',
    reply: RedirectReply,
  },
  defaultMethod: {
    method: 'GET',
    path: '/api/payment-methods/default',
    access: 'login',
    summary: 'How families are asked to pay',
    reply: DefaultPaymentMethod,
  },
  saveDefaultMethod: {
    method: 'PUT',
    path: '/api/payment-methods/default',
    access: 'login',
    summary: 'Choose how families are asked to pay',
    body: z.object({
      paymentMethod: z.enum(DEFAULT_METHODS, { error: 'Please choose a payment method' }),
    }),
    reply: DefaultPaymentMethod,
  },
  payByCard: {
    method: 'POST',
    path: '/api/pay/:token/card',
    access: 'public',
    summary: 'Open a fresh page of the provider to pay what a link is for',
    params: z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) }),
    body: z.object({ currency }),
    reply: RedirectReply,
  },
  accountWebhook: {
    method: 'POST',
    path: '/api/stripe/webhooks/accounts',
    access: 'public',
    summary: 'Stripe says that something about an account changed',
    signed: true,
    reply: WebhookReply,
  },
  paymentWebhook: {
    method: 'POST',
    path: '/api/stripe/webhooks/payments',
    access: 'public',
    summary: 'Stripe says that something about a payment changed',
    signed: true,
    reply: WebhookReply,
  },
});
