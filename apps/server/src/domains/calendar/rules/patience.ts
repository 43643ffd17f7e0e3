/* How fast, and how long to wait. */

/** A tutor's calendar takes 600 requests a minute; a little is left for what comes between. */
const REQUESTS_PER_SECOND = 8;

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Too much at once: the minute must pass. */
const BUSY_WAIT_MS = 20_000;

/** With a channel Google tells us; without one we ask more often. */
export const POLL_WATCHED_MS = 60 * 60_000;
export const POLL_MS = 10 * 60_000;

/** So few that nobody minds when they come at once. */
const FEW = 20;

/** How long to rest after so many requests in so much time. */
export const restAfter = (requests: number, tookMs: number): number =>
  requests <= FEW ? 0 : Math.max(0, (requests * 1_000) / REQUESTS_PER_SECOND - tookMs);

/** Twice as long after each failure. */
export const waitAfter = (failures: number, busy: boolean): number =>
  Math.min((busy ? BUSY_WAIT_MS : FIRST_WAIT_MS) * 2 ** Math.min(failures, 10), LONGEST_WAIT_MS);
