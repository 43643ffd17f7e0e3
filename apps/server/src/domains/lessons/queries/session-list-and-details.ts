import type { FeeSource } from '@lessonbook/contract/fee-source';
import type {
  Attendance,
  SeatState,
  SessionRow,
  SessionStudent,
} from '@lessonbook/contract/sessions';
import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { totalFee } from '../rules/seat-fees-and-rosters.ts';

/* Statuses are SQL literals because a generic plan with parameters cannot use a partial index. */

/**
 * Sessions as shown in lists and calendars: a row for each seat, and for each of its charges. `toSessionRows` groups
 * them. Reads may join tables that belong to other domains; writes go through the services of those domains.
 */
export const sessionRows = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('sessions')
    .innerJoin('session_students as seats', (join) =>
      join
        .onRef('seats.tutor_id', '=', 'sessions.tutor_id')
        .onRef('seats.session_id', '=', 'sessions.id'),
    )
    .innerJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'seats.tutor_id')
        .onRef('students.id', '=', 'seats.student_id'),
    )
    .innerJoin('subjects', (join) =>
      join
        .onRef('subjects.tutor_id', '=', 'sessions.tutor_id')
        .onRef('subjects.id', '=', 'sessions.subject_id'),
    )
    .innerJoin('lessons', (join) =>
      join
        .onRef('lessons.tutor_id', '=', 'sessions.tutor_id')
        .onRef('lessons.id', '=', 'sessions.lesson_id'),
    )
    .leftJoin('charges', (join) =>
      join
        .onRef('charges.tutor_id', '=', 'seats.tutor_id')
        .onRef('charges.session_id', '=', 'seats.session_id')
        .onRef('charges.student_id', '=', 'seats.student_id')
        .on('charges.kind', 'in', [sql.lit('lesson'), sql.lit('cancellation'), sql.lit('travel')])
        .on('charges.reversed', '=', sql.lit(false)),
    )
    .where('sessions.tutor_id', '=', tutorId)
    .select([
      'sessions.id',
      'sessions.lesson_id as lessonId',
      'sessions.date',
      'sessions.start_time as startTime',
      'sessions.end_time as endTime',
      'sessions.status',
      'sessions.title',
      'seats.student_id as studentId',
      'students.name as studentName',
      'sessions.subject_id as subjectId',
      'subjects.name as subjectName',
      'subjects.color as subjectColor',
      'seats.position as seatPosition',
      'seats.state as seatState',
      'seats.attendance',
      'seats.fee',
      'seats.fee_source as feeSource',
      'seats.currency',
      (eb) => eb.fn.coalesce('sessions.meet_link', 'sessions.place').as('place'),
      'lessons.is_recurring as isRecurring',
      sql<number | null>`charges.amount - charges.credited - charges.written_off`.as('charged'),
      'charges.outstanding',
      'charges.paid_by_id as paymentId',
    ]);

export type SessionRowRecord = RowOf<ReturnType<typeof sessionRows>>;

/** Groups the records by session and keeps their order. */
export const toSessionRows = (records: readonly SessionRowRecord[]): SessionRow[] =>
  groupBy(records, 'id').map(toSessionRow);

/** The row of one session. */
export function toSessionRow(records: readonly SessionRowRecord[]): SessionRow {
  const [first] = records as [SessionRowRecord];
  const students = groupBy(records, 'studentId').toSorted(byPosition).map(toSeat);
  const [student] = students as [SessionStudent];
  const isGroup = students.length > 1;
  const { charged, outstanding, paymentId } = isGroup ? sumCharges(records) : student;
  return {
    id: first.id,
    lessonId: first.lessonId,
    date: first.date,
    startTime: first.startTime,
    endTime: first.endTime,
    status: first.status as SessionRow['status'],
    title: first.title,
    studentId: student.studentId,
    studentName: isGroup ? students.map(({ name }) => name).join(', ') : student.name,
    subjectId: first.subjectId,
    subjectName: first.subjectName,
    subjectColor: first.subjectColor as SessionRow['subjectColor'],
    fee: totalFee(students),
    currency: first.currency as SessionRow['currency'],
    place: first.place,
    isRecurring: first.isRecurring,
    charged,
    outstanding,
    paymentId,
    students,
  };
}

