import type { LessonStart } from '@lessonbook/contract/move-requests';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Contact } from '../../../platform/http/authentication.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { findConflicts } from '../../lessons/service/free-times-and-conflicts.ts';
import {
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import type { MoveRequestRow } from '../queries/move-requests.ts';
import {
  assertNotStarted,
  isSameStart,
  moveLessonAsRequested,
  toSlot,
} from './answer-move-requests.ts';
import { authoriseRequest, moveRequestNotFound } from './move-request-access.ts';

/** Moves the lesson to a time that the tutor suggested, if it is still free. Access is checked as in askToMove. */
export async function acceptSuggestion(
  context: Context,
  contact: Contact,
  id: number,
  start: LessonStart,
  idempotencyKey: IdempotencyKey | null,
): Promise<Record<string, never>> {
  const { tutorId, contactId } = contact;
  const to = { date: start.date, startTime: start.startTime };
  return withoutNames(() =>
    runScheduleTransaction(context, tutorId, (schedule) =>
      withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
        const { mayRequestMoves, ...request } = await authoriseRequest(schedule.tx, contact, id);
        if (!mayRequestMoves) throw moveRequestNotFound();
        assertSuggested(request, to, schedule.now);
        await assertFree(schedule, request, to);
        await moveLessonAsRequested(schedule, request, to, {
          acceptOverlaps: false,
          acceptedBy: 'family',
        });
        await recordAudit(schedule.tx, tutorId, {
          action: 'lesson_moved_by_family',
          at: schedule.now,
          metadata: { contactId },
          omitRequestContext: true,
        });
        return {};
      }),
    ),
  );
}

function assertSuggested(request: MoveRequestRow, to: LessonStart, now: Date): void {
  if (request.status !== 'suggested')
    throw new AppError(
      'conflict',
      'These suggestions are no longer available. Please check the lesson.',
    );
  assertNotStarted(request, now);
  if (!request.suggestions.some((suggestion) => isSameStart(suggestion, to)))
    throw new AppError('invalid', 'Please choose one of the suggested times.');
}

/** Also checks time off, which does not prevent the tutor from moving a lesson. */
async function assertFree(
  schedule: ScheduleTx,
  request: MoveRequestRow,
  to: LessonStart,
): Promise<void> {
  const [conflict] = await findConflicts(schedule, [toSlot(request, to)]);
  if (conflict) throw timeTakenError();
}

/** The error about an overlap names the students of the other lesson. */
async function withoutNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'overlap') throw timeTakenError();
    throw error;
  }
}

const timeTakenError = (): AppError =>
  new AppError('conflict', 'That time is no longer free. Please choose another one, or ask again.');
