import { dayNumber, durationMinutes, weekday } from '@lessonbook/contract/dates';
import type { Lesson, LessonDetails } from '@lessonbook/contract/lessons';
import { type Currency, toMajor } from '@lessonbook/contract/money';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import {
  MAX_RANGE_DAYS,
  MAX_RANGE_SESSIONS,
  type Session,
  type SessionRow,
} from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import {
  type LessonSummaryRecord,
  lessonSummariesPage,
  lessonSummaryById,
} from '../queries/lessons.ts';
import {
  countDue,
  type SessionDetailsRecord,
  type SessionRowRecord,
  sessionDetails,
  sessionsBetween,
  sessionsDue,
  sessionsForLesson,
  toLinkedSession,
  toSessionRow,
} from '../queries/session-rows.ts';
import { totalsByCurrency } from '../rules/charge-totals.ts';
import { lessonStatus } from '../rules/lesson-status.ts';
import { lessonNotFound, sessionNotFound } from './guards.ts';

/** For imports, to skip lessons that already exist. */
export { findExistingSlots } from '../queries/find-duplicates.ts';

/** For higher-level domains that return sessions in the contract's format. */
export { sessionRows, sessionsDue, toSessionRow } from '../queries/session-rows.ts';

/** Counts sessions that have ended but have not been completed. */
export const countDueSessions = (tx: Tx, tutorId: string, now: Date): Promise<number> =>
  countDue(tx, tutorId, now);

const MAX_DUE = 200;

export async function listSessions(
  context: Context,
  tutorId: string,
  from: string,
  to: string,
): Promise<SessionRow[]> {
  const days = dayNumber(to) - dayNumber(from);
  if (days < 0 || days >= MAX_RANGE_DAYS) {
    throw new AppError('invalid', `Please ask for at most ${MAX_RANGE_DAYS} days.`);
  }
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    sessionsBetween(tx, tutorId, from, to, MAX_RANGE_SESSIONS + 1),
  ]);
  return toSessionRows(rows);
}

export async function getSessions(
  tx: Tx,
  tutorId: string,
  from: string,
  to: string,
): Promise<SessionRow[]> {
  const query = sessionsBetween(tx, tutorId, from, to, MAX_RANGE_SESSIONS + 1);
  return toSessionRows((await tx.executeQuery(query)).rows);
}

function toSessionRows(rows: readonly SessionRowRecord[]): SessionRow[] {
  if (rows.length <= MAX_RANGE_SESSIONS) return rows.map(toSessionRow);
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
  return rows.map(toSessionRow);
}

export async function readSession(context: Context, tutorId: string, id: number): Promise<Session> {
  const [[record]] = await context.db.tutorRead(tutorId, (tx) => [sessionDetails(tx, tutorId, id)]);
  if (!record) throw sessionNotFound();
  return toSession(record);
}

function toSession(record: SessionDetailsRecord): Session {
  const {
    laterId,
    laterDate,
    laterStart,
    laterEnd,
    earlierId,
    earlierDate,
    earlierStart,
    earlierEnd,
    invoiceId,
    invoiceNumber,
    familyId,
    ...row
  } = record;
  return {
    ...toSessionRow(row),
    duration: durationMinutes(row.startTime, row.endTime),
    notes: row.notes || null,
    attendance: row.attendance as Session['attendance'],
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
    familyId,
  };
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
  const [[summary], records] = await context.db.tutorRead(tutorId, (tx) => [
    lessonSummaryById(tx, tutorId, now, id),
    sessionsForLesson(tx, tutorId, id),
  ]);
  if (!summary) throw lessonNotFound();
  const rows = records.map(({ endsAt, ...record }) => ({
    row: toSessionRow(record),
    isUpcoming: record.status === 'scheduled' && endsAt > now,
  }));
  return {
    ...toLesson(summary),
    upcoming: rows.filter(({ isUpcoming }) => isUpcoming).map(({ row }) => row),
    past: rows
      .filter(({ isUpcoming }) => !isUpcoming)
      .map(({ row }) => row)
      .toReversed(),
    money: totalsByCurrency(rows.map(({ row }) => row)),
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
  const { nextId, nextDate, nextStart, nextEnd, ...fields } = rest;
  const counts = {
    scheduled: scheduled ?? 0,
    completed: completed ?? 0,
    cancelled: cancelled ?? 0,
  };
  const isOngoing = fields.isRecurring && (endDate === null || endDate > generatedUntil);
  return {
    ...fields,
    fee: fields.fee === null ? null : toMajor(fields.fee),
    currency: fields.currency as Currency,
    status: lessonStatus(counts, isOngoing),
    recurringPattern: pattern as RecurrencePattern,
    recurringDay: fields.isRecurring ? recurringDay(pattern, recurrenceStart) : null,
    recurringEndDate: endDate,
    duration: durationMinutes(fields.startTime, fields.endTime),
    nextSession: toLinkedSession(nextId, nextDate, nextStart, nextEnd),
    counts,
  };
}

const recurringDay = (pattern: string, recurrenceStart: string): number =>
  pattern === 'monthly' ? Number(recurrenceStart.slice(8, 10)) : weekday(recurrenceStart);
