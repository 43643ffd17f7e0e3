import type { LocalTime } from './use-now.ts';

/** The session has ended, and the tutor has not said whether it took place. */
export const isDue = (
  session: { status: string; date: string; endTime: string },
  now: LocalTime,
): boolean =>
  session.status === 'scheduled' &&
  (session.date < now.date || (session.date === now.date && session.endTime <= now.time));

/** The session is scheduled, has started and has not ended yet. */
export const isInProgress = (
  session: { status: string; date: string; startTime: string; endTime: string },
  now: LocalTime,
): boolean =>
  session.status === 'scheduled' &&
  session.date === now.date &&
  session.startTime <= now.time &&
  now.time < session.endTime;
