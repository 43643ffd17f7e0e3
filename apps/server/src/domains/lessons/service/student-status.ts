import { addDaysToDate } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { StudentStatusChange, StudentStatusInput } from '@lessonbook/contract/student-status';
import { MAX_TIME_OFF_SESSIONS } from '@lessonbook/contract/time-off';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getStudentOrThrow, setStudentStatus } from '../../students/service/students.ts';
import { sessionRowsByIds, toSessionRows } from '../queries/session-rows.ts';
import type { SessionRecord } from '../queries/sessions.ts';
import {
  sessionsPausedFor,
  sessionsToPause,
  upcomingSessionsForStudent,
} from '../queries/student-sessions.ts';
import {
  deleteTimeOffRow,
  insertTimeOff,
  latestPauses,
  updateTimeOffDates,
} from '../queries/time-off.ts';
import { coversDate, type TimeOffRange } from '../rules/time-off.ts';
import { applyTimeOff, restorePausedSeats } from './cancel-and-restore-sessions.ts';
import { endStudentLessons } from './end-student-lessons.ts';
import { isOnlyStudent } from './roster.ts';
import {
  changeSchedule,
  dryRun,
  resolveOverlaps,
  type ScheduleTx,
} from './schedule-transaction.ts';

export const changeStudentStatus = (
  context: Context,
  tutorId: string,
  studentId: number,
  input: StudentStatusInput,
): Promise<StudentStatusChange> =>
  changeSchedule(context, tutorId, (schedule) => applyStatus(schedule, studentId, input));

export const previewStudentStatus = (
  context: Context,
  tutorId: string,
  studentId: number,
  input: StudentStatusInput,
): Promise<StudentStatusChange> =>
  dryRun(context, tutorId, (schedule) => applyStatus(schedule, studentId, input));

type ScheduleEffect = Omit<StudentStatusChange, 'student'>;
type Pause = Pick<TimeOffRange, 'fromDate' | 'toDate'>;

async function applyStatus(
  schedule: ScheduleTx,
  studentId: number,
  input: StudentStatusInput,
): Promise<StudentStatusChange> {
  const { tx, tutorId } = schedule;
  const { status } = await getStudentOrThrow(tx, tutorId, studentId);
  const effect =
    input.status === 'left'
      ? await leave(schedule, studentId)
      : await changePause(schedule, studentId, requestedPause(schedule, input));
  const pausedStatus = status === 'left' ? 'active' : status;
  await setStudentStatus(
    tx,
    tutorId,
    studentId,
    input.status === 'paused' ? pausedStatus : input.status,
  );
  return { student: await getStudentOrThrow(tx, tutorId, studentId), ...effect };
}

function requestedPause({ today }: ScheduleTx, input: StudentStatusInput): Pause | null {
  if (input.status !== 'paused') return null;
  const toDate = input.toDate ?? null;
  if (toDate !== null && toDate < today) throw invalidDate('toDate', 'The last day is in the past');
  return { fromDate: input.fromDate as string, toDate };
}

const invalidDate = (field: 'fromDate' | 'toDate', message: string): AppError =>
  new AppError('invalid', message, { fields: { [field]: message } });

/** Cancels the upcoming sessions and ends the lessons, as if the student had been deleted. */
async function leave(schedule: ScheduleTx, studentId: number): Promise<ScheduleEffect> {
  const { tx, tutorId, now } = schedule;
  const upcoming = await upcomingSessionsForStudent(tx, tutorId, studentId, now);
  const cancelled = await readSessionRows(schedule, upcoming);
  await endStudentLessons(schedule, studentId);
  const { current } = await findPauses(schedule, studentId);
  if (current) await savePause(schedule, studentId, current, endBefore(current, schedule.today));
  return { cancelled, restored: [], overlaps: [] };
}

/** The pause if it ends the day before `date`; null if nothing is left of it. */
const endBefore = ({ fromDate }: Pause, date: string): Pause | null =>
  fromDate < date ? { fromDate, toDate: addDaysToDate(date, -1) } : null;

