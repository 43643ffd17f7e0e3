import { addDaysToInstant } from '@lessonbook/contract/time';

/** After this many days without the tutor, families get no reminders: the tutor may no longer be teaching. */
export const PAUSE_AFTER_DAYS = 21;
/** The tutor is warned this many days before. */
const WARNING_DAYS = 3;

/** When reminders stop, unless the tutor uses Lessonbook before then. */
export const remindersPauseAt = (lastActiveAt: Date): Date =>
  addDaysToInstant(lastActiveAt, PAUSE_AFTER_DAYS);

export function inactivityState(lastActiveAt: Date, now: Date): 'active' | 'warned' | 'paused' {
  const pauseAt = remindersPauseAt(lastActiveAt);
  if (now >= pauseAt) return 'paused';
  return now >= addDaysToInstant(pauseAt, -WARNING_DAYS) ? 'warned' : 'active';
}
