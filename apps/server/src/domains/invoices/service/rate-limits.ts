import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const MINUTES = 60;

/** Enough for a page that polls while waiting for a payment, but too few to guess a token. */
export const billByNetwork: RateLimit = {
  name: 'bill-network',
  burst: 300,
  perSeconds: 10 * MINUTES,
};
export const claimByLink: RateLimit = { name: 'claim-link', burst: 5, perSeconds: 60 * MINUTES };
/** Lower, because each request calls the card provider. */
export const checkoutByLink: RateLimit = {
  name: 'checkout-link',
  burst: 10,
  perSeconds: 10 * MINUTES,
};
