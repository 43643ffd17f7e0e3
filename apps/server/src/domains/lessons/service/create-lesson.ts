import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import type { ChangeSummary, LessonInput } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import { fitPattern, type RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { incrementSequences, toIds } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { studentHasLeftError, studentNotFound } from '../../students/service/students.ts';
import { subjectNotFound } from '../../subjects/service.ts';
import {
  insertLesson,
  type LessonRecord,
  studentsAndSubjectForNewLesson,
} from '../queries/lessons.ts';
import { findOverlaps } from '../queries/overlaps.ts';
import { ratesOfStudents } from '../queries/rates.ts';
import { insertRoster, updateExpectedSeatsQuery } from '../queries/seats.ts';
import { type NewSession, updateSessionsQuery } from '../queries/sessions.ts';
import { toPlace, toTravelFee } from '../rules/lesson-field-changes.ts';
import { horizonOf, lastGeneratedDate, occurrencesBetween } from '../rules/plan-series-change.ts';
import type { RosterEntry } from '../rules/seat-fees-and-rosters.ts';
import { datesOutsideTerms, isInTerm, type Terms } from '../rules/terms.ts';
import { completeBatch } from './complete-session.ts';
import {
  getTermsOrThrow,
  insertPlannedSessions,
  planSessions,
  scheduleGenerationQuery,
  skippedSessions,
  timeOffQuery,
} from './generate-sessions.ts';
import { assertCanUseGoogleMeet, assertGroupSize } from './guards.ts';
import { resolveOverlapPairs } from './resolve-overlaps.ts';
import { dryRun, runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';
import { type SavedLesson, summarizeChange } from './summarize-change.ts';

/** Saves the lesson and all its sessions in one transaction. */
export async function createLesson(
  context: Context,
  tutorId: string,
  input: LessonInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<SavedLesson> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, () =>
      createLessonInTransaction(schedule, input),
    ),
  );
}

export async function previewNewLesson(
  context: Context,
  tutorId: string,
  input: LessonInput,
): Promise<ChangeSummary> {
  const saved = await dryRun(context, tutorId, (schedule) =>
    createLessonInTransaction(schedule, { ...input, acceptOverlaps: true }),
  );
  return saved.consequences;
}

/**
 * For callers that create several lessons in one transaction. With `completesOneOff`, `pastSessions` also applies to one-off
 * lessons.
 */
export async function createLessonInTransaction(
  schedule: ScheduleTx,
  input: LessonInput,
  { completesOneOff = false } = {},
): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = schedule;
  const termCalendarId = (input.isRecurring && input.termCalendarId) || null;
  const terms = await getTermsOrThrow(schedule, termCalendarId);
  const { endDate, generatedUntil, dates, outsideTerms } = planDates(schedule, input, terms);
  const roster = toRoster(input);
  assertGroupSize(roster.length, input.maxStudents, input.acceptFull);
  if (input.usesGoogleMeet) await assertCanUseGoogleMeet(tx, tutorId);
  const studentIds = roster.map(({ studentId }) => studentId);
  const [[active], sequences, timeOffRanges, rates] = await executeBatch(tx, [
    studentsAndSubjectForNewLesson(tx, tutorId, studentIds, input.subjectId, schedule.today),
    incrementSequences(tx, tutorId, ['lesson', 'session'], [1, dates.length]),
    timeOffQuery(schedule, { ...input, roster }, dates),
    input.usesRates ? ratesOfStudents(tx, tutorId, studentIds) : null,
  ]);
  if (active?.students !== roster.length) throw studentNotFound();
  if (active.hasLeft) throw studentHasLeftError();
  const { defaultFee, subjectCurrency } = active;
  if (defaultFee === null || subjectCurrency === null) throw subjectNotFound();
  const [lessonId] = toIds(filterByKind(sequences, 'lesson'), 1) as [number];
  const sessionIds = toIds(filterByKind(sequences, 'session'), dates.length);
  const sessions = planSessions(schedule, { ...input, roster }, dates, sessionIds, timeOffRanges);
  const lesson: LessonRecord = {
    id: lessonId,
    subjectId: input.subjectId,
    title: input.title,
    firstDate: dates[0] ?? input.date,
    startTime: input.startTime,
    endTime: input.endTime,
    minStudents: input.minStudents ?? null,
    maxStudents: input.maxStudents ?? null,
    ...(input.usesRates
      ? { usesRates: true, fee: defaultFee, currency: subjectCurrency }
      : {
          usesRates: false,
          fee: input.fee ? toMinor(input.fee) : null,
          currency: input.currency,
        }),
    ...toPlace(input, false),
    travelFee: input.travelFee === undefined ? active.travelFee : toTravelFee(input.travelFee),
    notes: input.notes || null,
    isRecurring: input.isRecurring,
    pattern: toPattern(input),
    recurrenceStart: input.date,
    endDate,
    generatedUntil,
    termCalendarId,
    continuesLessonId: null,
    roster,
  };
  const pastIds = input.isRecurring || completesOneOff ? toPastSessionIds(sessions, today) : [];
  const completedIds = input.pastSessions === 'taught' ? pastIds : [];
  const ids = sessions.map((session) => session.id);
  const [, , , , , , overlapPairs] = await executeBatch(tx, [
    insertLesson(tx, tutorId, { ...lesson, createdAt: now }),
    insertRoster(tx, tutorId, lessonId, roster),
    ...insertPlannedSessions(schedule, lesson, sessions, rates),
    updateSessionsQuery(tx, tutorId, completedIds, { status: 'completed' }),
    updateExpectedSeatsQuery(tx, tutorId, completedIds, { attendance: 'attended' }),
    findOverlaps(tx, tutorId, ids),
    scheduleGenerationQuery(schedule, lesson),
  ]);
  const overlaps = await resolveOverlapPairs(schedule, overlapPairs, input.acceptOverlaps);
  if (input.pastSessions === 'unpaid')
    await completeBatch(
      schedule,
      pastIds.map((id) => ({ id, attendance: 'attended', charge: true })),
    );
  return {
    lessonId,
    sessionId: ids[0] ?? null,
    consequences: summarizeChange({
      created: ids.length,
      dates,
      overlaps,
      skipped: skippedSessions(sessions),
      outsideTerms,
    }),
    moved: [],
  };
}

