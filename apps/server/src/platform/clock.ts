/** The only source of the current time on the server; tests pass a clock they can set. */
export interface Clock {
  now(): Date;
}

/** The system clock, or one that starts at `start` when the process starts. */
export function systemClock(start?: string): Clock {
  const offsetMs = start === undefined ? 0 : new Date(start).getTime() - Date.now();
  return { now: () => new Date(Date.now() + offsetMs) };
}
