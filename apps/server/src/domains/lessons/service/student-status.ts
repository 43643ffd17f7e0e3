import type {
  StudentStatusChange,
  StudentStatusInput,
} from '@lessonbook/contract/change-student-status';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getStudentOrThrow, setStudentStatus } from '../../students/service/students.ts';
import { sessionsPausedFor } from '../queries/sessions-to-pause-or-end.ts';
import { latestPauses } from '../queries/student-pauses-and-departures.ts';
import { deleteTimeOffRow, insertTimeOff, updateTimeOffDates } from '../queries/time-off.ts';
import { coversDate, type TimeOffRange } from '../rules/time-off.ts';
import { restorePausedSeats } from './apply-and-lift-time-off.ts';
import { cancelForPause, findSessionsToPause, readSessionRows } from './cancel-paused-sessions.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { dryRun, runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';
import { endDeparture } from './student-departures.ts';

export const changeStudentStatus = (
  context: Context,
  tutorId: string,
  studentId: number,
  input: StudentStatusInput,
): Promise<StudentStatusChange> =>
  runScheduleTransaction(context, tutorId, (schedule) => applyStatus(schedule, studentId, input));

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
  const returnedIds = await endDeparture(schedule, studentId);
  const pauseEffect = await changePause(schedule, studentId, parseRequestedPause(schedule, input));
  const pausedStatus = status === 'left' ? 'active' : status;
  await setStudentStatus(tx, tutorId, studentId, {
    status: input.status === 'paused' ? pausedStatus : input.status,
    leftOn: null,
    portalEndsOn: null,
  });
  return {
    student: await getStudentOrThrow(tx, tutorId, studentId),
    ...(await includeReturned(schedule, pauseEffect, returnedIds)),
  };
}

/**
 * Adds the sessions restored by the student's return. If the student is paused at the same time, sessions during the pause
 * stay cancelled, so they are left out.
 */
async function includeReturned(
  schedule: ScheduleTx,
  { cancelled, restored, overlaps }: ScheduleEffect,
  returnedIds: readonly number[],
): Promise<ScheduleEffect> {
  if (returnedIds.length === 0) return { cancelled, restored, overlaps };
  const changed = new Set([...cancelled, ...restored].map(({ id }) => id));
  const ids = returnedIds.filter((id) => !changed.has(id));
  return {
    cancelled: cancelled.filter(({ id }) => !returnedIds.includes(id)),
    restored: await readSessionRows(
      schedule,
      [...ids, ...restored.map(({ id }) => id)].map((id) => ({ id })),
    ),
    overlaps: [...(await resolveOverlaps(schedule, ids, true)), ...overlaps],
  };
}

function parseRequestedPause({ today }: ScheduleTx, input: StudentStatusInput): Pause | null {
  if (input.status !== 'paused') return null;
  const toDate = input.toDate ?? null;
  if (toDate !== null && toDate < today) throw invalidDate('toDate', 'The last day is in the past');
  return { fromDate: input.fromDate as string, toDate };
}

const invalidDate = (field: 'fromDate' | 'toDate', message: string): AppError =>
  new AppError('invalid', message, { fields: { [field]: message } });

/** The pause, shortened to end on the day before `date`; null if nothing is left of it. */
const endBefore = ({ fromDate }: Pause, date: string): Pause | null =>
  fromDate < date ? { fromDate, toDate: addDaysToDate(date, -1) } : null;

/** The current or upcoming pause, if there is one, and the pause before it. */
async function findPauses({ tx, tutorId, today }: ScheduleTx, studentId: number) {
  const [latest, second] = await latestPauses(tx, tutorId, studentId).execute();
  const isOver = latest !== undefined && latest.toDate !== null && latest.toDate < today;
  return isOver ? { current: undefined, earlier: latest } : { current: latest, earlier: second };
}

/**
 * Replaces the current or upcoming pause; null ends it. Only sessions on dates that are newly covered, or no longer covered,
 * are cancelled or restored, so the tutor's own changes to other sessions remain.
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
