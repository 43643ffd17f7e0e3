/* How fast, and how long to wait. */

/** A tutor's calendar takes 600 requests a minute; a little is left for what comes between. */
const REQUESTS_PER_SECOND = 8;

const INITIAL_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 15 * 60_000;
/** Too much at once: the minute must pass. */
const BUSY_BACKOFF_MS = 20_000;

/** With a channel Google tells us; without one we ask more often. */
export const POLL_WATCHED_MS = 60 * 60_000;
export const POLL_MS = 10 * 60_000;

/** So few that nobody minds when they come at once. */
const BURST_REQUESTS = 20;

/** How long to rest after so many requests in so much time. */
export const throttleDelay = (requests: number, tookMs: number): number =>
  requests <= BURST_REQUESTS ? 0 : Math.max(0, (requests * 1_000) / REQUESTS_PER_SECOND - tookMs);

/** Twice as long after each failure. */
export const backoffDelay = (failures: number, busy: boolean): number =>
  Math.min(
    (busy ? BUSY_BACKOFF_MS : INITIAL_BACKOFF_MS) * 2 ** Math.min(failures, 10),
    MAX_BACKOFF_MS,
  );
