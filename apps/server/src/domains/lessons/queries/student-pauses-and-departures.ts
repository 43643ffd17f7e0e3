import type { Tx } from '../../../platform/db/database.ts';
import { timeOffRangeColumns } from './time-off.ts';

/** The last two pauses of a student, latest first. */
export const latestPauses = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .where('is_departure', '=', false)
    .select(timeOffRangeColumns)
    .orderBy('from_date', 'desc')
    .limit(2);

/** The pauses of a student that continue or begin after a date. */
export const findPausesEndingAfter = (tx: Tx, tutorId: string, studentId: number, date: string) =>
  tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .where('is_departure', '=', false)
    .where((eb) => eb.or([eb('to_date', 'is', null), eb('to_date', '>', date)]))
    .select(timeOffRangeColumns)
    .orderBy('from_date');

/** The time off after the last day of a student who leaves. */
export const findDeparture = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .where('is_departure', '=', true)
    .select(timeOffRangeColumns);

/** Turns a departure into an ordinary pause that ends on the day before the student came back. */
export async function endDepartureRow(
  tx: Tx,
  tutorId: string,
  id: number,
  toDate: string,
): Promise<void> {
  await tx
    .updateTable('time_off')
    .set({ to_date: toDate, is_departure: false })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
