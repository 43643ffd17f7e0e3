import type { RateLimit } from '../../../platform/http/rate-limiter.ts';

const HOUR = 3600;

/** Codes sent to one address: with five attempts for each, a guess succeeds about once in 5,000 hours. */
export const codeByAddress: RateLimit = { name: 'portal-code-address', burst: 8, perSeconds: HOUR };
export const codeByNetwork: RateLimit = {
  name: 'portal-code-network',
  burst: 30,
  perSeconds: HOUR,
};
/** Some calendar apps poll every few minutes, and a person may use several. */
export const feedReadsByContact: RateLimit = { name: 'portal-feed', burst: 300, perSeconds: HOUR };
export const feedChangesByContact: RateLimit = {
  name: 'portal-feed-change',
  burst: 20,
  perSeconds: HOUR,
};
/** Each request notifies the tutor. */
export const moveRequestsByContact: RateLimit = {
  name: 'portal-move-request',
  burst: 20,
  perSeconds: 24 * HOUR,
};
/** Enough to download a year's invoices one by one. */
export const pdfByContact: RateLimit = { name: 'portal-pdf', burst: 40, perSeconds: 600 };
/** Each question notifies the tutor. */
export const chargeQueriesByContact: RateLimit = {
  name: 'portal-charge-query',
  burst: 20,
  perSeconds: 24 * HOUR,
};
/** Codes to new addresses, which may belong to anyone. */
export const emailChangesByContact: RateLimit = {
  name: 'portal-email-change',
  burst: 10,
  perSeconds: 24 * HOUR,
};
/** Each change of the phone number notifies the tutor. */
export const phoneChangesByContact: RateLimit = {
  name: 'portal-phone-change',
  burst: 10,
  perSeconds: 24 * HOUR,
};
export const reminderChangesByContact: RateLimit = {
  name: 'portal-reminder-change',
  burst: 100,
  perSeconds: HOUR,
};
export const acceptancesByContact: RateLimit = {
  name: 'portal-agreement',
  burst: 30,
  perSeconds: HOUR,
};
export const homeworkByContact: RateLimit = {
  name: 'portal-homework',
  burst: 200,
  perSeconds: HOUR,
};
export const signInByNetwork: RateLimit = {
  name: 'portal-sign-in-network',
  burst: 60,
  perSeconds: HOUR,
};
