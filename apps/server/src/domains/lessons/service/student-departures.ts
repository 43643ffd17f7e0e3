import { addDaysToDate } from '@lessonbook/contract/dates';
import { isGroup, lessonLabel, lessonSubtitle } from '@lessonbook/contract/lesson-names';
import type {
  DepartureInput,
  LeavingSession,
  LeavingStudent,
} from '@lessonbook/contract/student-departures';
import { minutesBetween } from '@lessonbook/contract/time';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getStudentOrThrow, setStudentStatus } from '../../students/service/students.ts';
import { cancelledWithFee, seatsReopened } from '../events.ts';
import {
  resetPausedSeatsToExpected,
  unlinkSeatsFromPauses,
  updateSeat,
  updateSeatOutcomes,
} from '../queries/seats.ts';
import { updateSessions } from '../queries/sessions.ts';
import {
  invoicedSessionIds,
  leavingSessions,
  type StudentSession,
  sessionsPausedFor,
} from '../queries/sessions-to-pause-or-end.ts';
import {
  endDepartureRow,
  findDeparture,
  findPausesEndingAfter,
} from '../queries/student-pauses-and-departures.ts';
import { deleteTimeOffRow, insertTimeOff, updateTimeOffDates } from '../queries/time-off.ts';
import { restorePausedSeats } from './apply-and-lift-time-off.ts';
import { cancelForPause, findSessionsToPause } from './cancel-paused-sessions.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/*
 * A student who leaves has open-ended time off after the last day. Like a pause, the time off cancels lessons, including new
 * lessons in a series. They are restored if the student comes back.
 */

type Departure = Omit<DepartureInput, 'studentIds'>;

/** Cancels lessons after the last day. Lessons in the notice period are charged or kept. Replaces any earlier departure. */
export async function leave(
  schedule: ScheduleTx,
  studentId: number,
  input: Departure,
): Promise<LeavingStudent> {
  const { tx, tutorId } = schedule;
  await getStudentOrThrow(tx, tutorId, studentId);
  const noticeUntil = input.noticeUntil ?? null;
  const keepsNotice = noticeUntil !== null && input.inNotice === 'keep';
  const leftOn = keepsNotice ? noticeUntil : input.lastDate;
  const released = await releaseSeats(schedule, studentId, leftOn);
  const sessions = await findSessionsToPause(schedule, studentId, {
    fromDate: addDaysToDate(leftOn, 1),
    toDate: null,
  });
  const isCharged = ({ date, fee }: StudentSession) =>
    noticeUntil !== null && date <= noticeUntil && (fee ?? 0) > 0;
  const toCharge = sessions.filter(isCharged);
  const toCancel = sessions.filter((session) => !isCharged(session));
  const rows = await readLeavingSessions(
    schedule,
    sessions.map(({ id }) => id),
  );
  const departureId = await insertDeparture(schedule, studentId, leftOn);
  await cancelForPause(schedule, studentId, departureId, toCancel);
  await chargeSeats(schedule, studentId, departureId, toCharge);
  await setStudentStatus(tx, tutorId, studentId, {
    status: 'left',
    leftOn,
    portalEndsOn: input.portalEndsOn,
  });
  const restored = released.restoredIds.filter(
    (id) => !sessions.some((session) => session.id === id),
  );
  const chargedById = new Map(toCharge.map((session) => [session.id, session]));
  return {
    student: await getStudentOrThrow(tx, tutorId, studentId),
    // Leaves out lessons that were already cancelled by a pause or an earlier departure.
    cancelled: rows.filter(({ id }) => !chargedById.has(id) && !released.cancelledBefore.has(id)),
    charged: rows.flatMap((session) => {
      const seat = chargedById.get(session.id);
      return seat ? [{ session, amount: seat.fee ?? 0, currency: seat.currency }] : [];
    }),
    overlaps: await resolveOverlaps(schedule, restored, true),
    restored: await readLeavingSessions(schedule, restored),
  };
}

async function readLeavingSessions(
  { tx, tutorId }: ScheduleTx,
  ids: readonly number[],
): Promise<LeavingSession[]> {
  const rows = await leavingSessions(tx, tutorId, ids).execute();
  return rows.map(({ id, date, startTime, title, subjectName, firstStudentName, states }) => {
    const students = states.map((state) => ({ state }));
    const names = { title, subjectName, studentName: firstStudentName, students };
    return {
      id,
      date,
      startTime,
      label: isGroup(names) ? lessonLabel(names) : lessonSubtitle(names),
      isGroup: isGroup(names),
    };
  });
}

