/** Google allows 600 requests per user per minute; this leaves a margin. */
const REQUESTS_PER_SECOND = 8;

const INITIAL_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 15 * 60_000;
/** Longer after a quota error, because the quota is counted per minute. */
const BUSY_BACKOFF_MS = 20_000;

/** With a watch channel, Google notifies us of changes; without one, we poll more often. */
export const WATCHED_POLL_INTERVAL_MS = 60 * 60_000;
export const POLL_INTERVAL_MS = 10 * 60_000;

/** Up to this many requests may be sent without throttling. */
const BURST_REQUESTS = 20;

export const throttleDelay = (requests: number, elapsedMs: number): number =>
  requests <= BURST_REQUESTS
    ? 0
    : Math.max(0, (requests * 1_000) / REQUESTS_PER_SECOND - elapsedMs);

export const backoffDelay = (failures: number, busy: boolean): number =>
  Math.min(
    (busy ? BUSY_BACKOFF_MS : INITIAL_BACKOFF_MS) * 2 ** Math.min(failures, 10),
    MAX_BACKOFF_MS,
  );