/** The pattern, adjusted so that the first lesson is on the given date. */
const toPattern = ({ recurringPattern, date }: LessonInput): RecurrencePattern =>
  fitPattern(recurringPattern, date);

/** The dates of a new lesson's sessions. Throws if there are none. */
export function planDates({ today }: ScheduleTx, input: LessonInput, terms: Terms = null) {
  const endDate = input.isRecurring ? (input.recurringEndDate ?? null) : null;
  const generatedUntil = input.isRecurring
    ? lastGeneratedDate(endDate, horizonOf(today))
    : input.date;
  const allDates = input.isRecurring
    ? occurrencesBetween(toPattern(input), input.date, input.date, generatedUntil)
    : [input.date];
  // A series that starts in the past gets sessions from today onwards, unless its past lessons are completed.
  const includesPast = !input.isRecurring || input.pastSessions !== 'skip';
  const candidates = includesPast ? allDates : allDates.filter((date) => date >= today);
  if (candidates.length === 0) throw noSessionsError();
  const dates = candidates.filter((date) => isInTerm(terms, date));
  if (dates.length === 0) throw noTermError();
  return { endDate, generatedUntil, dates, outsideTerms: datesOutsideTerms(terms, candidates) };
}

/** If there is no list of students, `studentId` is the only student. The positions follow the order of the list. */
export function toRoster({ studentId, students = [{ studentId }] }: LessonInput): RosterEntry[] {
  const ids = students.map((student) => student.studentId);
  if (ids[0] !== studentId) throw studentsError('The first student must be the one in studentId');
  if (new Set(ids).size !== ids.length) throw studentsError('Each student can be listed only once');
  return students.map((student, position) => ({
    studentId: student.studentId,
    position,
    fee: toOwnFee(student.fee),
    fromDate: EARLIEST_DATE,
    toDate: null,
  }));
}

/** A student's own price in minor units. Null in the request means free; if omitted, the lesson's price applies. */
export const toOwnFee = (fee: number | null | undefined): number | null =>
  fee === undefined ? null : toMinor(fee ?? 0);

const studentsError = (message: string): AppError =>
  new AppError('invalid', message, { fields: { students: message } });

const filterByKind = <Row extends { kind: string }>(rows: readonly Row[], kind: string): Row[] =>
  rows.filter((row) => row.kind === kind);

/** Past sessions of a new series, except those that fall within time off. */
const toPastSessionIds = (sessions: readonly NewSession[], today: string): number[] =>
  sessions
    .filter((session) => session.date < today && session.timeOffId === null)
    .map((session) => session.id);

function noSessionsError(): AppError {
  const message =
    'This lesson has no dates from today onwards. Please change the date or the end date.';
  return new AppError('invalid', message, { fields: { recurringEndDate: message } });
}

function noTermError(): AppError {
  const message = 'None of the lessons would be in term time. Please check the terms';
  return new AppError('invalid', message, { fields: { termCalendarId: message } });
}
