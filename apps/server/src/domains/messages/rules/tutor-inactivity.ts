import { add24HourDays } from '@lessonbook/contract/time';

/** If the tutor is inactive for this many days, families get no reminders, because the tutor may no longer be teaching. */
export const PAUSE_AFTER_DAYS = 21;
/** The tutor is warned this many days beforehand. */
const WARNING_DAYS = 3;

/** When reminders stop, unless the tutor uses Lessonbook before then. */
export const remindersPauseAt = (lastActiveAt: Date): Date =>
  add24HourDays(lastActiveAt, PAUSE_AFTER_DAYS);

export function inactivityState(lastActiveAt: Date, now: Date): 'active' | 'warned' | 'paused' {
  const pauseAt = remindersPauseAt(lastActiveAt);
  if (now >= pauseAt) return 'paused';
  return now >= add24HourDays(pauseAt, -WARNING_DAYS) ? 'warned' : 'active';
}
