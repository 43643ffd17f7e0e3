/**
 * How long a test waits for one thing that must happen. It ends as soon as the thing has happened, so this only decides how late
 * a failure is reported; it leaves room for a machine that is several times slower than usual.
 */
export const WAIT_CEILING_MS = 30_000;
/** The same for a process that must start, which takes seconds even on a quiet machine. */
export const START_CEILING_MS = 90_000;
