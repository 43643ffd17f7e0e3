import type { FeeSource } from '@lessonbook/contract/fee-source';
import type { Attendance, SeatState } from '@lessonbook/contract/sessions';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { RosterEntry, SeatRef } from '../rules/seat-fees-and-rosters.ts';

export interface NewSeat extends SeatRef {
  position: number;
  fee: number | null;
  currency: string;
  feeSource: FeeSource;
  state: SeatState;
  timeOffId: number | null;
}

export function insertSeats(tx: Tx, tutorId: string, seats: readonly NewSeat[]) {
  const column = <K extends keyof NewSeat>(key: K) => seats.map((seat) => seat[key]);
  return queryFromSql(
    tx,
    sql`
    insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source, state, time_off_id,
      cancelled_by)
    select ${tutorId}::uuid, s.*, case when s.state = 'cancelled' then 'tutor' end
    from unnest(${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('position')}::int[],
      ${column('fee')}::int[], ${column('currency')}::text[], ${column('feeSource')}::text[], ${column('state')}::text[],
      ${column('timeOffId')}::int[])
      as s(session_id, student_id, position, fee, currency, fee_source, state, time_off_id)`,
  );
}

/** Copies the expected seats, and those of paused students, to the replacement of a moved session. */
export async function copySeats(
  tx: Tx,
  tutorId: string,
  fromId: number,
  toId: number,
): Promise<void> {
  await sql`
    insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source, state, time_off_id,
      cancelled_by)
    select tutor_id, ${toId}::int, student_id, position, fee, currency, fee_source, state, time_off_id, cancelled_by
    from session_students
    where tutor_id = ${tutorId}::uuid and session_id = ${fromId}::int
      and (state = 'expected' or time_off_id is not null)`.execute(tx);
}

export type SeatChange = Partial<{
  student_id: number;
  fee: number | null;
  currency: string;
  fee_source: FeeSource;
  state: SeatState;
  attendance: Attendance | null;
  is_billable: boolean;
  cancelled_by: 'tutor' | 'student' | 'carer' | null;
  cancel_reason: string | null;
  notice_minutes: number | null;
  time_off_id: number | null;
}>;

/** Changes the seats in these sessions whose state is expected. */
export async function updateExpectedSeats(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  change: SeatChange,
): Promise<void> {
  await updateExpectedSeatsQuery(tx, tutorId, sessionIds, change)?.execute();
}

/** The statement of `updateExpectedSeats`, for a batch; null if there is nothing to change. */
export function updateExpectedSeatsQuery(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  change: SeatChange,
) {
  if (sessionIds.length === 0 || Object.keys(change).length === 0) return null;
  return tx
    .updateTable('session_students')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sql<number>`any(${sessionIds}::int[])`)
    .where('state', '=', sql.lit('expected'));
}

export async function updateSeat(
  tx: Tx,
  tutorId: string,
  { sessionId, studentId }: SeatRef,
  change: SeatChange,
): Promise<void> {
  await tx
    .updateTable('session_students')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sessionId)
    .where('student_id', '=', studentId)
    .execute();
}

/** The scheduled sessions on a date in which fewer students are expected than the group needs. */
export const sessionsBelowMinimum = (tx: Tx, tutorId: string, date: string) =>
  queryFromSql(
    tx,
    sql<{ id: number; title: string; startTime: string; minimum: number; expected: number }>`
      select s.id, s.title, s.start_time as "startTime", l.min_students as minimum, seats.expected
      from sessions s
      join lessons l on l.tutor_id = s.tutor_id and l.id = s.lesson_id
      cross join lateral (
        select count(*)::int as expected from session_students x
        where x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected') seats
      where s.tutor_id = ${tutorId}::uuid and s.date = ${date}::date and s.status = 'scheduled'
        and seats.expected < l.min_students
      order by s.start_time, s.id`,
  );

/** Sets the new price of a seat for the students of a group who have no price of their own. */
export async function updateDefaultSeatFees(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  { seatFee, usesRates }: { seatFee?: number | null; usesRates?: boolean },
  enteredSource: FeeSource,
): Promise<void> {
  if (seatFee === undefined) return;
  await sql`
    update session_students set fee = ${seatFee}::int, fee_source = ${usesRates ? 'subject' : enteredSource}
    where tutor_id = ${tutorId}::uuid and session_id = any(${sessionIds}::int[])
      and state = 'expected' and fee_source <> 'student'`.execute(tx);
}

