import { isOnlinePlace } from '@lessonbook/contract/detect-online-place';
import type { CompleteInput, CompleteManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { seatsNotBillable, sessionsCompleted } from '../events.ts';
import { updateCompletedSessions } from '../queries/complete-sessions.ts';
import { updateSeatOutcomes } from '../queries/seats.ts';
import { findSessions, type SessionRecord } from '../queries/sessions.ts';
import { filterExpectedSeats } from '../rules/seat-fees-and-rosters.ts';
import {
  assertScheduled,
  STATUS_LABELS,
  sessionNotFound,
  studentNotInSessionError,
} from './guards.ts';
import { saveNotes } from './lesson-notes.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

type Completion = CompleteInput & { id: number };

export const completeSession = (
  context: Context,
  tutorId: string,
  sessionId: number,
  input: CompleteInput,
): Promise<void> =>
  runScheduleTransaction(context, tutorId, (schedule) =>
    completeBatch(schedule, [{ ...input, id: sessionId }]),
  );

/** Completes either all the sessions or none. */
export const completeSessions = (
  context: Context,
  tutorId: string,
  input: CompleteManyInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number> =>
  runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, context.clock.now(), async () => {
      await completeBatch(schedule, input.sessions);
      return input.sessions.length;
    }),
  );

/** For callers that have already opened a schedule transaction. */
export async function completeBatch(
  schedule: ScheduleTx,
  completions: readonly Completion[],
): Promise<void> {
  if (completions.length === 0) return;
  const { tx, tutorId, context } = schedule;
  const ids = completions.map((completion) => completion.id);
  const sessions = await findSessions(tx, tutorId, ids);
  if (sessions.length !== new Set(ids).size || sessions.length !== ids.length)
    throw sessionNotFound();
  if (sessions.length > 1) assertAllScheduled(sessions);
  for (const session of sessions) assertScheduled(session);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const outcomes = completions.flatMap((completion) =>
    toSeatOutcomes(byId.get(completion.id) as SessionRecord, completion),
  );
  await updateCompletedSessions(
    tx,
    tutorId,
    completions.map(({ id, notes }) => ({ id, notes: notes || null })),
  );
  await updateSeatOutcomes(tx, tutorId, outcomes);
  const noteInputs = new Map(completions.map(({ id, familyNote }) => [id, familyNote]));
  await saveNotes(
    context,
    tx,
    tutorId,
    outcomes.flatMap(({ sessionId, studentId }) => {
      const input = noteInputs.get(sessionId);
      if (!input) return [];
      // All students of a group get the same text, so it does not replace a note about one student.
      const isGroup = (byId.get(sessionId) as SessionRecord).seats.length > 1;
      const existing = isGroup ? 'keep' : 'keep-empty-lines';
      return [{ sessionId, studentId, input, existing } as const];
    }),
  );
  await resolveOverlaps(schedule, ids, true);
  const charged = outcomes.filter((outcome) => outcome.isBillable);
  const waived = outcomes.filter((outcome) => !outcome.isBillable);
  const travelSeats = outcomes.filter((outcome) => outcome.hasTravelFee);
  if (charged.length > 0 || travelSeats.length > 0)
    await context.events.publish(tx, sessionsCompleted, { tutorId, seats: charged, travelSeats });
  if (waived.length > 0)
    await context.events.publish(tx, seatsNotBillable, { tutorId, seats: waived });
}

/** The error names the session that cannot be completed, so that the tutor can leave it out. */
function assertAllScheduled(sessions: readonly SessionRecord[]): void {
  const other = sessions.find(({ status }) => status !== 'scheduled');
  if (!other) return;
  const status = STATUS_LABELS[other.status];
  throw new AppError('conflict', `Nothing was completed. ${other.title} ${status}.`);
}

/**
 * The attendance of each expected student and whether the seat is charged. A free seat is not charged, except for the
 * travel fee of an in-person lesson.
 */
function toSeatOutcomes(session: SessionRecord, completion: Completion) {
  const isTravelCharged = session.travelFee !== null && !isOnlinePlace(session.place);
  const seats = filterExpectedSeats(session.seats);
  const exceptions = new Map(completion.students?.map((student) => [student.studentId, student]));
  const expectedIds = new Set(seats.map(({ studentId }) => studentId));
  if ([...exceptions.keys()].some((id) => !expectedIds.has(id))) throw studentNotInSessionError();
  return seats.map((seat) => {
    const { attendance, charge } = exceptions.get(seat.studentId) ?? completion;
    return {
      sessionId: session.id,
      studentId: seat.studentId,
      attendance,
      isBillable: charge && seat.fee !== null,
      hasTravelFee: charge && isTravelCharged,
      noticeMinutes: null,
    };
  });
}
