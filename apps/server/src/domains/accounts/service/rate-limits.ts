import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const MINUTE = 60;
const HOUR = 3600;

const QUARTER_HOUR = 15 * MINUTE;

/** A burst of six, then one every 15 minutes: at most ten in any hour. */
const tenPerHour = { burst: 6, perSeconds: 6 * QUARTER_HOUR };

/** Password attempts for one account from untrusted browsers on any network. */
export const loginByAccount: RateLimit = { name: 'login-account', ...tenPerHour };
/** A trusted browser has its own bucket, so attacks from elsewhere do not lock the owner out. */
export const loginByDevice: RateLimit = { name: 'login-device', ...tenPerHour };
/** Correct passwords, for the account or for one trusted browser. */
export const correctPasswordByAccount: RateLimit = {
  name: 'login-correct',
  burst: 30,
  perSeconds: HOUR,
};
/** The password of the demo account is public, so every attempt counts. */
export const demoLoginByNetwork: RateLimit = {
  name: 'login-demo',
  burst: 20,
  perSeconds: 15 * MINUTE,
};
export const loginByNetwork: RateLimit = {
  name: 'login-network',
  burst: 100,
  perSeconds: 15 * MINUTE,
};
export const googleByNetwork: RateLimit = {
  name: 'google-network',
  burst: 100,
  perSeconds: 15 * MINUTE,
};
export const passkeyByNetwork: RateLimit = {
  name: 'passkey-network',
  burst: 100,
  perSeconds: 15 * MINUTE,
};
/** Codes and passkeys used as a second factor. */
export const mfaByAccount: RateLimit = { name: 'factor-account', ...tenPerHour };
export const reauthByTutor: RateLimit = { name: 'confirm-tutor', ...tenPerHour };
/** Changes to login settings. */
export const securityChangeByTutor: RateLimit = {
  name: 'security-tutor',
  burst: 30,
  perSeconds: HOUR,
};
export const signupByNetwork: RateLimit = { name: 'signup-network', burst: 10, perSeconds: HOUR };
export const resetByAccount: RateLimit = { name: 'reset-account', burst: 5, perSeconds: HOUR };
export const resetByNetwork: RateLimit = { name: 'reset-network', burst: 20, perSeconds: HOUR };
/** Emails with the link that starts the removal of two-step login. */
export const mfaRemovalByAccount: RateLimit = {
  name: 'mfa-removal-account',
  burst: 3,
  perSeconds: 24 * HOUR,
};
export const emailTokenByNetwork: RateLimit = {
  name: 'link-network',
  burst: 30,
  perSeconds: 10 * MINUTE,
};
export const verificationEmailByTutor: RateLimit = {
  name: 'email-tutor',
  burst: 6,
  perSeconds: HOUR,
};