/** Restores what pauses or an earlier departure cancelled after a date, so that the new departure can cancel or charge it. */
async function releaseSeats(schedule: ScheduleTx, studentId: number, lastDate: string) {
  const { tx, tutorId } = schedule;
  const departure = await findDeparture(tx, tutorId, studentId).executeTakeFirst();
  const linked = (await sessionsPausedFor(tx, tutorId, studentId)).filter(
    ({ date, seatTimeOffId }) => date > lastDate || seatTimeOffId === departure?.id,
  );
  if (departure) await deleteTimeOffRow(tx, tutorId, departure.id, studentId);
  for (const pause of await findPausesEndingAfter(tx, tutorId, studentId, lastDate).execute()) {
    if (pause.fromDate > lastDate) await deleteTimeOffRow(tx, tutorId, pause.id, studentId);
    else
      await updateTimeOffDates(tx, tutorId, pause.id, {
        fromDate: pause.fromDate,
        toDate: lastDate,
      });
  }
  const uncharged = linked.filter(({ isBillable }) => !isBillable);
  return {
    restoredIds: await reopenSeats(schedule, studentId, linked),
    cancelledBefore: new Set(uncharged.map(({ id }) => id)),
  };
}

/** Called when the student comes back. Restores cancelled lessons from today onwards, and returns their ids. */
export async function endDeparture(schedule: ScheduleTx, studentId: number): Promise<number[]> {
  const { tx, tutorId, today } = schedule;
  const departure = await findDeparture(tx, tutorId, studentId).executeTakeFirst();
  if (!departure) return [];
  const linked = (await sessionsPausedFor(tx, tutorId, studentId)).filter(
    ({ date, seatTimeOffId }) => date >= today && seatTimeOffId === departure.id,
  );
  if (departure.fromDate < today)
    await endDepartureRow(tx, tutorId, departure.id, addDaysToDate(today, -1));
  else await deleteTimeOffRow(tx, tutorId, departure.id, studentId);
  return reopenSeats(schedule, studentId, linked);
}

/**
 * Restores the seats and reverses their charges. Completed and invoiced lessons do not change, and are unlinked so that
 * they are not restored later.
 */
async function reopenSeats(
  schedule: ScheduleTx,
  studentId: number,
  linked: readonly StudentSession[],
): Promise<number[]> {
  const { context, tx, tutorId } = schedule;
  const sessions = linked.filter(({ status }) => status !== 'completed');
  const completedIds = linked.flatMap(({ id, status }) => (status === 'completed' ? id : []));
  await unlinkSeatsFromPauses(tx, tutorId, completedIds, studentId);
  const charged = sessions.filter(({ isBillable }) => isBillable);
  const invoiced = await invoicedSessionIds(
    tx,
    tutorId,
    studentId,
    charged.map(({ id }) => id),
  );
  await unlinkSeatsFromPauses(tx, tutorId, invoiced, studentId);
  await updateSessions(tx, tutorId, invoiced, { time_off_id: null });
  const toReopen = sessions.filter(({ id }) => !invoiced.includes(id));
  const seats = charged
    .filter(({ id }) => !invoiced.includes(id))
    .map(({ id }) => ({ sessionId: id, studentId }));
  if (seats.length > 0) await context.events.publish(tx, seatsReopened, { tutorId, seats });
  return restorePausedSeats(schedule, studentId, toReopen);
}

async function insertDeparture(
  { tx, tutorId, now }: ScheduleTx,
  studentId: number,
  leftOn: string,
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'time-off')) as [number];
  const timeOff = {
    id,
    studentId,
    fromDate: addDaysToDate(leftOn, 1),
    toDate: null,
    startTime: null,
    endTime: null,
    reason: null,
    isDeparture: true,
  };
  await insertTimeOff(tx, tutorId, timeOff, now);
  return id;
}

/** Cancels the seats on behalf of the family and charges them in full, regardless of the cancellation policy. */
async function chargeSeats(
  schedule: ScheduleTx,
  studentId: number,
  timeOffId: number,
  sessions: readonly StudentSession[],
): Promise<void> {
  if (sessions.length === 0) return;
  const { context, tx, tutorId, now } = schedule;
  const own = sessions.filter(({ hasOthers }) => !hasOthers);
  const ownIds = own.map(({ id }) => id);
  await updateSessions(tx, tutorId, ownIds, {
    status: 'cancelled',
    cancelled_by: 'carer',
    time_off_id: timeOffId,
  });
  await resolveOverlaps(schedule, ownIds, true);
  await updateSeatOutcomes(
    tx,
    tutorId,
    sessions.map(({ id, startsAt }) => ({
      sessionId: id,
      studentId,
      isBillable: true,
      attendance: null,
      noticeMinutes: Math.max(0, minutesBetween(now, startsAt)),
    })),
  );
  for (const session of sessions)
    await updateSeat(
      tx,
      tutorId,
      { sessionId: session.id, studentId },
      own.includes(session)
        ? { time_off_id: timeOffId }
        : { time_off_id: timeOffId, state: 'cancelled', cancelled_by: 'carer' },
    );
  await context.events.publish(tx, cancelledWithFee, {
    tutorId,
    seats: sessions.map(({ id, fee }) => ({ sessionId: id, studentId, fee: fee ?? 0 })),
  });
  // Other students in these sessions may be paused.
  await resetPausedSeatsToExpected(tx, tutorId, ownIds);
}
