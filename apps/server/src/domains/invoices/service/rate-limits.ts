import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const MINUTES = 60;

/** Enough for a family that polls while it waits for a payment, too few to guess a token. */
export const billByNetwork: RateLimit = {
  name: 'bill-network',
  burst: 300,
  perSeconds: 10 * MINUTES,
};
export const claimByLink: RateLimit = { name: 'claim-link', burst: 5, perSeconds: 60 * MINUTES };
/** Each request calls the card provider. */
export const checkoutByLink: RateLimit = {
  name: 'checkout-link',
  burst: 10,
  perSeconds: 10 * MINUTES,
};
