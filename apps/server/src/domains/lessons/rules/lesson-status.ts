import type { Lesson } from '@lessonbook/contract/lessons';

/** Derived from the sessions, never stored: done once every session has been dealt with. */
export function lessonStatus(
  counts: { scheduled: number; completed: number },
  goesOn: boolean,
): Lesson['status'] {
  if (counts.scheduled > 0 || goesOn) return 'scheduled';
  return counts.completed > 0 ? 'completed' : 'cancelled';
}
