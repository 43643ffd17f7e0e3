import { dayNumber, durationMinutes, weekday } from '@lessonbook/contract/dates';
import type { Lesson, LessonDetails } from '@lessonbook/contract/lessons';
import { type Currency, toMajor } from '@lessonbook/contract/money';
import type { Pattern } from '@lessonbook/contract/recurrence';
import type { Session, SessionRow } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { type LessonSummaryRecord, lessonSummaries } from '../queries/lessons.ts';
import {
  asSessionRow,
  linkedSession,
  type SessionDetailsRecord,
  sessionDetails,
  sessionsBetween,
  sessionsDue,
  sessionsOfLesson,
} from '../queries/session-rows.ts';
import { lessonStatus } from '../rules/lesson-status.ts';
import { moneySoFar } from '../rules/money-so-far.ts';
import { noSuchLesson, noSuchSession } from './find.ts';

const LONGEST_RANGE_DAYS = 100;
const DUE_AT_MOST = 200;

export async function listSessions(
  context: Context,
  tutorId: string,
  from: string,
  to: string,
): Promise<SessionRow[]> {
  const days = dayNumber(to) - dayNumber(from);
  if (days < 0 || days >= LONGEST_RANGE_DAYS) {
    throw new AppError('invalid', `Please ask for at most ${LONGEST_RANGE_DAYS} days.`);
  }
  const [rows] = await context.db.readTutor(tutorId, (tx) => [
    sessionsBetween(tx, tutorId, from, to),
  ]);
  return rows.map(asSessionRow);
}

export async function listDueSessions(context: Context, tutorId: string): Promise<SessionRow[]> {
  const now = context.clock.now();
  const [rows] = await context.db.readTutor(tutorId, (tx) => [
    sessionsDue(tx, tutorId, now, DUE_AT_MOST),
  ]);
  return rows.map(asSessionRow);
}

export async function readSession(context: Context, tutorId: string, id: number): Promise<Session> {
  const [[record]] = await context.db.readTutor(tutorId, (tx) => [sessionDetails(tx, tutorId, id)]);
  if (!record) throw noSuchSession();
  return asSession(record);
}

function asSession(record: SessionDetailsRecord): Session {
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
    ...asSessionRow(row),
    duration: durationMinutes(row.startTime, row.endTime),
    notes: row.notes || null,
    attendance: row.attendance as Session['attendance'],
    cancelledBy: row.cancelledBy as Session['cancelledBy'],
    cancelReason: row.cancelReason,
    rescheduledToSessionId: laterId,
    rescheduledFromSessionId: earlierId,
    rescheduledTo: linkedSession(laterId, laterDate, laterStart, laterEnd),
    rescheduledFrom: linkedSession(earlierId, earlierDate, earlierStart, earlierEnd),
    invoice:
      invoiceId === null || invoiceNumber === null
        ? null
        : { id: invoiceId, number: invoiceNumber },
    familyId,
  };
}

export async function listLessons(context: Context, tutorId: string): Promise<Lesson[]> {
  const now = context.clock.now();
  const [rows] = await context.db.readTutor(tutorId, (tx) => [lessonSummaries(tx, tutorId, now)]);
  return rows.map(asLesson);
}

export async function readLesson(
  context: Context,
  tutorId: string,
  id: number,
): Promise<LessonDetails> {
  const now = context.clock.now();
  const [[summary], records] = await context.db.readTutor(tutorId, (tx) => [
    lessonSummaries(tx, tutorId, now, id),
    sessionsOfLesson(tx, tutorId, id),
  ]);
  if (!summary) throw noSuchLesson();
  const rows = records.map(({ endsAt, ...record }) => ({
    row: asSessionRow(record),
    isComing: record.status === 'scheduled' && endsAt > now,
  }));
  return {
    ...asLesson(summary),
    coming: rows.filter(({ isComing }) => isComing).map(({ row }) => row),
    past: rows
      .filter(({ isComing }) => !isComing)
      .map(({ row }) => row)
      .toReversed(),
    money: moneySoFar(rows.map(({ row }) => row)),
  };
}

function asLesson(record: LessonSummaryRecord): Lesson {
  const { pattern, anchorDate, endDate, materialisedTo, scheduled, completed, cancelled, ...rest } =
    record;
  const { nextId, nextDate, nextStart, nextEnd, ...fields } = rest;
  const counts = {
    scheduled: scheduled ?? 0,
    completed: completed ?? 0,
    cancelled: cancelled ?? 0,
  };
  const goesOn = fields.isRecurring && (endDate === null || endDate > materialisedTo);
  return {
    ...fields,
    fee: fields.fee === null ? null : toMajor(fields.fee),
    currency: fields.currency as Currency,
    status: lessonStatus(counts, goesOn),
    recurringPattern: pattern as Pattern,
    recurringDay: fields.isRecurring ? recurringDay(pattern, anchorDate) : null,
    recurringEndDate: endDate,
    duration: durationMinutes(fields.startTime, fields.endTime),
    nextSession: linkedSession(nextId, nextDate, nextStart, nextEnd),
    counts,
  };
}

const recurringDay = (pattern: string, anchor: string): number =>
  pattern === 'monthly' ? Number(anchor.slice(8, 10)) : weekday(anchor);
