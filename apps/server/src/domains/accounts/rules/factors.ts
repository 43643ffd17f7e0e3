import { addDays } from '@lessonbook/contract/time';

/**
 * A password that is chosen by mail leaves the factors alone, or a second one would be worth no more than the mailbox. Only
 * what was added a few days ago goes: whoever had stolen the password may have added it to keep the owner out, and the
 * owner, who was told by mail, comes this way.
 */
const THIEFS_DAYS = 3;

/** Factors that were added since then go when a password is chosen by mail; all of them where nobody had proven the address. */
export const distrustedSince = (emailVerifiedAt: Date | null, now: Date): Date =>
  emailVerifiedAt === null ? new Date(0) : addDays(now, -THIEFS_DAYS);
