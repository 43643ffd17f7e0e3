import { add24HourDays } from '@lessonbook/contract/time';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { incrementSequence, toIds } from '../../../platform/db/tutor-scoped-ids.ts';
import { scheduleWorkQuery } from '../../../platform/queue/tenant-schedule.ts';
import type { LessonRecord } from '../queries/lessons.ts';
import { type RateRecord, ratesOfStudents } from '../queries/rates.ts';
import { insertSeats, type NewSeat } from '../queries/seats.ts';
import { insertSessions, type NewSession, type SessionRecord } from '../queries/sessions.ts';
import { findTerms } from '../queries/term-calendars.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { type RosterEntry, rosterFee, rosterOn } from '../rules/seat-fees-and-rosters.ts';
import { isInTerm, type Terms } from '../rules/terms.ts';
import { planTimeOff, type TimeOffRange } from '../rules/time-off.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/** The tenant_schedule kind for extending series. A tutor has an entry while any lesson needs further sessions. */
export const GENERATE_SESSIONS = 'generate-sessions';
export const GENERATION_INTERVAL_DAYS = 7;

/** The terms that a lesson follows; null if it takes place all year. */
export async function getTermsOrThrow(
  { tx, tutorId }: ScheduleTx,
  calendarId: number | null | undefined,
): Promise<Terms> {
  if (!calendarId) return null;
  const terms = await findTerms(tx, tutorId, calendarId);
  if (!terms) throw termCalendarNotFound();
  return terms;
}

export const termCalendarNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find those school terms.");

/**
 * Inserts a session for each date on which the lesson has students and which is within its school terms. Returns the
 * sessions in the order of the dates.
 */
export async function generateSessions(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  allDates: readonly string[],
): Promise<NewSession[]> {
  const terms = await getTermsOrThrow(schedule, lesson.termCalendarId);
  const dates = allDates.filter(
    (date) => isInTerm(terms, date) && rosterOn(lesson.roster, date).length > 0,
  );
  if (dates.length === 0) return [];
  const { tx, tutorId } = schedule;
  const [sequence, timeOffRanges, rates] = await executeBatch(tx, [
    incrementSequence(tx, tutorId, 'session', dates.length),
    timeOffQuery(schedule, lesson, dates),
    ratesQuery(schedule, lesson),
  ]);
  const ids = toIds(sequence, dates.length);
  const sessions = planSessions(schedule, lesson, dates, ids, timeOffRanges);
  await executeBatch(schedule.tx, insertPlannedSessions(schedule, lesson, sessions, rates));
  return sessions;
}

/** The time off that `planSessions` needs. A one-off lesson during time off is assumed to be intentional. */
export const timeOffQuery = (
  { tx, tutorId }: ScheduleTx,
  lesson: Pick<LessonRecord, 'isRecurring' | 'roster'>,
  dates: readonly string[],
) => {
  const [first] = dates;
  if (!lesson.isRecurring || first === undefined) return null;
  const studentIds = lesson.roster.map(({ studentId }) => studentId);
  return timeOffBetween(tx, tutorId, first, dates.at(-1) ?? first, studentIds);
};

/** The rates that the fees of new seats depend on; null if the lesson has its own price. */
const ratesQuery = ({ tx, tutorId }: ScheduleTx, { usesRates, roster }: LessonRecord) =>
  usesRates
    ? ratesOfStudents(
        tx,
        tutorId,
        roster.map(({ studentId }) => studentId),
      )
    : null;

/** New sessions that the tutor's own time off cancels. If pauses cancel a session, `pausedSeats` is not empty. */
export const skippedSessions = (sessions: readonly NewSession[]) =>
  sessions
    .filter(({ timeOffId, pausedSeats }) => timeOffId !== null && pausedSeats.length === 0)
    .map(({ id, date }) => ({ sessionId: id, date }));

/** Assigns ids and instants, and determines what is cancelled by time off. */
export function planSessions(
  { timeZone }: ScheduleTx,
  { startTime, endTime, roster }: Pick<LessonRecord, 'startTime' | 'endTime' | 'roster'>,
  dates: readonly string[],
  ids: readonly number[],
  timeOffRanges: readonly TimeOffRange[],
): NewSession[] {
  return dates.map((date, index) => ({
    id: ids[index] as number,
    date,
    ...toInstants(timeZone, { date, startTime, endTime }),
    ...planTimeOff(
      timeOffRanges,
      { date, startTime, endTime },
      rosterOn(roster, date).map(({ studentId }) => studentId),
    ),
  }));
}

/** The statements that insert the sessions and their seats, for a batch. Seats stay expected if the session is cancelled. */
export const insertPlannedSessions = (
  { tx, tutorId, now }: ScheduleTx,
  lesson: LessonRecord,
  sessions: readonly NewSession[],
  rates: readonly RateRecord[],
) =>
  [
    insertSessions(tx, tutorId, { ...lesson, lessonId: lesson.id }, sessions, now),
    insertSeats(
      tx,
      tutorId,
      sessions.flatMap(({ id, date, timeOffId, pausedSeats }) =>
        rosterOn(lesson.roster, date).map((entry) => {
          const pause = pausedSeats.find(({ studentId }) => studentId === entry.studentId);
          const seat = toNewSeat({ ...lesson, id, date }, entry, lesson, rates, pause?.timeOffId);
          return timeOffId === null ? seat : { ...seat, state: 'expected' as const };
        }),
      ),
    ),
  ] as const;

export const toNewSeat = (
  session: Pick<SessionRecord, 'id' | 'subjectId' | 'date' | 'startTime' | 'endTime'>,
  entry: RosterEntry,
  lesson: Pick<LessonRecord, 'fee' | 'currency' | 'usesRates'>,
  rates: readonly RateRecord[],
  pauseId: number | null = null,
): NewSeat => ({
  sessionId: session.id,
  studentId: entry.studentId,
  position: entry.position,
  ...rosterFee(entry, lesson, session, rates),
  state: pauseId === null ? 'expected' : 'cancelled',
  timeOffId: pauseId,
});

/** Schedules the job that extends the series; null unless the lesson continues beyond its generated sessions. */
export function scheduleGenerationQuery({ tx, tutorId, now }: ScheduleTx, lesson: LessonRecord) {
  const isOngoing =
    lesson.isRecurring && (lesson.endDate === null || lesson.endDate > lesson.generatedUntil);
  if (!isOngoing) return null;
  const dueAt = add24HourDays(now, GENERATION_INTERVAL_DAYS);
  return scheduleWorkQuery(tx, tutorId, GENERATE_SESSIONS, dueAt);
}
