import type { ChosenStatus, StudentStatusInput } from '@lessonbook/contract/change-student-status';
import type { Student } from '@lessonbook/contract/students';

/** The request that undoes a status change: the previous status, with its pause. */
export function toPreviousStatusInput(
  status: ChosenStatus,
  pause: Student['pause'],
  today: string,
): StudentStatusInput {
  const isPausedFromNow = pause !== null && (pause.toDate === null || pause.toDate >= today);
  return isPausedFromNow
    ? { status: 'paused', fromDate: pause.fromDate, toDate: pause.toDate }
    : { status };
}
