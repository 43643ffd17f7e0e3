import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const MINUTES = 60;
const HOURS = 3600;

const QUARTER_HOURS = 15 * MINUTES;

/** Six at once and one more each quarter of an hour: in no hour more than ten. */
const tenInAnHour = { burst: 6, perSeconds: 6 * QUARTER_HOURS };

/** Passwords for one account out of browsers that nobody has logged in with before, from wherever they come. */
export const loginByAccount: RateLimit = { name: 'login-account', ...tenInAnHour };
/** A browser that the account knows is counted by itself: whoever is attacked from elsewhere still gets in. */
export const loginByDevice: RateLimit = { name: 'login-device', ...tenInAnHour };
export const loginByNetwork: RateLimit = {
  name: 'login-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
/** Ways to Google and back, as many as passwords. */
export const googleByNetwork: RateLimit = {
  name: 'google-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
export const passkeyByNetwork: RateLimit = {
  name: 'passkey-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
/** Codes and passkeys after the password: whoever gets here knows the password already. */
export const mfaByAccount: RateLimit = { name: 'factor-account', ...tenInAnHour };
/** The password or a code again, in a login. */
export const reauthByTutor: RateLimit = { name: 'confirm-tutor', ...tenInAnHour };
/** Changes of how one comes in. */
export const securityChangeByTutor: RateLimit = {
  name: 'security-tutor',
  burst: 30,
  perSeconds: HOURS,
};
export const signupByNetwork: RateLimit = { name: 'signup-network', burst: 10, perSeconds: HOURS };
export const resetByAccount: RateLimit = { name: 'reset-account', burst: 5, perSeconds: HOURS };
export const resetByNetwork: RateLimit = { name: 'reset-network', burst: 20, perSeconds: HOURS };
export const emailTokenByNetwork: RateLimit = {
  name: 'link-network',
  burst: 30,
  perSeconds: 10 * MINUTES,
};
export const verificationEmailByTutor: RateLimit = {
  name: 'email-tutor',
  burst: 6,
  perSeconds: HOURS,
};
