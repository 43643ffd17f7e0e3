import type { Lesson } from '@lessonbook/contract/lessons';

/** Derived from the sessions, never stored. A lesson has ended when no session is scheduled and no more will be generated. */
export function lessonStatus(
  counts: { scheduled: number; completed: number },
  isOngoing: boolean,
): Lesson['status'] {
  if (counts.scheduled > 0 || isOngoing) return 'scheduled';
  return counts.completed > 0 ? 'completed' : 'cancelled';
}
