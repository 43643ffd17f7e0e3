import { followsRates } from '@lessonbook/contract/fee-source';
import type { ChangeSummary, LessonUpdate } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getCurrentStudentOrThrow } from '../../students/service/students.ts';
import { getSubjectOrThrow } from '../../subjects/service.ts';
import { type LessonRecord, saveLesson } from '../queries/lessons.ts';
import { type SessionRecord, sessionsInSeries } from '../queries/sessions.ts';
import {
  diffFeeSource,
  diffFields,
  diffGroupFeeSource,
  type FieldChanges,
  hasSeatChanges,
  resolveNotes,
  toCommonFields,
} from '../rules/lesson-field-changes.ts';
import { restoreSessions } from './cancel-without-fee-and-restore.ts';
import {
  assertCanUseGoogleMeet,
  getLessonOrThrow,
  getLessonSessionOrThrow,
  severalStudentsError,
} from './guards.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { dryRun, runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';
import type { SavedLesson } from './summarize-change.ts';
import { updateSeries } from './update-series.ts';
import { updateSingleSession } from './update-session.ts';

export async function updateLesson(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: LessonUpdate,
  idempotencyKey: IdempotencyKey | null,
): Promise<SavedLesson> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, () =>
      applyLessonChange(schedule, lessonId, input),
    ),
  );
}

export async function previewLessonChange(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: LessonUpdate,
): Promise<ChangeSummary> {
  const saved = await dryRun(context, tutorId, (schedule) =>
    applyLessonChange(schedule, lessonId, { ...input, acceptOverlaps: true }),
  );
  return saved.consequences;
}

async function applyLessonChange(
  schedule: ScheduleTx,
  lessonId: number,
  input: LessonUpdate,
): Promise<SavedLesson> {
  const { tx, tutorId } = schedule;
  const lesson = await saveGroupSize(
    schedule,
    await getLessonOrThrow(tx, tutorId, lessonId),
    input,
  );
  await restoreSkippedSessions(schedule, lessonId, input);
  const chosen = await getLessonSessionOrThrow(tx, tutorId, lessonId, input.sessionId);
  const fieldChanges = diffGroupFields(
    lesson,
    chosen,
    diffFields(toCommonFields(chosen, resolveNotes(chosen, lesson)), input),
    input,
  );
  const changes = await withFeeSource(schedule, lesson, chosen, input, fieldChanges);
  assertInvoicedFieldsUnchanged(chosen, changes);
  assertGroupFieldsUnchanged(lesson, chosen, changes);
  if (changes.usesGoogleMeet) await assertCanUseGoogleMeet(tx, tutorId);
  if (changes.studentId !== undefined)
    await getCurrentStudentOrThrow(tx, tutorId, changes.studentId, schedule.today);
  // Making a one-off lesson recurring counts as a change to the series.
  const isSingle = !lesson.isRecurring && !input.isRecurring;
  if (isSingle || (input.scope === 'this' && lesson.isRecurring)) {
    return updateSingleSession(schedule, lesson, chosen, input, changes);
  }
  return updateSeries(schedule, lesson, chosen, input, changes);
}

/** Adds the source of the fee to the changes. Loads the subject if it changes or if the fee now follows the rates. */
async function withFeeSource(
  { tx, tutorId }: ScheduleTx,
  lesson: LessonRecord,
  session: SessionRecord,
  input: LessonUpdate,
  changes: FieldChanges,
): Promise<FieldChanges> {
  const { seats, subjectId } = session;
  const group = isGroup(lesson, session);
  const becomesAutomatic = input.usesRates === true && !followsRates(lesson, seats, group);
  const subject =
    changes.subjectId !== undefined || becomesAutomatic
      ? await getSubjectOrThrow(tx, tutorId, changes.subjectId ?? subjectId)
      : null;
  return group
    ? diffGroupFeeSource(changes, lesson, input, subject)
    : diffFeeSource(changes, seats, input, subject);
}

/** Restores only sessions that time off cancelled. A session that the tutor has cancelled since stays cancelled. */
async function restoreSkippedSessions(
  schedule: ScheduleTx,
  lessonId: number,
  { restoreSessionIds }: LessonUpdate,
): Promise<void> {
  if (restoreSessionIds.length === 0) return;
  const rows = await sessionsInSeries(schedule.tx, schedule.tutorId, lessonId);
  const ids = rows
    .filter(({ status, timeOffId }) => status === 'cancelled' && timeOffId !== null)
    .map(({ id }) => id)
    .filter((id) => restoreSessionIds.includes(id));
  await restoreSessions(schedule, ids);
  await resolveOverlaps(schedule, ids, true);
}

/** The size belongs to the group, so it is saved whatever the scope of the change. */
async function saveGroupSize(
  { tx, tutorId }: ScheduleTx,
  lesson: LessonRecord,
  { minStudents = lesson.minStudents, maxStudents = lesson.maxStudents }: LessonUpdate,
): Promise<LessonRecord> {
  if (minStudents === lesson.minStudents && maxStudents === lesson.maxStudents) return lesson;
  const resized = { ...lesson, minStudents, maxStudents };
  await saveLesson(tx, tutorId, resized);
  return resized;
}

const isGroup = (lesson: LessonRecord, session: SessionRecord): boolean =>
  lesson.roster.length > 1 || session.seats.length > 1;

/**
 * If the price of one place is sent, the fee of a group is not compared, because it is a sum that changes when students
 * join.
 */
function diffGroupFields(
  lesson: LessonRecord,
  session: SessionRecord,
  changes: FieldChanges,
  { seatFee }: LessonUpdate,
): FieldChanges {
  if (seatFee === undefined || !isGroup(lesson, session)) return changes;
  const { fee: _, ...others } = changes;
  const price = seatFee ? toMinor(seatFee) : null;
  return price === lesson.fee ? others : { ...others, seatFee: price };
}

/**
 * The students of a group join and leave individually, and each has a fee, so the single student and fee of the dialog must
 * not change.
 */
function assertGroupFieldsUnchanged(
  lesson: LessonRecord,
  session: SessionRecord,
  changes: FieldChanges,
): void {
  if (isGroup(lesson, session) && hasSeatChanges(changes)) throw severalStudentsError();
}

/** The student and fee appear on the issued invoice, so only a credit note can correct them. */
function assertInvoicedFieldsUnchanged(session: SessionRecord, changes: FieldChanges): void {
  const isChanged = hasSeatChanges(changes) || changes.seatFee !== undefined;
  if (session.status !== 'scheduled' || !session.hasCharge || !isChanged) return;
  throw new AppError(
    'conflict',
    "This lesson is on an invoice, so its student and fee can't change. Create a credit note first.",
  );
}
