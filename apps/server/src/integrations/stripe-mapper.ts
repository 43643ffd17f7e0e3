import type { Stripe } from 'stripe';
import type { CheckoutDetails } from './card-provider.ts';

/* Maps Stripe objects and errors to CardProvider. */

export const toDate = (seconds: number): Date => new Date(seconds * 1000);

export function toPaidAt(intent: Stripe.PaymentIntent | null): Date | null {
  const charge = intent?.latest_charge;
  return charge && typeof charge === 'object' ? toDate(charge.created) : null;
}

export function toCheckoutState(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): CheckoutDetails['state'] {
  if (session.payment_status !== 'unpaid') return 'paid';
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return 'open';
  // Completed but not paid: a delayed payment method that is still processing or has failed.
  const failed = intent?.status === 'requires_payment_method' || intent?.status === 'canceled';
  return failed ? 'failed' : 'pending';
}
