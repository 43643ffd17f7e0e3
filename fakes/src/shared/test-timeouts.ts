/**
 * Maximum time a test waits for an expected condition. Waits end as soon as the condition holds, so this only determines how late
 * a failure is reported. It allows for a machine several times slower than usual.
 */
export const WAIT_TIMEOUT_MS = 30_000;
/** Maximum time to start a process, which takes seconds even on an idle machine. */
export const START_TIMEOUT_MS = 90_000;
