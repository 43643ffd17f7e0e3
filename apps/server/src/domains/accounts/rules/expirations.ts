import { addDays } from '@lessonbook/contract/time';

/**
 * A password reset by mail keeps the second factors, otherwise access to the mailbox would bypass them. Only factors
 * added in the last few days are removed: an attacker with a stolen password may have added them to lock the owner out,
 * and the owner, notified by mail, resets the password.
 */
const RECENT_FACTOR_DAYS = 3;

/** A password reset removes the factors added since this time; all of them if the address was never verified. */
export const untrustedFactorsSince = (emailVerifiedAt: Date | null, now: Date): Date =>
  emailVerifiedAt === null ? new Date(0) : addDays(now, -RECENT_FACTOR_DAYS);

const IDLE_DAYS = 30;
const MAX_LIFETIME_DAYS = 180;
const LAST_SEEN_INTERVAL_MS = 3_600_000;

/** A login expires 30 days after its last use, and 180 days after its creation at the latest. */
export function loginExpiry(createdAt: Date, now: Date): Date {
  const idle = addDays(now, IDLE_DAYS);
  const longest = addDays(createdAt, MAX_LIFETIME_DAYS);
  return idle < longest ? idle : longest;
}

/** Limits the writes of `last_seen_at` to one an hour. */
export const isLastSeenStale = (lastSeenAt: Date, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() > LAST_SEEN_INTERVAL_MS;

export type EmailTokenPurpose = 'verify-email' | 'reset-password';

const tokenLifetimeDays: Record<EmailTokenPurpose, number> = {
  'verify-email': 3,
  'reset-password': 1 / 24,
};

export const emailTokenExpiry = (purpose: EmailTokenPurpose, now: Date): Date =>
  addDays(now, tokenLifetimeDays[purpose]);

const minutesAfter = (minutes: number) => (now: Date) => addDays(now, minutes / (24 * 60));

/** Time to choose an account at Google, including its password and second factor. */
export const oauthStateExpiry = minutesAfter(15);
/** The page redeems the ticket immediately after the redirect. */
export const ticketExpiry = minutesAfter(1);
/** Time to type the password of the existing account. */
export const linkTicketExpiry = minutesAfter(10);
/** Time to read the code from the phone and type it. */
export const mfaChallengeExpiry = minutesAfter(10);
export const passkeyChallengeExpiry = minutesAfter(6);
/** Reauthentication is required when the last one was before this time. */
export const recentAuthCutoff = minutesAfter(-10);
/** Longer than the OAuth state and a link ticket together, so that the cookie outlives both. */
export const oauthBrowserExpiry = minutesAfter(30);
