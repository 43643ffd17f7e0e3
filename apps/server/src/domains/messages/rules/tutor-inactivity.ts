import { add24HourDays } from '@lessonbook/contract/time';

/** After this many days of inactivity, families get no reminders, because the tutor may no longer be teaching. */
export const PAUSE_AFTER_DAYS = 21;
/** The tutor is warned this many days before reminders stop. */
const WARNING_DAYS = 3;

/** When reminders stop if the tutor does not use Lessonbook before then. */
export const getReminderPauseTime = (lastActiveAt: Date): Date =>
  add24HourDays(lastActiveAt, PAUSE_AFTER_DAYS);

export function inactivityState(lastActiveAt: Date, now: Date): 'active' | 'warned' | 'paused' {
  const pauseAt = getReminderPauseTime(lastActiveAt);
  if (now >= pauseAt) return 'paused';
  return now >= add24HourDays(pauseAt, -WARNING_DAYS) ? 'warned' : 'active';
}
