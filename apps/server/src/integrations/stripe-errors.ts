import { Stripe } from 'stripe';
import {
  CardAccountAccessError,
  type CardEvent,
  CardProviderUnavailableError,
  CardRequestRejectedError,
  InvalidSignatureError,
} from './card-provider.ts';

export async function nullIfNotFound<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
    throw error;
  }
}

export async function translateErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { statusCode = 0, code, message } = error;
    const cause = { cause: error };
    if (statusCode === 403 || code === 'account_invalid')
      throw new CardAccountAccessError(message, cause);
    const isRejected =
      statusCode >= 400 && statusCode < 500 && ![401, 409, 429].includes(statusCode);
    if (isRejected) throw new CardRequestRejectedError(message, cause);
    throw new CardProviderUnavailableError(message, cause);
  }
}

export async function* translateIterationErrors<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
  const pages = list[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await translateErrors(() => pages.next());
    if (done) return;
    yield value;
  }
}

export function rethrowAsInvalidSignature(parse: () => CardEvent): CardEvent {
  try {
    return parse();
  } catch (error) {
    throw new InvalidSignatureError('The signature is invalid', { cause: error });
  }
}
