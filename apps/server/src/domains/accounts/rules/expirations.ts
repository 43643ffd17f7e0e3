import { addDays } from '@lessonbook/contract/time';

/**
 * A password that is chosen by mail leaves the factors alone, or a second one would be worth no more than the mailbox. Only
 * what was added a few days ago goes: whoever had stolen the password may have added it to keep the owner out, and the
 * owner, who was told by mail, comes this way.
 */
const RECENT_FACTOR_DAYS = 3;

/** Factors that were added since then go when a password is chosen by mail; all of them where nobody had proven the address. */
export const untrustedFactorsSince = (emailVerifiedAt: Date | null, now: Date): Date =>
  emailVerifiedAt === null ? new Date(0) : addDays(now, -RECENT_FACTOR_DAYS);

const IDLE_DAYS = 30;
const MAX_LIFETIME_DAYS = 180;
const LAST_SEEN_INTERVAL_MS = 3_600_000;

/** A login lives 30 days from its last use, and never longer than half a year. */
export function loginExpiry(createdAt: Date, now: Date): Date {
  const idle = addDays(now, IDLE_DAYS);
  const longest = addDays(createdAt, MAX_LIFETIME_DAYS);
  return idle < longest ? idle : longest;
}

/** Writing on every request would cost more than it tells. */
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

/** Choosing an account at Google, with its password and second factor. */
export const oauthStateExpiry = minutesAfter(15);
/** What Google vouched for is used at once or not at all. */
export const ticketExpiry = minutesAfter(1);
/** Remembering and typing the password of an account that is there already. */
export const linkTicketExpiry = minutesAfter(10);
/** Taking the phone out and typing six digits. */
export const mfaChallengeExpiry = minutesAfter(10);
/** Until then a device must have answered. */
export const passkeyChallengeExpiry = minutesAfter(6);
/** For so long nobody is asked for the password again. */
export const recentAuthCutoff = minutesAfter(-10);
/** The browser must be known for all of it. */
export const oauthBrowserExpiry = minutesAfter(30);
