import type { Context } from '../../../context.ts';
import {
  type CardProvider,
  CardProviderUnavailableError,
  CardRequestRejectedError,
} from '../../../integrations/card-provider.ts';
import { AppError } from '../../../platform/app-error.ts';

export function getProvider(context: Context): CardProvider {
  if (context.cards) return context.cards;
  throw new AppError('unavailable', 'Card payments are not set up on this server.');
}

/** Converts provider errors to an AppError with a message for the user. */
export async function withProviderErrors<T>(callProvider: () => Promise<T>): Promise<T> {
  try {
    return await callProvider();
  } catch (error) {
    if (
      !(error instanceof CardProviderUnavailableError || error instanceof CardRequestRejectedError)
    )
      throw error;
    throw new AppError(
      'unavailable',
      "Card payments aren't available right now. Nothing was charged. Please try again in a few minutes.",
      { retryAfterSeconds: 60 },
    );
  }
}
