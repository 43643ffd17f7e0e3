import type { OfflineBook } from '@lessonbook/contract/offline';

/** So long after the last answer of the server a device forgets. */
export const KEPT_MS = 7 * 86_400_000;
/** Clocks are put right by a little all the time; more than this is somebody turning it back. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** What lies in the device. All times are of its own clock, which is the only one there is without a network. */
export interface KeptBook {
  book: OfflineBook;
  keptAt: number;
  keptUntil: number;
  /** When it was last looked at: time does not go back behind it. */
  seenAt: number;
}

/** Whether it may still be shown, at this time and to whom the device belongs. */
export function isStillKept(kept: KeptBook, now: number, owner: string | null): boolean {
  if (owner === null || kept.book.owner !== owner) return false;
  if (now > kept.keptUntil) return false;
  return now >= Math.max(kept.keptAt, kept.seenAt) - CLOCK_SLACK_MS;
}
