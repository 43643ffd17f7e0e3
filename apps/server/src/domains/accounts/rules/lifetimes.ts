import { addDays } from '@lessonbook/contract/time';

const IDLE_DAYS = 30;
const LONGEST_DAYS = 180;
const SEEN_EVERY_MS = 3_600_000;

/** A login lives 30 days from its last use, and never longer than half a year. */
export function loginExpiry(createdAt: Date, now: Date): Date {
  const idle = addDays(now, IDLE_DAYS);
  const longest = addDays(createdAt, LONGEST_DAYS);
  return idle < longest ? idle : longest;
}

/** Writing on every request would cost more than it tells. */
export const isSeenLongAgo = (lastSeenAt: Date, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() > SEEN_EVERY_MS;

export type LinkPurpose = 'verify-email' | 'reset-password';

const linkDays: Record<LinkPurpose, number> = { 'verify-email': 3, 'reset-password': 1 / 24 };

export const linkExpiry = (purpose: LinkPurpose, now: Date): Date =>
  addDays(now, linkDays[purpose]);

const minutesAfter = (minutes: number) => (now: Date) => addDays(now, minutes / (24 * 60));

/** Choosing an account at Google, with its password and second factor. */
export const attemptExpiry = minutesAfter(15);
/** What Google vouched for is used at once or not at all. */
export const ticketExpiry = minutesAfter(1);
/** Remembering and typing the password of an account that is there already. */
export const linkingExpiry = minutesAfter(10);
/** Taking the phone out and typing six digits. */
export const secondStepExpiry = minutesAfter(10);
/** Until then a device must have answered. */
export const passkeyQuestionExpiry = minutesAfter(6);
/** For so long nobody is asked for the password again. */
export const confirmedSince = minutesAfter(-10);
/** The browser must be known for all of it. */
export const browserExpiry = minutesAfter(30);