type SeatRecords = readonly SessionRowRecord[];

const byPosition = ([a]: SeatRecords, [b]: SeatRecords) =>
  (a?.seatPosition ?? 0) - (b?.seatPosition ?? 0);

function toSeat(records: SeatRecords): SessionStudent {
  const [first] = records as [SessionRowRecord];
  const { charged, outstanding, paymentId } = records.length === 1 ? first : sumCharges(records);
  return {
    studentId: first.studentId,
    name: first.studentName,
    state: first.seatState as SeatState,
    attendance: first.attendance as Attendance | null,
    fee: first.fee,
    feeSource: first.feeSource as FeeSource,
    charged,
    outstanding,
    paymentId,
  };
}

/** Most sessions have a single record, which needs no grouping. */
const groupBy = (records: SeatRecords, key: 'id' | 'studentId'): SeatRecords[] =>
  records.length === 1 ? [records] : [...Map.groupBy(records, (record) => record[key]).values()];

/** The amounts are null if there are no charges. The payment is the one that settled the last charge, once all are paid. */
function sumCharges(records: readonly SessionRowRecord[]) {
  const charges = records.filter(({ charged }) => charged !== null);
  if (charges.length === 0) return { charged: null, outstanding: null, paymentId: null };
  const payments = charges.map(({ paymentId }) => paymentId);
  return {
    charged: charges.reduce((sum, { charged }) => sum + (charged ?? 0), 0),
    outstanding: charges.reduce((sum, { outstanding }) => sum + (outstanding ?? 0), 0),
    paymentId: payments.includes(null) ? null : Math.max(...(payments as number[])),
  };
}

