import type { Session, SessionRow } from '@lessonbook/contract/sessions';
import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

/*
 * Statuses are SQL literals because a generic plan with parameters cannot use a partial index.
 */

/**
 * Sessions as shown in lists and calendars, with their charge. Reads may join tables that belong to other domains; writes
 * go through the services of those domains.
 */
export const sessionRows = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('sessions')
    .innerJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'sessions.tutor_id')
        .onRef('students.id', '=', 'sessions.student_id'),
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
        .onRef('charges.tutor_id', '=', 'sessions.tutor_id')
        .onRef('charges.session_id', '=', 'sessions.id')
        .on('charges.kind', 'in', [sql.lit('lesson'), sql.lit('cancellation')])
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
      'sessions.student_id as studentId',
      'students.name as studentName',
      'sessions.subject_id as subjectId',
      'subjects.name as subjectName',
      'subjects.color as subjectColor',
      'sessions.fee',
      'sessions.currency',
      'sessions.place',
      'lessons.is_recurring as isRecurring',
      sql<number | null>`charges.amount - charges.credited`.as('charged'),
      'charges.outstanding',
      'charges.paid_by_id as paymentId',
    ]);

export type SessionRowRecord = RowOf<ReturnType<typeof sessionRows>>;

export function toSessionRow(record: SessionRowRecord): SessionRow {
  return {
    ...record,
    status: record.status as SessionRow['status'],
    subjectColor: record.subjectColor as SessionRow['subjectColor'],
    currency: record.currency as SessionRow['currency'],
  };
}

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
      .orderBy('sessions.date')
      .orderBy('sessions.start_time')
      .orderBy('sessions.id')
      .limit(limit),
);

export const sessionsDue = compiledQuery((tx, tutorId: string, now: Date, limit: number) =>
  sessionRows(tx, tutorId)
    .where('sessions.status', '=', sql.lit('scheduled'))
    .where('sessions.starts_at', '<', now)
    .where('sessions.ends_at', '<=', now)
    .orderBy('sessions.starts_at')
    .orderBy('sessions.id')
    .limit(limit),
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

export const sessionsForLesson = (tx: Tx, tutorId: string, lessonId: number) =>
  sessionRows(tx, tutorId)
    .where('sessions.lesson_id', '=', lessonId)
    .select('sessions.ends_at as endsAt')
    .orderBy('sessions.date')
    .orderBy('sessions.start_time');

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
        .onRef('invoices.tutor_id', '=', 'charges.tutor_id')
        .onRef('invoices.id', '=', 'charges.invoice_id'),
    )
    .select([
      'invoices.id as invoiceId',
      'invoices.number as invoiceNumber',
      // The family that was charged, or the current payer if there is no charge.
      sql<number | null>`coalesce(charges.family_id, (
        select f.id from families f where f.tutor_id = students.tutor_id
          and (f.carer_id = students.carer_id or (students.carer_id is null and f.student_id = students.id))))`.as(
        'familyId',
      ),
      (eb) => eb.fn.coalesce('sessions.notes', 'lessons.notes').as('notes'),
      'sessions.attendance',
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

type LinkedSession = Session['rescheduledTo'];

export const toLinkedSession = (
  id: number | null,
  date: string | null,
  startTime: string | null,
  endTime: string | null,
): LinkedSession =>
  id === null || date === null || startTime === null || endTime === null
    ? null
    : { id, date, startTime, endTime };
