import type { Limit } from '../../../platform/rate-limit.ts';

const MINUTES = 60;
const HOURS = 3600;

/** Wrong passwords for one account, from wherever they come. */
export const loginByAccount: Limit = { name: 'login-account', burst: 10, perSeconds: HOURS };
export const loginByNetwork: Limit = {
  name: 'login-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
/** Ways to Google and back, as many as passwords. */
export const googleByNetwork: Limit = {
  name: 'google-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
export const signupByNetwork: Limit = { name: 'signup-network', burst: 10, perSeconds: HOURS };
export const resetByAccount: Limit = { name: 'reset-account', burst: 5, perSeconds: HOURS };
export const resetByNetwork: Limit = { name: 'reset-network', burst: 20, perSeconds: HOURS };
export const linkByNetwork: Limit = { name: 'link-network', burst: 30, perSeconds: 10 * MINUTES };
export const emailByTutor: Limit = { name: 'email-tutor', burst: 6, perSeconds: HOURS };
