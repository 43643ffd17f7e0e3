import type { Overlap } from '@lessonbook/contract/errors';
import type { SessionNotesInput } from '@lessonbook/contract/lesson-notes';
import type { LessonUpdate } from '@lessonbook/contract/lessons';
import type { RescheduleInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { sessionMoved } from '../events.ts';
import { type LessonRecord, saveLesson, saveLessonWithRoster } from '../queries/lessons.ts';
import { updateDefaultSeatFees, updateExpectedSeats } from '../queries/seats.ts';
import { insertReplacement, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import {
  applyFields,
  type FieldChanges,
  toSeatColumns,
  toSessionColumns,
} from '../rules/lesson-field-changes.ts';
import { type LocalSlot, toInstants } from '../rules/local-to-utc.ts';
import { isAutomatic } from '../rules/seat-fees-and-rosters.ts';
import { restoreSeatsAfterMove } from './apply-and-lift-time-off.ts';
import { assertScheduled, getLessonOfSessionOrThrow, getSessionOrThrow } from './guards.ts';
import { repriceSessions } from './rates.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';
import { type SavedLesson, summarizeChange } from './summarize-change.ts';

/** Changes one session. Fields are updated in place; a new time creates a replacement session. */
export async function updateSingleSession(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  session: SessionRecord,
  input: LessonUpdate,
  changes: FieldChanges,
): Promise<SavedLesson> {
  const { tx, tutorId } = schedule;
  assertScheduled(session);
  const columns = {
    ...toSessionColumns(changes),
    ...(changes.notes === undefined ? {} : { notes: changes.notes ?? '' }),
  };
  const feeSource = lesson.isRecurring ? 'session' : 'lesson';
  const seatColumns = toSeatColumns(changes, feeSource);
  const isEdited =
    Object.keys({ ...columns, ...seatColumns }).length > 0 || changes.seatFee !== undefined;
  if (isEdited)
    await updateSessions(tx, tutorId, [session.id], {
      ...columns,
      is_override: lesson.isRecurring,
    });
  await updateExpectedSeats(tx, tutorId, [session.id], seatColumns);
  await updateDefaultSeatFees(tx, tutorId, [session.id], changes, feeSource);
  if (isEdited && (changes.usesRates || session.seats.some(isAutomatic)))
    await repriceSessions(schedule, [session.id]);
  const isMoved = isReschedule(session, input);
  const current = isEdited ? await getSessionOrThrow(tx, tutorId, session.id) : session;
  const replacement = isMoved
    ? await moveSession(schedule, current, input, input.acceptOverlaps)
    : null;
  if (!lesson.isRecurring) {
    const { date, startTime, endTime } = input;
    await saveLessonWithRoster(tx, tutorId, lesson, {
      ...applyFields(lesson, changes),
      firstDate: date,
      recurrenceStart: date,
      generatedUntil: date,
      startTime,
      endTime,
    });
  }
  return {
    lessonId: lesson.id,
    sessionId: replacement?.sessionId ?? session.id,
    consequences: summarizeChange({
      changed: isEdited || isMoved ? 1 : 0,
      dates: [input.date],
      overlaps: replacement?.overlaps ?? [],
    }),
    moved: [],
  };
}

const isReschedule = (session: SessionRecord, to: LocalSlot): boolean =>
  session.date !== to.date || session.startTime !== to.startTime || session.endTime !== to.endTime;

/** Notes do not count as an individual edit, so that later changes to the series still apply to the session. */
export async function updateSessionNotes(
  context: Context,
  tutorId: string,
  sessionId: number,
  { notes }: SessionNotesInput,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await getSessionOrThrow(tx, tutorId, sessionId);
    // An empty string hides the lesson's notes; null would show them again.
    await updateSessions(tx, tutorId, [sessionId], { notes: notes ?? '' });
  });
}

export async function rescheduleSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  input: RescheduleInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, () =>
      rescheduleSessionInTransaction(schedule, sessionId, input),
    ),
  );
}

/** Returns the id of the replacement, or of the session itself if its time stays the same. */
export async function rescheduleSessionInTransaction(
  schedule: ScheduleTx,
  sessionId: number,
  input: RescheduleInput,
): Promise<number> {
  const { tx, tutorId } = schedule;
  const session = await getSessionOrThrow(tx, tutorId, sessionId);
  assertScheduled(session);
  if (!isReschedule(session, input)) return session.id;
  const lesson = await getLessonOfSessionOrThrow(tx, tutorId, session);
  const replacement = await moveSession(schedule, session, input, input.acceptOverlaps);
  if (!lesson.isRecurring) {
    const { date, startTime, endTime } = input;
    await saveLesson(tx, tutorId, {
      ...lesson,
      firstDate: date,
      recurrenceStart: date,
      generatedUntil: date,
      startTime,
      endTime,
    });
  }
  return replacement.sessionId;
}

/** Creates the replacement session and links the two rows to each other. */
async function moveSession(
  schedule: ScheduleTx,
  session: SessionRecord,
  to: LocalSlot,
  acceptOverlaps: boolean,
): Promise<{ sessionId: number; overlaps: Overlap[] }> {
  const { tx, tutorId, timeZone, now } = schedule;
  const { date, startTime, endTime } = to;
  const [id] = (await nextIdsForKind(tx, tutorId, 'session')) as [number];
  await insertReplacement(
    tx,
    tutorId,
    session,
    {
      id,
      seriesDate: null,
      occurrenceDate: session.occurrenceDate,
      date,
      startTime,
      endTime,
      ...toInstants(timeZone, { date, startTime, endTime }),
    },
    now,
  );
  await restoreSeatsAfterMove(schedule, [id]);
  await updateSessions(tx, tutorId, [session.id], { status: 'rescheduled', rescheduled_to_id: id });
  await schedule.context.events.publish(tx, sessionMoved, {
    tutorId,
    fromId: session.id,
    toId: id,
  });
  // Runs after the charges have moved, because a seat with a charge keeps its fee.
  if (session.seats.some(isAutomatic)) await repriceSessions(schedule, [session.id, id]);
  const overlaps = await resolveOverlaps(schedule, [session.id, id], acceptOverlaps);
  return { sessionId: id, overlaps };
}
