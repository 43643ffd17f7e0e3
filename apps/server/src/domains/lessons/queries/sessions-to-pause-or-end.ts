import type { Currency } from '@lessonbook/contract/money';
import type { SeatState, SessionStatus } from '@lessonbook/contract/sessions';
import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { type SessionRecord, sessionColumns } from './sessions.ts';

/** Scheduled sessions in which a student is expected, in any lesson. */
const scheduledSessionsOfStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('status', '=', sql.lit('scheduled'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('session_students as seat')
          .whereRef('seat.tutor_id', '=', 'sessions.tutor_id')
          .whereRef('seat.session_id', '=', 'sessions.id')
          .where('seat.student_id', '=', studentId)
          .where('seat.state', '=', sql.lit('expected')),
      ),
    )
    .select(sessionColumns)
    .orderBy('id');

export async function upcomingSessionsForStudent(
  tx: Tx,
  tutorId: string,
  studentId: number,
  now: Date,
): Promise<SessionRecord[]> {
  const rows = await scheduledSessionsOfStudent(tx, tutorId, studentId)
    .where('ends_at', '>', now)
    .execute();
  return rows as SessionRecord[];
}

export async function countUpcomingOfStudent(
  tx: Tx,
  tutorId: string,
  studentId: number,
  now: Date,
): Promise<number> {
  const { count } = await scheduledSessionsOfStudent(tx, tutorId, studentId)
    .where('ends_at', '>', now)
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A session with the seat of one student. It does not list the other students, because groups can be large. */
export type StudentSession = Omit<
  RowOf<ReturnType<typeof sessionsOfStudent>>,
  'status' | 'currency'
> & {
  status: SessionStatus;
  currency: Currency;
};

const sessionsOfStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('sessions')
    .innerJoin('session_students as seat', (join) =>
      join
        .onRef('seat.tutor_id', '=', 'sessions.tutor_id')
        .onRef('seat.session_id', '=', 'sessions.id'),
    )
    .where('sessions.tutor_id', '=', tutorId)
    .where('seat.student_id', '=', studentId)
    .select([
      'sessions.id',
      'sessions.lesson_id as lessonId',
      'sessions.date',
      'sessions.starts_at as startsAt',
      'sessions.ends_at as endsAt',
      'sessions.status',
      'sessions.time_off_id as timeOffId',
      'seat.fee',
      'seat.currency',
      'seat.is_billable as isBillable',
      'seat.time_off_id as seatTimeOffId',
      sql<boolean>`exists (select from session_students x where x.tutor_id = sessions.tutor_id
        and x.session_id = sessions.id and x.state = 'expected' and x.student_id <> seat.student_id)`.as(
        'hasOthers',
      ),
      // The same as isPaused in rules/seat-fees-and-rosters.ts.
      sql<boolean>`sessions.status = 'cancelled'
        and exists (select from session_students x where x.tutor_id = sessions.tutor_id
          and x.session_id = sessions.id and x.time_off_id is not null)
        and not exists (select from session_students x where x.tutor_id = sessions.tutor_id
          and x.session_id = sessions.id and x.state = 'expected' and x.time_off_id is null)`.as(
        'isPaused',
      ),
    ])
    .orderBy('sessions.id');

/** At most `limit` scheduled sessions of a student; a range without a last date is open-ended. */
export async function sessionsToPause(
  tx: Tx,
  tutorId: string,
  studentId: number,
  { fromDate, toDate }: { fromDate: string; toDate: string | null },
  limit: number,
): Promise<StudentSession[]> {
  const rows = await sessionsOfStudent(tx, tutorId, studentId)
    .where('sessions.status', '=', sql.lit('scheduled'))
    .where('seat.state', '=', sql.lit('expected'))
    .where('sessions.date', '>=', fromDate)
    .$if(toDate !== null, (query) => query.where('sessions.date', '<=', toDate as string))
    .limit(limit)
    .execute();
  return rows as StudentSession[];
}

/** Sessions in which a pause cancelled the student's seat or the whole session. */
export async function sessionsPausedFor(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<StudentSession[]> {
  const rows = await sessionsOfStudent(tx, tutorId, studentId)
    .where('seat.time_off_id', 'is not', null)
    .execute();
  return rows as StudentSession[];
}

interface LeavingSessionRow {
  id: number;
  date: string;
  startTime: string;
  title: string;
  subjectName: string;
  firstStudentName: string;
  states: SeatState[];
}

/** What the list of cancelled and charged sessions shows. */
export const leavingSessions = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  queryFromSql(
    tx,
    sql<LeavingSessionRow>`
      select s.id, s.date, s.start_time as "startTime", s.title, b.name as "subjectName", first.name as "firstStudentName",
        array(select x.state from session_students x
          where x.tutor_id = s.tutor_id and x.session_id = s.id) as states
      from sessions s
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      cross join lateral (
        select st.name from session_students x
        join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
        where x.tutor_id = s.tutor_id and x.session_id = s.id
        order by x.position, x.student_id
        limit 1) as first
      where s.tutor_id = ${tutorId}::uuid and s.id = any(${ids}::int[])
      order by s.date, s.start_time, s.id`,
  );

export async function lessonIdsForStudent(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('lessons')
    .innerJoin('lesson_students', (join) =>
      join
        .onRef('lesson_students.tutor_id', '=', 'lessons.tutor_id')
        .onRef('lesson_students.lesson_id', '=', 'lessons.id'),
    )
    .where('lessons.tutor_id', '=', tutorId)
    .where('lesson_students.student_id', '=', studentId)
    .where('lessons.archived_at', 'is', null)
    .select('lessons.id')
    .distinct()
    .orderBy('lessons.id')
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the ids of the given sessions whose charge for the student is on an invoice. */
export async function invoicedSessionIds(
  tx: Tx,
  tutorId: string,
  studentId: number,
  sessionIds: readonly number[],
): Promise<number[]> {
  if (sessionIds.length === 0) return [];
  const rows = await queryFromSql(
    tx,
    sql<{ sessionId: number }>`
      select distinct session_id as "sessionId" from charges
      where tutor_id = ${tutorId}::uuid and student_id = ${studentId}::int and session_id = any(${sessionIds}::int[])
        and invoice_id is not null and not reversed`,
  ).execute();
  return rows.map((row) => row.sessionId);
}