export const sessionRowsByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  sessionRows(tx, tutorId)
    .where('sessions.id', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('sessions.date')
    .orderBy('sessions.start_time')
    .orderBy('sessions.id');

export const sessionsBetween = compiledQuery(
  (tx, tutorId: string, from: string, to: string, limit: number) =>
    sessionRows(tx, tutorId)
      .where('sessions.date', '>=', from)
      .where('sessions.date', '<=', to)
      // Hides sessions cancelled because their lesson was deleted. Sessions that had ended by then stay visible.
      .where((eb) =>
        eb.or([
          eb('lessons.archived_at', 'is', null),
          eb('sessions.status', '<>', sql.lit('cancelled')),
          eb('sessions.cancelled_by', '<>', sql.lit('tutor')),
          eb('sessions.ends_at', '<=', eb.ref('lessons.archived_at')),
        ]),
      )
      // Hides sessions that were cancelled because every student has left. Sessions that were charged stay visible.
      .where(
        sql<boolean>`not (sessions.status = 'cancelled' and sessions.cancelled_by = 'tutor' and sessions.time_off_id is not null
          and is_session_of_departed_students(sessions.tutor_id, sessions.id, sessions.time_off_id))`,
      )
      .orderBy('sessions.date')
      .orderBy('sessions.start_time')
      .orderBy('sessions.id')
      .limit(limit),
);

/** Sessions that have ended but are not completed, oldest first. The limit counts sessions rather than seats. */
export const sessionsDue = compiledQuery((tx, tutorId: string, now: Date, limit: number) =>
  sessionRows(tx, tutorId)
    .where(
      'sessions.id',
      '=',
      sql<number>`any(array(select id from sessions where tutor_id = ${tutorId}::uuid and status = 'scheduled'
        and starts_at < ${now}::timestamptz and ends_at <= ${now}::timestamptz order by starts_at, id limit ${limit}::int))`,
    )
    .orderBy('sessions.starts_at')
    .orderBy('sessions.id'),
);

export async function countDue(tx: Tx, tutorId: string, now: Date): Promise<number> {
  const row = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('status', '=', sql.lit('scheduled'))
    .where('starts_at', '<', now)
    .where('ends_at', '<=', now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Scheduled sessions in a date range, optionally limited to those that overlap the given hours. */
export const scheduledSessionsInRange = (
  tx: Tx,
  tutorId: string,
  range: { fromDate: string; toDate: string; startTime?: string | null; endTime?: string | null },
) =>
  sessionRows(tx, tutorId)
    .where('sessions.status', '=', sql.lit('scheduled'))
    .where('sessions.date', '>=', range.fromDate)
    .where('sessions.date', '<=', range.toDate)
    .$if(Boolean(range.startTime), (query) =>
      query.where('sessions.end_time', '>', range.startTime ?? ''),
    )
    .$if(Boolean(range.endTime), (query) =>
      query.where('sessions.start_time', '<', range.endTime ?? ''),
    )
    .orderBy('sessions.date')
    .orderBy('sessions.start_time');

/**
 * The latest earlier session with notes of its own that has the same subject and the same first student. A series that was
 * split continues as another lesson, so the lesson is not compared.
 */
export const notesBeforeSession = (tx: Tx, tutorId: string, id: number) =>
  queryFromSql(
    tx,
    sql<{ id: number; date: string; notes: string }>`
      select earlier.id, earlier.date, earlier.notes
      from sessions s
      join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.position = (
        select min(position) from session_students where tutor_id = s.tutor_id and session_id = s.id)
      join session_students y on y.tutor_id = x.tutor_id and y.student_id = x.student_id
      join sessions earlier on earlier.tutor_id = y.tutor_id and earlier.id = y.session_id
      where s.tutor_id = ${tutorId}::uuid and s.id = ${id}::int and earlier.starts_at < s.starts_at
        and earlier.subject_id = s.subject_id and earlier.notes <> '' and earlier.status in ('scheduled', 'completed')
      order by earlier.starts_at desc limit 1`,
  );

export const sessionDetails = (tx: Tx, tutorId: string, id: number) =>
  sessionRows(tx, tutorId)
    .where('sessions.id', '=', id)
    .leftJoin('sessions as later', (join) =>
      join
        .onRef('later.tutor_id', '=', 'sessions.tutor_id')
        .onRef('later.id', '=', 'sessions.rescheduled_to_id'),
    )
    .leftJoin('sessions as earlier', (join) =>
      join
        .onRef('earlier.tutor_id', '=', 'sessions.tutor_id')
        .onRef('earlier.id', '=', 'sessions.rescheduled_from_id'),
    )
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.tutor_id', '=', 'sessions.tutor_id')
        .onRef('invoices.id', '=', 'charges.invoice_id'),
    )
    .select([
      'charges.kind as chargeKind',
      'invoices.id as invoiceId',
      'invoices.number as invoiceNumber',
      // The family that was charged, or the first payer on that date.
      sql<number | null>`coalesce(charges.family_id, (
        select p.family_id from student_payers p
        where p.tutor_id = sessions.tutor_id and p.student_id = seats.student_id and p.from_date <= sessions.date
        order by p.from_date desc, p.position limit 1))`.as('familyId'),
      (eb) => eb.fn.coalesce('sessions.notes', 'lessons.notes').as('notes'),
      'sessions.uses_google_meet as usesGoogleMeet',
      'sessions.travel_fee as travelFee',
      'sessions.cancelled_by as cancelledBy',
      'sessions.cancel_reason as cancelReason',
      'later.id as laterId',
      'later.date as laterDate',
      'later.start_time as laterStart',
      'later.end_time as laterEnd',
      'earlier.id as earlierId',
      'earlier.date as earlierDate',
      'earlier.start_time as earlierStart',
      'earlier.end_time as earlierEnd',
    ]);

export type SessionDetailsRecord = RowOf<ReturnType<typeof sessionDetails>>;
