import { dayNumber, durationMinutes, EARLIEST_DATE, weekday } from '@lessonbook/contract/dates';
import type { Lesson, LessonDetails } from '@lessonbook/contract/lessons';
import { type Currency, toMajor } from '@lessonbook/contract/money';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import {
  MAX_RANGE_DAYS,
  MAX_RANGE_SEATS,
  type Session,
  type SessionRow,
} from '@lessonbook/contract/sessions';
import type { Student } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getStudentsByIds } from '../../students/service/students.ts';
import { chargeTotalsOfLesson, datesOfLesson } from '../queries/lesson-dates-and-charge-totals.ts';
import {
  type LessonSummaryRecord,
  lessonSummariesPage,
  lessonSummaryById,
} from '../queries/lessons.ts';
import {
  countDue,
  notesBeforeSession,
  type SessionDetailsRecord,
  type SessionRowRecord,
  sessionDetails,
  sessionRowsByIds,
  sessionsBetween,
  sessionsDue,
  toSessionRow,
  toSessionRows,
} from '../queries/session-list-and-details.ts';
import { countUpcomingOfStudent } from '../queries/sessions-to-pause-or-end.ts';
import { lessonStatus } from '../rules/lesson-status.ts';
import type { RosterEntry } from '../rules/seat-fees-and-rosters.ts';
import { getSessionOrThrow, lessonNotFound, sessionNotFound } from './guards.ts';

/** Used by imports to skip lessons that already exist. */
export { findExistingSlots } from '../queries/find-existing-student-slots.ts';

/** For higher-level domains that return sessions in the contract's format. */
export { sessionRows, toSessionRow, toSessionRows } from '../queries/session-list-and-details.ts';

/** Counts sessions that have ended but have not been completed. */
export const countDueSessions = (tx: Tx, tutorId: string, now: Date): Promise<number> =>
  countDue(tx, tutorId, now);

/** Counts the upcoming sessions in which a student is expected. */
export const countUpcomingSessions = (
  tx: Tx,
  tutorId: string,
  studentId: number,
  now: Date,
): Promise<number> => countUpcomingOfStudent(tx, tutorId, studentId, now);

/** Sorted by date and time. */
export async function getSessionRowsByIds(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<SessionRow[]> {
  if (ids.length === 0) return [];
  return toSessionRows(await sessionRowsByIds(tx, tutorId, ids).execute());
}

const MAX_DUE = 200;

export async function listSessions(
  context: Context,
  tutorId: string,
  from: string,
  to: string,
): Promise<SessionRow[]> {
  assertRange(from, to);
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    sessionsBetween(tx, tutorId, from, to, MAX_RANGE_SEATS + 1),
  ]);
  return toBoundedRows(rows);
}

export function assertRange(from: string, to: string): void {
  const days = dayNumber(to) - dayNumber(from);
  if (days < 0) {
    throw new AppError('invalid', 'Please choose an end date that is not before the start date.');
  }
  if (days >= MAX_RANGE_DAYS) {
    throw new AppError('invalid', `Please choose a period of at most ${MAX_RANGE_DAYS} days.`);
  }
}

export async function getSessions(
  tx: Tx,
  tutorId: string,
  from: string,
  to: string,
): Promise<SessionRow[]> {
  const query = sessionsBetween(tx, tutorId, from, to, MAX_RANGE_SEATS + 1);
  return toBoundedRows((await tx.executeQuery(query)).rows);
}

function toBoundedRows(rows: readonly SessionRowRecord[]): SessionRow[] {
  if (rows.length <= MAX_RANGE_SEATS) return toSessionRows(rows);
  throw new AppError(
    'invalid',
    'There are too many lessons in this period. Please choose a shorter one.',
  );
}

export async function listDueSessions(context: Context, tutorId: string): Promise<SessionRow[]> {
  const now = context.clock.now();
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    sessionsDue(tx, tutorId, now, MAX_DUE),
  ]);
  return toSessionRows(rows);
}

export async function readSession(context: Context, tutorId: string, id: number): Promise<Session> {
  const [records, [previousNotes]] = await context.db.tutorRead(tutorId, (tx) => [
    sessionDetails(tx, tutorId, id),
    notesBeforeSession(tx, tutorId, id),
  ]);
  if (records.length === 0) throw sessionNotFound();
  return { ...toSession(records), previousNotes: previousNotes ?? null };
}

/** The students of a session with their contacts. */
export async function readSessionStudents(
  context: Context,
  tutorId: string,
  id: number,
): Promise<Student[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const { seats } = await getSessionOrThrow(tx, tutorId, id);
    return getStudentsByIds(
      tx,
      tutorId,
      seats.map(({ studentId }) => studentId),
    );
  });
}

