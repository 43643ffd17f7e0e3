/** The only source of "now" on the server; tests and rehearsals hand in one they can turn. */
export interface Clock {
  now(): Date;
}

/** The real clock, or one that was set to `start` when the process began and runs on from there. */
export function systemClock(start?: string): Clock {
  const shift = start === undefined ? 0 : new Date(start).getTime() - Date.now();
  return { now: () => new Date(Date.now() + shift) };
}
