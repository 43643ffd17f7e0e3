import { Stripe } from 'stripe';
import {
  CardAccountLost,
  type CardEvent,
  CardsRefused,
  CardsUnavailable,
  type CheckoutDetails,
  InvalidSignature,
} from './card-provider.ts';

/* What Stripe says, in our words. */

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
  // Completed and unpaid: a slow way to pay that is still under way, or has come to nothing.
  const over = intent?.status === 'requires_payment_method' || intent?.status === 'canceled';
  return over ? 'failed' : 'pending';
}

/** What is not there is null; everything else that goes wrong is told. */
export async function nullIfNotFound<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
    throw error;
  }
}

/** The provider's faults in our words. */
export async function translateErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { statusCode = 0, code, message } = error;
    const cause = { cause: error };
    if (statusCode === 403 || code === 'account_invalid') throw new CardAccountLost(message, cause);
    const refused = statusCode >= 400 && statusCode < 500 && ![401, 409, 429].includes(statusCode);
    if (refused) throw new CardsRefused(message, cause);
    throw new CardsUnavailable(message, cause);
  }
}

/** Every page of a list, with its faults in our words. */
export async function* translatePageErrors<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
  const pages = list[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await translateErrors(() => pages.next());
    if (done) return;
    yield value;
  }
}

export function withSignatureCheck(read: () => CardEvent): CardEvent {
  try {
    return read();
  } catch (error) {
    throw new InvalidSignature('The signature does not fit', { cause: error });
  }
}
