import type { Overlap } from '@lessonbook/contract/errors';
import {
  MAX_TERM_CALENDARS,
  type TermCalendar,
  type TermCalendarChange,
  type TermCalendarInput,
} from '@lessonbook/contract/term-calendars';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { sessionsInSeries } from '../queries/sessions.ts';
import {
  countTermCalendars,
  deleteTermCalendarRow,
  idsOfLessonsUsingCalendar,
  saveTermCalendar,
  termCalendarRows,
} from '../queries/term-calendars.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { occurrencesBetween, unchangedReason } from '../rules/plan-series-change.ts';
import { isInTerm, type Terms } from '../rules/terms.ts';
import { removeSessions } from './cancel-without-fee-and-restore.ts';
import { generateSessions, getTermsOrThrow, termCalendarNotFound } from './generate-sessions.ts';
import { getLessonOrThrow } from './guards.ts';
import { resolveNewOverlaps } from './resolve-overlaps.ts';
import { dryRun, runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

export async function listTermCalendars(
  context: Context,
  tutorId: string,
): Promise<TermCalendar[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    return (await tx.executeQuery(termCalendarRows(tx, tutorId, today))).rows;
  });
}

export async function createTermCalendar(
  context: Context,
  tutorId: string,
  input: TermCalendarInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<TermCalendar> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const { tx, now } = schedule;
    const id = await withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      if ((await countTermCalendars(tx, tutorId)) >= MAX_TERM_CALENDARS) {
        throw new AppError(
          'conflict',
          `You can have up to ${MAX_TERM_CALENDARS} sets of school terms. Please delete one first.`,
        );
      }
      const [newId] = (await nextIdsForKind(tx, tutorId, 'term-calendar')) as [number];
      await saveTermCalendar(tx, tutorId, { id: newId, ...input }, now);
      return newId;
    });
    return getTermCalendarOrThrow(schedule, id);
  });
}

export const updateTermCalendar = (
  context: Context,
  tutorId: string,
  id: number,
  input: TermCalendarInput,
): Promise<TermCalendarChange> =>
  runScheduleTransaction(context, tutorId, (schedule) => changeTerms(schedule, id, input));

export const previewTermCalendar = (
  context: Context,
  tutorId: string,
  id: number,
  input: TermCalendarInput,
): Promise<TermCalendarChange> =>
  dryRun(context, tutorId, (schedule) => changeTerms(schedule, id, input));

/** Also removes the calendar from students and from series that have ended, which changes none of their sessions. */
export async function deleteTermCalendar(
  context: Context,
  tutorId: string,
  id: number,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    const { lessons } = await getTermCalendarOrThrow(schedule, id);
    if (lessons > 0) {
      throw new AppError(
        'conflict',
        lessons === 1
          ? 'A recurring lesson follows these terms. Please change or delete it first.'
          : `${lessons} recurring lessons follow these terms. Please change or delete them first.`,
      );
    }
    await deleteTermCalendarRow(schedule.tx, tutorId, id);
  });
}

async function getTermCalendarOrThrow(
  { tx, tutorId, today }: ScheduleTx,
  id: number,
): Promise<TermCalendar> {
  const { rows } = await tx.executeQuery(termCalendarRows(tx, tutorId, today));
  const calendar = rows.find((row) => row.id === id);
  if (!calendar) throw termCalendarNotFound();
  return calendar;
}

async function changeTerms(
  schedule: ScheduleTx,
  id: number,
  input: TermCalendarInput,
): Promise<TermCalendarChange> {
  const { tx, tutorId, now } = schedule;
  const oldTerms = await getTermsOrThrow(schedule, id);
  await saveTermCalendar(tx, tutorId, { id, ...input }, now);
  const changes: Awaited<ReturnType<typeof applyTerms>>[] = [];
  for (const lessonId of await idsOfLessonsUsingCalendar(tx, tutorId, id)) {
    changes.push(await applyTerms(schedule, lessonId, oldTerms, input.terms));
  }
  return {
    calendar: await getTermCalendarOrThrow(schedule, id),
    lessons: changes
      .map(({ lesson }) => lesson)
      .filter(({ added, removed, kept }) => added.length + removed.length + kept.length > 0),
    overlaps: changes.flatMap(({ overlaps }) => overlaps),
  };
}

/**
 * Adds and removes upcoming sessions of a series on dates that enter or leave a term through the change. Other dates are not
 * affected, so that a session deleted by the tutor does not return.
 */
async function applyTerms(
  schedule: ScheduleTx,
  lessonId: number,
  oldTerms: Terms,
  newTerms: Terms,
): Promise<{ lesson: TermCalendarChange['lessons'][number]; overlaps: Overlap[] }> {
  const { tx, tutorId, now, today, timeZone } = schedule;
  const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
  const { title, startTime, endTime } = lesson;
  const rows = await sessionsInSeries(tx, tutorId, lessonId);
  const filledDates = new Set(rows.map(({ seriesDate }) => seriesDate));
  const newDates = occurrencesBetween(
    lesson.pattern,
    lesson.recurrenceStart,
    today,
    lesson.generatedUntil,
  ).filter(
    (date) =>
      !isInTerm(oldTerms, date) &&
      isInTerm(newTerms, date) &&
      !filledDates.has(date) &&
      toInstants(timeZone, { date, startTime, endTime }).startsAt > now,
  );
  const leaving = rows.filter(
    ({ seriesDate, status, endsAt }) =>
      seriesDate !== null &&
      status === 'scheduled' &&
      endsAt > now &&
      isInTerm(oldTerms, seriesDate) &&
      !isInTerm(newTerms, seriesDate),
  );
  const removed = leaving.filter((row) => unchangedReason(row, false) === null);
  await removeSessions(
    schedule,
    removed.map((row) => row.id),
  );
  const created = await generateSessions(schedule, lesson, newDates);
  const overlaps = await resolveNewOverlaps(
    schedule,
    created.map((session) => session.id),
    true,
  );
  return {
    lesson: {
      lessonId,
      title,
      startTime,
      added: created.map(({ date }) => date),
      removed: removed.map(({ date }) => date),
      kept: leaving.filter((row) => !removed.includes(row)).map(({ date }) => date),
    },
    overlaps,
  };
}
