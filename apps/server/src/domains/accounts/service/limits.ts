import type { Limit } from '../../../platform/rate-limit.ts';

const MINUTES = 60;
const HOURS = 3600;

const QUARTERS = 15 * MINUTES;

/** Six at once and one more each quarter of an hour: in no hour more than ten. */
const tenInAnHour = { burst: 6, perSeconds: 6 * QUARTERS };

/** Passwords for one account out of browsers that nobody has logged in with before, from wherever they come. */
export const loginByAccount: Limit = { name: 'login-account', ...tenInAnHour };
/** A browser that the account knows is counted by itself: whoever is attacked from elsewhere still gets in. */
export const loginByDevice: Limit = { name: 'login-device', ...tenInAnHour };
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
export const passkeyByNetwork: Limit = {
  name: 'passkey-network',
  burst: 100,
  perSeconds: 15 * MINUTES,
};
/** Codes and passkeys after the password: whoever gets here knows the password already. */
export const factorByAccount: Limit = { name: 'factor-account', ...tenInAnHour };
/** The password or a code again, in a login. */
export const confirmByTutor: Limit = { name: 'confirm-tutor', ...tenInAnHour };
/** Changes of how one comes in. */
export const changeByTutor: Limit = { name: 'security-tutor', burst: 30, perSeconds: HOURS };
export const signupByNetwork: Limit = { name: 'signup-network', burst: 10, perSeconds: HOURS };
export const resetByAccount: Limit = { name: 'reset-account', burst: 5, perSeconds: HOURS };
export const resetByNetwork: Limit = { name: 'reset-network', burst: 20, perSeconds: HOURS };
export const linkByNetwork: Limit = { name: 'link-network', burst: 30, perSeconds: 10 * MINUTES };
export const emailByTutor: Limit = { name: 'email-tutor', burst: 6, perSeconds: HOURS };
