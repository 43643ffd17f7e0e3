import type { SessionStatus } from '@lessonbook/contract/sessions';
import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { Seat } from '../rules/seat-fees-and-rosters.ts';
import type { TimeOffPlan } from '../rules/time-off.ts';
import { copySeats } from './seats.ts';

export const sessionColumns = [
  'id',
  'lesson_id as lessonId',
  'subject_id as subjectId',
  'title',
  'occurrence_date as occurrenceDate',
  'series_date as seriesDate',
  'date',
  'start_time as startTime',
  'end_time as endTime',
  'starts_at as startsAt',
  'ends_at as endsAt',
  'status',
  'place',
  'uses_google_meet as usesGoogleMeet',
  'travel_fee as travelFee',
  'notes',
  'is_override as isOverride',
  'time_off_id as timeOffId',
  'rescheduled_to_id as rescheduledToId',
  'rescheduled_from_id as rescheduledFromId',
  'sequence',
  'created_at as bookedAt',
  sql<boolean>`exists (select 1 from charges c join session_students x using (tutor_id, session_id, student_id)
    where c.tutor_id = sessions.tutor_id and c.session_id = sessions.id and x.state = 'expected'
    and c.kind in ('lesson', 'cancellation') and not c.reversed)`.as('hasCharge'),
  sql<
    Seat[]
  >`(select coalesce(jsonb_agg(jsonb_build_object('studentId', x.student_id, 'position', x.position, 'fee', x.fee,
      'currency', x.currency, 'feeSource', x.fee_source, 'state', x.state, 'attendance', x.attendance,
      'isBillable', x.is_billable, 'timeOffId', x.time_off_id) order by x.position, x.student_id), '[]')
    from session_students x where x.tutor_id = sessions.tutor_id and x.session_id = sessions.id)`.as(
    'seats',
  ),
] as const;

export const sessionById = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select(sessionColumns);

export type SessionRecord = Omit<RowOf<ReturnType<typeof sessionById>>, 'status'> & {
  status: SessionStatus;
};

