import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const MINUTES = 60;
const HOURS = 3600;

const QUARTER_HOURS = 15 * MINUTES;

/** A burst of six, then one every 15 minutes: at most ten in any hour. */
const tenInAnHour = { burst: 6, perSeconds: 6 * QUARTER_HOURS };

/** Password attempts for one account from untrusted browsers on any network. */
export const loginByAccount: RateLimit = { name: 'login-account', ...tenInAnHour };
/** A trusted browser has its own bucket, so attacks from elsewhere do not lock the owner out. */
export const loginByDevice: RateLimit = { name: 'login-device', ...tenInAnHour };
export const loginByNetwork: RateLimit = {
  name: 'login-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
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
/** Codes and passkeys used as a second factor. */
export const mfaByAccount: RateLimit = { name: 'factor-account', ...tenInAnHour };
export const reauthByTutor: RateLimit = { name: 'confirm-tutor', ...tenInAnHour };
/** Changes to login settings. */
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
