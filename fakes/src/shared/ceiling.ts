/**
 * Maximum time a test waits for an expected condition. Waits end as soon as the condition holds, so this only decides how late
 * a failure is reported. It allows for a machine several times slower than usual.
 */
export const WAIT_CEILING_MS = 30_000;
/** The same for starting a process, which takes seconds even on an idle machine. */
export const START_CEILING_MS = 90_000;
