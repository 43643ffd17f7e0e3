import { add24HourDays } from '@lessonbook/contract/time';

/**
 * A password reset by email keeps the second factors; otherwise, access to the mailbox would be enough to bypass them.
 * Only factors added in the last few days are removed, because an attacker with a stolen password may have added them
 * to lock the owner out. The owner is notified by email and has these few days to reset the password.
 */
const RECENT_FACTOR_DAYS = 3;

/** A password reset removes factors added since this time, or all of them if the address was never verified. */
export const untrustedFactorCutoff = (emailVerifiedAt: Date | null, now: Date): Date =>
  emailVerifiedAt === null ? new Date(0) : add24HourDays(now, -RECENT_FACTOR_DAYS);

const IDLE_DAYS = 30;
const MAX_LIFETIME_DAYS = 180;
const LAST_SEEN_INTERVAL_MS = 3_600_000;

/** A login expires 30 days after its last use, or 180 days after it was created, whichever is sooner. */
export function loginExpiry(createdAt: Date, now: Date): Date {
  const idleExpiry = add24HourDays(now, IDLE_DAYS);
  const finalExpiry = add24HourDays(createdAt, MAX_LIFETIME_DAYS);
  return idleExpiry < finalExpiry ? idleExpiry : finalExpiry;
}

/** Limits updates of `last_seen_at` to one per hour. */
export const isLastSeenStale = (lastSeenAt: Date, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() > LAST_SEEN_INTERVAL_MS;

/** The purpose is also the first part of the link's path. */
export type EmailTokenPurpose =
  | 'verify-email'
  | 'reset-password'
  | 'revert-email'
  /** Starts the waiting time before two-step login is removed. */
  | 'remove-two-step'
  /** Cancels the removal. */
  | 'keep-two-step';

const tokenLifetimeDays: Record<EmailTokenPurpose, number> = {
  'verify-email': 3,
  'reset-password': 1 / 24,
  'revert-email': 7,
  'remove-two-step': 1 / 24,
  // A day longer than the waiting time, so that the removal can check that every notice was sent.
  'keep-two-step': 4,
};

export const emailTokenExpiry = (purpose: EmailTokenPurpose, now: Date): Date =>
  add24HourDays(now, tokenLifetimeDays[purpose]);

/** The waiting time before two-step login is removed for a tutor who has lost every factor. */
const MFA_REMOVAL_DAYS = 3;
export const mfaRemovalDueAt = (now: Date): Date => add24HourDays(now, MFA_REMOVAL_DAYS);

const addMinutes = (minutes: number) => (now: Date) => add24HourDays(now, minutes / (24 * 60));

/** Allows time to choose a Google account and enter its password and second factor. */
export const oauthStateExpiry = addMinutes(15);
/** The page sends the credential immediately after the redirect. */
export const pendingSignInExpiry = addMinutes(1);
/** Allows time to type the password of the existing account. */
export const pendingLinkExpiry = addMinutes(10);
/** Allows time to read the code on a phone and type it. */
export const mfaChallengeExpiry = addMinutes(10);
export const passkeyChallengeExpiry = addMinutes(6);
/** Endpoints with `requires: 'recent-auth'` require an authentication after this time. */
export const recentAuthCutoff = addMinutes(-10);
/** Longer than the lifetimes of an OAuth state and a pending link combined, so that the cookie outlives both. */
export const oauthBrowserExpiry = addMinutes(30);