/** The pause that is not over yet, if there is one, and the one before it. */
async function findPauses({ tx, tutorId, today }: ScheduleTx, studentId: number) {
  const [latest, second] = await latestPauses(tx, tutorId, studentId).execute();
  const isOver = latest !== undefined && latest.toDate !== null && latest.toDate < today;
  return isOver ? { current: undefined, earlier: latest } : { current: latest, earlier: second };
}

/**
 * Replaces the current or coming pause; null ends it. Sessions on dates that are no longer covered are restored, and those on
 * dates that were not covered before are cancelled, so the tutor's own changes to other sessions remain.
 */
async function changePause(
  schedule: ScheduleTx,
  studentId: number,
  requested: Pause | null,
): Promise<ScheduleEffect> {
  const { tx, tutorId, today } = schedule;
  const { current, earlier } = await findPauses(schedule, studentId);
  if (requested && earlier?.toDate && requested.fromDate <= earlier.toDate)
    throw invalidDate('fromDate', 'The first day must be after the previous pause');
  const next = requested ?? (current ? endBefore(current, today) : null);
  const paused = (await sessionsPausedFor(tx, tutorId, studentId)).filter(
    ({ date }) => current && coversDate(current, date) && !(next && coversDate(next, date)),
  );
  const toCancel = (next ? await findSessionsToPause(schedule, studentId, next) : []).filter(
    ({ date }) => !(current && coversDate(current, date)),
  );
  const cancelled = await readSessionRows(schedule, toCancel);
  const pauseId = await savePause(schedule, studentId, current, next);
  const restoredIds = await restorePausedSeats(schedule, studentId, paused);
  const overlaps = await resolveOverlaps(schedule, restoredIds, true);
  if (pauseId !== null) await cancelForPause(schedule, studentId, pauseId, toCancel);
  const restored = await readSessionRows(
    schedule,
    paused.filter(({ id }) => restoredIds.includes(id)),
  );
  return { cancelled, restored, overlaps };
}

/** Returns the id of the pause, or null if it was deleted. */
async function savePause(
  { tx, tutorId, now }: ScheduleTx,
  studentId: number,
  current: TimeOffRange | undefined,
  next: Pause | null,
): Promise<number | null> {
  if (!next) {
    if (current) await deleteTimeOffRow(tx, tutorId, current.id, studentId);
    return null;
  }
  if (current) {
    await updateTimeOffDates(tx, tutorId, current.id, next);
    return current.id;
  }
  const [id] = (await nextIdsForKind(tx, tutorId, 'time-off')) as [number];
  const pause = { id, studentId, ...next, startTime: null, endTime: null, reason: null };
  await insertTimeOff(tx, tutorId, pause, now);
  return id;
}

async function findSessionsToPause(
  { tx, tutorId }: ScheduleTx,
  studentId: number,
  pause: Pause,
): Promise<SessionRecord[]> {
  const limit = MAX_TIME_OFF_SESSIONS + 1;
  const sessions = await sessionsToPause(tx, tutorId, studentId, pause, limit);
  if (sessions.length === limit) {
    throw new AppError(
      'invalid',
      'There are too many lessons in this period. Please choose a shorter one.',
    );
  }
  return sessions;
}

async function cancelForPause(
  schedule: ScheduleTx,
  studentId: number,
  timeOffId: number,
  sessions: readonly SessionRecord[],
): Promise<void> {
  await applyTimeOff(
    schedule,
    sessions.map((session) => ({
      sessionId: session.id,
      timeOffId: isOnlyStudent(session, studentId) ? timeOffId : null,
      pausedSeats: [{ studentId, timeOffId }],
    })),
  );
}

async function readSessionRows(
  { tx, tutorId }: ScheduleTx,
  sessions: readonly { id: number }[],
): Promise<SessionRow[]> {
  const ids = sessions.map(({ id }) => id);
  return toSessionRows(await sessionRowsByIds(tx, tutorId, ids).execute());
}
