import { firstName } from '@lessonbook/contract/first-name';
import type {
  LessonStart,
  MoveRequest,
  SuggestTimesInput,
} from '@lessonbook/contract/move-requests';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import {
  endTimeIfMovedTo,
  findConflicts,
  toInstants,
} from '../../lessons/service/free-times-and-conflicts.ts';
import {
  openScheduleTx,
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { rescheduleSessionInTransaction } from '../../lessons/service/update-session.ts';
import { moveRequestAccepted, moveRequestDeclined, timesSuggested } from '../events.ts';
import {
  findMoveRequest,
  type MoveRequestRow,
  pendingMoveRequests,
  updateMoveRequest,
} from '../queries/move-requests.ts';
import { moveRequestNotFound } from './move-request-access.ts';
import { toEventData } from './move-request-event.ts';

const MAX_LISTED = 100;

export async function listMoveRequests(
  context: Context,
  tutorId: string,
  { sessionId = null }: { sessionId?: number | null | undefined },
): Promise<MoveRequest[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, tutorId);
    const rows = await pendingMoveRequests(tx, tutorId, {
      now: schedule.now,
      sessionId,
      limit: MAX_LISTED,
    }).execute();
    const slots = rows.flatMap((row) => row.choices.map((choice) => toSlot(row, choice)));
    const conflicts = await findConflicts(schedule, slots);
    const conflictOf = new Map(slots.map((slot, index) => [slot.key, conflicts[index] ?? null]));
    return rows.map((row) => ({
      id: row.id,
      status: row.status as MoveRequest['status'],
      sessionId: row.sessionId,
      studentId: row.studentId,
      studentName: row.studentName,
      contactName: row.contactName,
      subjectName: row.subjectName,
      date: row.date,
      startTime: row.startTime,
      endTime: row.endTime,
      choices: row.choices.map((choice) => {
        const { key, date, startTime, endTime } = toSlot(row, choice);
        const isPast = isInPast(schedule, row, choice);
        return { date, startTime, endTime, conflict: conflictOf.get(key) ?? null, isPast };
      }),
      suggestions: row.suggestions,
      message: row.message ?? '',
      askedAt: row.askedAt.toISOString(),
    }));
  });
}

export const toSlot = (row: MoveRequestRow, { date, startTime }: LessonStart) => ({
  key: `${row.id} ${date} ${startTime}`,
  sessionId: row.sessionId,
  studentId: row.studentId,
  date,
  startTime,
  // The lesson may have become longer since the family asked.
  endTime: endTimeIfMovedTo(row, startTime) ?? '23:59',
});

const isInPast = (
  { timeZone, now }: Pick<ScheduleTx, 'timeZone' | 'now'>,
  row: MoveRequestRow,
  choice: LessonStart,
): boolean => toInstants(timeZone, toSlot(row, choice)).startsAt <= now;

export const isSameStart = (a: LessonStart, b: LessonStart): boolean =>
  a.date === b.date && a.startTime === b.startTime;

/** Moves the lesson to one of the times that the family asked for. */
export async function acceptMoveRequest(
  context: Context,
  tutorId: string,
  id: number,
  { acceptOverlaps, ...to }: LessonStart & { acceptOverlaps: boolean },
  idempotencyKey: IdempotencyKey | null,
): Promise<{ sessionId: number }> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const request = await getPending(schedule.tx, tutorId, id, schedule.now);
      if (!request.choices.some((choice) => isSameStart(choice, to)))
        throw new AppError('invalid', "The family didn't ask for that time.");
      return moveLessonAsRequested(schedule, request, to, { acceptOverlaps, acceptedBy: 'tutor' });
    }),
  );
}

/** Moves the lesson as for any other change of its time, and saves the answer in the same transaction. */
export async function moveLessonAsRequested(
  schedule: ScheduleTx,
  request: MoveRequestRow,
  to: LessonStart,
  options: { acceptOverlaps: boolean; acceptedBy: 'tutor' | 'family' },
): Promise<{ sessionId: number }> {
  const { context, tx, tutorId, now } = schedule;
  const { acceptOverlaps, acceptedBy } = options;
  assertPossible(schedule, request, to);
  // The answer is saved first, because a change of the lesson's time closes pending requests.
  await updateMoveRequest(tx, tutorId, request.id, { status: 'accepted', at: now });
  const { date, startTime, endTime } = toSlot(request, to);
  const sessionId = await rescheduleSessionInTransaction(schedule, request.sessionId, {
    date,
    startTime,
    endTime,
    acceptOverlaps,
  });
  await context.events.publish(tx, moveRequestAccepted, {
    ...toEventData(tutorId, request),
    to,
    toSessionId: sessionId,
    acceptedBy,
  });
  return { sessionId };
}

function assertPossible(
  schedule: Pick<ScheduleTx, 'timeZone' | 'now'>,
  request: MoveRequestRow,
  start: LessonStart,
): void {
  if (isInPast(schedule, request, start))
    throw new AppError('conflict', 'That time has already passed. Please choose another one.');
  if (endTimeIfMovedTo(request, start.startTime) === null)
    throw new AppError(
      'invalid',
      'The lesson would run past midnight. Please choose an earlier time.',
    );
}

/** Answers a request by suggesting other times, from which the family can choose. */
export async function suggestTimes(
  context: Context,
  tutorId: string,
  id: number,
  { suggestions, message }: SuggestTimesInput,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, tutorId);
    const request = await getPending(tx, tutorId, id, schedule.now);
    if (request.status === 'suggested')
      throw new AppError('conflict', 'You have already suggested other times for this lesson.');
    for (const start of suggestions) {
      assertPossible(schedule, request, start);
      if (isSameStart(start, request))
        throw new AppError('invalid', 'The lesson is already at that time.');
    }
    const answer = message || null;
    await updateMoveRequest(tx, tutorId, id, {
      status: 'suggested',
      at: schedule.now,
      answer,
      suggestions,
    });
    await context.events.publish(tx, timesSuggested, {
      ...toEventData(tutorId, request),
      suggestions,
      answer,
    });
  });
}

export async function declineMoveRequest(
  context: Context,
  tutorId: string,
  id: number,
  { message }: { message?: string | null | undefined },
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const request = await getPending(tx, tutorId, id, now);
    const answer = message || null;
    await updateMoveRequest(tx, tutorId, id, { status: 'declined', at: now, answer });
    await context.events.publish(tx, moveRequestDeclined, {
      ...toEventData(tutorId, request),
      answer,
    });
  });
}

const SETTLED_TEXT = {
  accepted: 'This request has already been accepted.',
  declined: 'This request has already been declined.',
  withdrawn: 'The family has withdrawn this request.',
  closed: 'This request was closed because the lesson has changed.',
};

async function getPending(tx: Tx, tutorId: string, id: number, now: Date): Promise<MoveRequestRow> {
  const request = await findMoveRequest(tx, tutorId, id);
  if (!request) throw moveRequestNotFound();
  assertPending(request);
  assertNotStarted(request, now);
  return request;
}

function assertPending(request: MoveRequestRow): void {
  const { status } = request;
  if (status !== 'open' && status !== 'suggested')
    throw new AppError('conflict', SETTLED_TEXT[status]);
}

export function assertNotStarted({ startsAt, studentName }: MoveRequestRow, now: Date): void {
  if (startsAt <= now)
    throw new AppError(
      'conflict',
      `${firstName(studentName)}'s lesson has already started, so it can't be moved.`,
    );
}
