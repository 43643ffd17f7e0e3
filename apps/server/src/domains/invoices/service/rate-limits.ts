import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const MINUTES = 60;

/** Looking at bills from one network, also while waiting for a payment: plenty for a family, far too few to guess a token. */
export const billByNetwork: RateLimit = {
  name: 'bill-network',
  burst: 300,
  perSeconds: 10 * MINUTES,
};
/** Saying that it was transferred. */
export const claimByLink: RateLimit = { name: 'claim-link', burst: 5, perSeconds: 60 * MINUTES };
/** Opening the card provider's page: each opening is a call to the provider. */
export const checkoutByLink: RateLimit = {
  name: 'checkout-link',
  burst: 10,
  perSeconds: 10 * MINUTES,
};