export async function findSession(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<SessionRecord | undefined> {
  return (await sessionById(tx, tutorId, id).executeTakeFirst()) as SessionRecord | undefined;
}

export async function findSessions(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<SessionRecord[]> {
  const rows = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .select(sessionColumns)
    .orderBy('id')
    .execute();
  return rows as SessionRecord[];
}

/** All of a lesson's rows, in series order. */
export async function sessionsInSeries(
  tx: Tx,
  tutorId: string,
  lessonId: number,
): Promise<SessionRecord[]> {
  const rows = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('lesson_id', '=', lessonId)
    .select(sessionColumns)
    .orderBy('occurrence_date')
    .orderBy('id')
    .execute();
  return rows as SessionRecord[];
}

export interface SessionTimes {
  id: number;
  seriesDate: string | null;
  occurrenceDate: string;
  date: string;
  startTime: string;
  endTime: string;
  startsAt: Date;
  endsAt: Date;
}

/** A session generated from a lesson's pattern. It takes place on the date at the lesson's local time. */
export type NewSession = Pick<SessionTimes, 'id' | 'date' | 'startsAt' | 'endsAt'> & {
  timeOffId: number | null;
  pausedSeats: TimeOffPlan['pausedSeats'];
};

export interface SessionFields {
  lessonId: number;
  subjectId: number;
  title: string;
  place: string | null;
  usesGoogleMeet: boolean;
  travelFee: number | null;
  startTime: string;
  endTime: string;
}

/**
 * Inserts a lesson's sessions in one statement whose text is the same for any number of rows. Sessions that fall within
 * time off are inserted as cancelled and linked to it, so that they can be restored.
 */
export function insertSessions(
  tx: Tx,
  tutorId: string,
  fields: SessionFields,
  rows: readonly NewSession[],
  now: Date,
) {
  const column = <K extends keyof NewSession>(key: K) => rows.map((row) => row[key]);
  return queryFromSql(
    tx,
    sql`
    insert into sessions (tutor_id, id, public_id, lesson_id, subject_id, title, occurrence_date, series_date, date,
      start_time, end_time, starts_at, ends_at, status, place, uses_google_meet, travel_fee, cancelled_by, time_off_id,
      created_at)
    select ${tutorId}::uuid, s.id, s.public_id, ${fields.lessonId}::int, ${fields.subjectId}::int,
      ${fields.title}::text, s.date, s.date, s.date, ${fields.startTime}::text, ${fields.endTime}::text, s.starts_at, s.ends_at,
      case when s.time_off_id is null then 'scheduled' else 'cancelled' end, ${fields.place}::text,
      ${fields.usesGoogleMeet}::boolean, ${fields.travelFee}::int, case when s.time_off_id is null then null else 'tutor' end, s.time_off_id, ${now}::timestamptz
    from unnest(${column('id')}::int[], ${rows.map(() => randomToken())}::text[], ${column('date')}::date[],
      ${column('startsAt')}::timestamptz[], ${column('endsAt')}::timestamptz[], ${column('timeOffId')}::int[])
      as s(id, public_id, date, starts_at, ends_at, time_off_id)`,
  );
}

export type SessionChange = Partial<{
  lesson_id: number;
  subject_id: number;
  title: string;
  place: string | null;
  uses_google_meet: boolean;
  meet_link: null;
  travel_fee: number | null;
  notes: string | null;
  is_override: boolean;
  series_date: null;
  status: SessionStatus;
  cancelled_by: 'tutor' | 'student' | 'carer' | null;
  cancel_reason: string | null;
  time_off_id: number | null;
  rescheduled_to_id: number | null;
  sequence: number;
}>;

export async function updateSessions(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
  change: SessionChange,
): Promise<void> {
  await updateSessionsQuery(tx, tutorId, ids, change)?.execute();
}

/** The query used by `updateSessions`, for use in a batch; null if there is nothing to change. */
export function updateSessionsQuery(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
  change: SessionChange,
) {
  if (ids.length === 0 || Object.keys(change).length === 0) return null;
  return tx
    .updateTable('sessions')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`);
}

/**
 * Sessions that cannot be deleted: a charge or a note for the family refers to them, or a move links them to another
 * session, even if the move was undone.
 */
export async function sessionIdsWithHistory(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where(
      sql<boolean>`(rescheduled_from_id is not null
        or exists (select 1 from sessions r where r.tutor_id = sessions.tutor_id and r.rescheduled_from_id = sessions.id)
        or exists (select 1 from lesson_notes n where n.tutor_id = sessions.tutor_id and n.session_id = sessions.id)
        or exists (select 1 from charges c where c.tutor_id = sessions.tutor_id and c.session_id = sessions.id))`,
    )
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function deleteSessions(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute();
}

/** Inserts the replacement for a rescheduled session: a copy with the new times, linked to the original. */
export async function insertReplacement(
  tx: Tx,
  tutorId: string,
  original: SessionRecord,
  times: SessionTimes,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      tutor_id: tutorId,
      id: times.id,
      public_id: randomToken(),
      lesson_id: original.lessonId,
      subject_id: original.subjectId,
      title: original.title,
      occurrence_date: times.occurrenceDate,
      series_date: times.seriesDate,
      date: times.date,
      start_time: times.startTime,
      end_time: times.endTime,
      starts_at: times.startsAt,
      ends_at: times.endsAt,
      place: original.place,
      // The link is not copied, because the replacement has a calendar event of its own.
      uses_google_meet: original.usesGoogleMeet,
      travel_fee: original.travelFee,
      notes: original.notes,
      is_override: original.isOverride,
      rescheduled_from_id: original.id,
      // All replacements of a session share one calendar UID, so the sequence number continues.
      sequence: original.sequence + 1,
      created_at: now,
    })
    .execute();
  await copySeats(tx, tutorId, original.id, times.id);
}

/** Scheduled sessions that have not ended. */
export async function upcomingSessions(
  tx: Tx,
  tutorId: string,
  now: Date,
): Promise<SessionRecord[]> {
  const rows = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('status', '=', sql.lit('scheduled'))
    .where('ends_at', '>', now)
    .select(sessionColumns)
    .execute();
  return rows as SessionRecord[];
}