/** Records in one statement whether seats are charged. A null attendance or notice leaves the column unchanged. */
export async function updateSeatOutcomes(
  tx: Tx,
  tutorId: string,
  outcomes: readonly (SeatRef & {
    isBillable: boolean;
    attendance: Attendance | null;
    noticeMinutes: number | null;
  })[],
): Promise<void> {
  const column = <K extends keyof (typeof outcomes)[number]>(key: K) =>
    outcomes.map((outcome) => outcome[key]);
  await sql`
    update session_students s set is_billable = o.is_billable, attendance = coalesce(o.attendance, s.attendance),
      notice_minutes = coalesce(o.notice_minutes, s.notice_minutes)
    from unnest(${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('isBillable')}::bool[],
      ${column('attendance')}::text[], ${column('noticeMinutes')}::int[])
      as o(session_id, student_id, is_billable, attendance, notice_minutes)
    where s.tutor_id = ${tutorId}::uuid and s.session_id = o.session_id and s.student_id = o.student_id`.execute(
    tx,
  );
}

/** Sets the state of paused students' seats and links them to the pause, or restores and unlinks them. */
export async function updatePausedSeats(
  tx: Tx,
  tutorId: string,
  seats: readonly (SeatRef & { state: SeatState; timeOffId: number | null })[],
): Promise<void> {
  if (seats.length === 0) return;
  const column = <K extends keyof (typeof seats)[number]>(key: K) => seats.map((seat) => seat[key]);
  await sql`
    update session_students s set state = o.state, time_off_id = o.time_off_id, is_billable = false, cancel_reason = null,
      cancelled_by = case when o.state = 'cancelled' then 'tutor' end, notice_minutes = null
    from unnest(${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('state')}::text[],
      ${column('timeOffId')}::int[]) as o(session_id, student_id, state, time_off_id)
    where s.tutor_id = ${tutorId}::uuid and s.session_id = o.session_id and s.student_id = o.student_id`.execute(
    tx,
  );
}

/**
 * Sets the cancelled seats of paused students back to expected, for sessions that are cancelled because every student is
 * paused.
 */
export async function resetPausedSeatsToExpected(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  await tx
    .updateTable('session_students')
    .set({ state: 'expected', cancelled_by: null })
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sql<number>`any(${sessionIds}::int[])`)
    .where('time_off_id', 'is not', null)
    .where('state', '=', sql.lit('cancelled'))
    .execute();
}

/** Unlinks the seats of the sessions, or those of one student, so that the end of a pause does not restore them. */
export async function unlinkSeatsFromPauses(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  studentId: number | null = null,
): Promise<void> {
  if (sessionIds.length === 0) return;
  await tx
    .updateTable('session_students')
    .set({ time_off_id: null })
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sql<number>`any(${sessionIds}::int[])`)
    .where('time_off_id', 'is not', null)
    .$if(studentId !== null, (query) => query.where('student_id', '=', studentId as number))
    .execute();
}

export async function deleteSeats(
  tx: Tx,
  tutorId: string,
  studentId: number,
  sessionIds: readonly number[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  await tx
    .deleteFrom('session_students')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .where('session_id', '=', sql<number>`any(${sessionIds}::int[])`)
    .execute();
}

/** The seats in these sessions whose state is expected. */
export async function expectedSeatRefs(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
): Promise<SeatRef[]> {
  if (sessionIds.length === 0) return [];
  return tx
    .selectFrom('session_students')
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sql<number>`any(${sessionIds}::int[])`)
    .where('state', '=', sql.lit('expected'))
    .select(['session_id as sessionId', 'student_id as studentId'])
    .orderBy('session_id')
    .orderBy('student_id')
    .execute();
}

/** Adds students to the roster of a new lesson. */
export function insertRoster(
  tx: Tx,
  tutorId: string,
  lessonId: number,
  roster: readonly RosterEntry[],
) {
  const column = <K extends keyof RosterEntry>(key: K) => roster.map((entry) => entry[key]);
  return queryFromSql(
    tx,
    sql`
    insert into lesson_students (tutor_id, lesson_id, student_id, position, fee, from_date, to_date)
    select ${tutorId}::uuid, ${lessonId}::int, r.* from unnest(${column('studentId')}::int[], ${column('position')}::int[],
      ${column('fee')}::int[], ${column('fromDate')}::date[], ${column('toDate')}::date[]) as r`,
  );
}

export async function replaceRoster(
  tx: Tx,
  tutorId: string,
  lessonId: number,
  roster: readonly RosterEntry[],
): Promise<void> {
  await tx
    .deleteFrom('lesson_students')
    .where('tutor_id', '=', tutorId)
    .where('lesson_id', '=', lessonId)
    .execute();
  await insertRoster(tx, tutorId, lessonId, roster).execute();
}