/** The records are the seats of one session, with one record for each charge. */
function toSession(records: readonly SessionDetailsRecord[]): Omit<Session, 'previousNotes'> {
  const [first] = records as [SessionDetailsRecord];
  const {
    laterId,
    laterDate,
    laterStart,
    laterEnd,
    earlierId,
    earlierDate,
    earlierStart,
    earlierEnd,
    ...row
  } = first;
  // Travel charges are ignored, because the travel fee of a lesson that was invoiced in advance is not on its invoice.
  const lessonRecords = records.filter(({ chargeKind }) => chargeKind !== 'travel');
  const invoiceRecords = lessonRecords.length > 0 ? lessonRecords : records;
  const invoiceId = findCommonValue(invoiceRecords.map((record) => record.invoiceId));
  const invoiceNumber = findCommonValue(invoiceRecords.map((record) => record.invoiceNumber));
  return {
    ...toSessionRow(records),
    duration: durationMinutes(row.startTime, row.endTime),
    notes: row.notes || null,
    usesGoogleMeet: row.usesGoogleMeet,
    travelFee: row.travelFee,
    attendance: findCommonValue(
      records
        .filter((record) => record.seatState === 'expected')
        .map((record) => record.attendance),
    ) as Session['attendance'],
    cancelledBy: row.cancelledBy as Session['cancelledBy'],
    cancelReason: row.cancelReason,
    rescheduledToSessionId: laterId,
    rescheduledFromSessionId: earlierId,
    rescheduledTo: toLinkedSession(laterId, laterDate, laterStart, laterEnd),
    rescheduledFrom: toLinkedSession(earlierId, earlierDate, earlierStart, earlierEnd),
    invoice:
      invoiceId === null || invoiceNumber === null
        ? null
        : { id: invoiceId, number: invoiceNumber },
    familyId: findCommonValue(records.map((record) => record.familyId)),
  };
}

/** The value shared by all items; null if the items differ. */
function findCommonValue<T>(values: readonly (T | null)[]): T | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
}

export async function listLessons(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Lesson[]> {
  const now = context.clock.now();
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    lessonSummariesPage(tx, tutorId, now, page),
  ]);
  return rows.map(toLesson);
}

export async function readLesson(
  context: Context,
  tutorId: string,
  id: number,
): Promise<LessonDetails> {
  const now = context.clock.now();
  const [[summary], dates, money] = await context.db.tutorRead(tutorId, (tx) => [
    lessonSummaryById(tx, tutorId, now, id),
    datesOfLesson(tx, tutorId, id),
    chargeTotalsOfLesson(tx, tutorId, id),
  ]);
  if (!summary) throw lessonNotFound();
  const { upcoming = [], past = [] } = Object.groupBy(dates, ({ status, endsAt }) =>
    status === 'scheduled' && endsAt > now ? 'upcoming' : 'past',
  );
  return {
    ...toLesson(summary),
    upcoming: upcoming.map(({ endsAt: _, ...date }) => date),
    past: past.map(({ endsAt: _, ...date }) => date).toReversed(),
    money,
  };
}

function toLesson(record: LessonSummaryRecord): Lesson {
  const {
    pattern,
    recurrenceStart,
    endDate,
    generatedUntil,
    scheduled,
    completed,
    cancelled,
    ...rest
  } = record;
  const { nextId, nextDate, nextStart, nextEnd, nextFee, roster, ...fields } = rest;
  const current = roster.filter(({ toDate }) => toDate === null);
  const students = current.length > 0 ? current : roster;
  const counts = {
    scheduled: scheduled ?? 0,
    completed: completed ?? 0,
    cancelled: cancelled ?? 0,
  };
  const isOngoing = fields.isRecurring && (endDate === null || endDate > generatedUntil);
  return {
    ...fields,
    seatFee: fields.fee === null ? null : toMajor(fields.fee),
    fee: nextFee === null ? sumRosterFees(students, fields) : toMajor(nextFee) || null,
    studentId: students[0]?.studentId ?? 0,
    studentName: students.map(({ name }) => name).join(', '),
    students: roster.map(({ studentId, name, fee, fromDate, toDate }) => ({
      studentId,
      name,
      fee: fee === null ? null : toMajor(fee),
      fromDate: fromDate === EARLIEST_DATE ? null : fromDate,
      toDate,
    })),
    currency: fields.currency as Currency,
    status: lessonStatus(counts, isOngoing),
    recurringPattern: pattern as RecurrencePattern,
    recurringDay: fields.isRecurring ? toRecurringDay(pattern, recurrenceStart) : null,
    recurringEndDate: endDate,
    duration: durationMinutes(fields.startTime, fields.endTime),
    nextSession: toLinkedSession(nextId, nextDate, nextStart, nextEnd),
    counts,
  };
}

/** The sum of the students' fees in major units; null if the lesson is free. */
function sumRosterFees(
  roster: readonly RosterEntry[],
  lesson: { fee: number | null },
): number | null {
  const total = roster.reduce((sum, entry) => sum + (entry.fee ?? lesson.fee ?? 0), 0);
  return total === 0 ? null : toMajor(total);
}

const toRecurringDay = (pattern: string, recurrenceStart: string): number =>
  pattern === 'monthly' ? Number(recurrenceStart.slice(8, 10)) : weekday(recurrenceStart);

type LinkedSession = Session['rescheduledTo'];

const toLinkedSession = (
  id: number | null,
  date: string | null,
  startTime: string | null,
  endTime: string | null,
): LinkedSession =>
  id === null || date === null || startTime === null || endTime === null
    ? null
    : { id, date, startTime, endTime };
