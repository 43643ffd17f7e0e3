import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { Communication } from '../rules/find-uncommunicated-changes.ts';

export interface SessionCommunication extends Communication {
  rootSessionId: number;
  rootPublicId: string;
  sessionId: number;
  studentId: number;
  recipient: string;
  toName: string;
  /** The recipient's time zone; null means the tutor's. */
  timeZone: string | null;
  familyId: number | null;
  studentName: string;
  summary: string;
  /** The time given in the message, in the tutor's time zone. */
  date: string;
  startTime: string;
  endTime: string;
}

/** What messages said about the sessions with these roots, oldest first. */
export const communicationsAbout = (
  tx: Tx,
  tutorId: string,
  rootSessionIds: readonly number[],
  timeZone: string,
) =>
  queryFromSql(
    tx,
    sql<SessionCommunication>`
      select ms.root_session_id as "rootSessionId", ms.root_public_id as "rootPublicId", ms.session_id as "sessionId", ms.student_id as "studentId", ms.recipient,
        ms.message_id as "messageId", m.kind, m.state, m.sent_at is not null as "mayHaveBeenSent", m.channel, m.address,
        m.to_name as "toName", m.time_zone as "timeZone", m.family_id as "familyId", ms.student_name as "studentName", ms.summary,
        ms.communicated_starts_at is not null as "takesPlace", ms.session_starts_at as "startsAt", ms.session_ends_at as "endsAt",
        to_char(ms.session_starts_at at time zone ${timeZone}, 'YYYY-MM-DD') as date,
        to_char(ms.session_starts_at at time zone ${timeZone}, 'HH24:MI') as "startTime",
        to_char(ms.session_ends_at at time zone ${timeZone}, 'HH24:MI') as "endTime"
      from message_sessions ms
      join messages m on m.tutor_id = ms.tutor_id and m.id = ms.message_id
      where ms.tutor_id = ${tutorId}::uuid and ms.root_session_id = any(${rootSessionIds}::int[])
      order by ms.message_id`,
  );

export interface MessageAboutSession {
  id: number;
  kind: string;
  channel: string;
  state: string;
  toName: string;
  at: Date;
}

/** The messages about the session with this root, including those from before it was moved; newest first. */
export const messagesAbout = (tx: Tx, tutorId: string, rootSessionId: number) =>
  queryFromSql(
    tx,
    sql<MessageAboutSession>`
      select m.id, m.kind, m.channel, m.state, m.to_name as "toName", coalesce(m.sent_at, m.created_at) as at
      from messages m
      where m.tutor_id = ${tutorId}::uuid and m.state <> 'skipped' and m.id = any(array(
        select message_id from message_sessions
        where tutor_id = ${tutorId}::uuid and root_session_id = ${rootSessionId}::int))
      order by m.id desc limit ${MAX_MESSAGES}`,
  );

const MAX_MESSAGES = sql.lit(20);

/** Sessions in the past are compared with the schedule only if a message about them was created within this time. */
const LOOKBACK = sql.lit('14 days');

/** Whether the session takes place for the student at the time given in the row `c` of `message_sessions`. */
const isAsCommunicated = (tutorId: string, sessionId: 'c.session_id' | 'c.root_session_id') =>
  sql<boolean>`exists (
    select 1 from sessions s
    join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.student_id = c.student_id
      and x.state = 'expected'
    where s.tutor_id = ${tutorId}::uuid and s.id = ${sql.ref(sessionId)} and s.status in ('scheduled', 'completed')
      and s.starts_at = c.communicated_starts_at and s.ends_at = c.session_ends_at)`;

/** The roots of sessions whose time in a message differs from the schedule. */
export const communicatedRootIds = (tx: Tx, tutorId: string, now: Date) =>
  queryFromSql(
    tx,
    sql<{ rootSessionId: number }>`
      with communicated as (
        select root_session_id, student_id, communicated_starts_at, session_ends_at from message_sessions
        where tutor_id = ${tutorId}::uuid and session_starts_at > ${now}::timestamptz
        union
        select ms.root_session_id, ms.student_id, ms.communicated_starts_at, ms.session_ends_at from messages m
        join message_sessions ms on ms.tutor_id = m.tutor_id and ms.message_id = m.id
        where m.tutor_id = ${tutorId}::uuid and m.created_at > ${now}::timestamptz - ${LOOKBACK}::interval)
      select distinct c.root_session_id as "rootSessionId" from communicated c
      where c.root_session_id is not null and not ${isAsCommunicated(tutorId, 'c.root_session_id')}`,
  );

/** Whether the schedule has changed since these messages were created. Also true for notices of cancelled sessions. */
export const hasOutdatedSessions = (tx: Tx, tutorId: string, messageIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<{ isOutdated: boolean }>`
      select exists (
        select 1 from message_sessions c
        where c.tutor_id = ${tutorId}::uuid and c.message_id = any(${messageIds}::int[])
          and not ${isAsCommunicated(tutorId, 'c.session_id')}) as "isOutdated"`,
  );

/** Used when the time zone changes: lessons keep their local times, so earlier messages about them stay accurate. */
export const shiftCommunications = (
  tx: Tx,
  tutorId: string,
  now: Date,
  zones: { from: string; to: string },
) => {
  const shiftedTime = (column: string) =>
    sql`(${sql.ref(column)} at time zone ${zones.from}) at time zone ${zones.to}`;
  return queryFromSql(
    tx,
    sql`
      update message_sessions set communicated_starts_at = ${shiftedTime('communicated_starts_at')},
        session_starts_at = ${shiftedTime('session_starts_at')}, session_ends_at = ${shiftedTime('session_ends_at')}
      where tutor_id = ${tutorId}::uuid and session_starts_at > ${now}::timestamptz`,
  );
};

export const findAnyCommunication = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('message_sessions')
    .where('tutor_id', '=', tutorId)
    .where('root_session_id', 'is not', null)
    .select('message_id as messageId')
    .limit(1);

/** Follows each session through its moves to the row that holds its current time. */
export const currentSessionIds = (tx: Tx, tutorId: string, sessionIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<{ sessionId: number; currentId: number }>`
      with recursive followed as (
        select s.id as origin, s.id, s.status, s.rescheduled_to_id from sessions s
        where s.tutor_id = ${tutorId}::uuid and s.id = any(${sessionIds}::int[])
        union all
        select followed.origin, s.id, s.status, s.rescheduled_to_id from followed
        join sessions s on s.tutor_id = ${tutorId}::uuid and s.id = followed.rescheduled_to_id
        where followed.status = 'rescheduled')
      select origin as "sessionId", id as "currentId" from followed where status <> 'rescheduled'`,
  );

const isCancelledByDeparture = sql`exists (
  select from time_off t where t.tutor_id = x.tutor_id and t.id = x.time_off_id and t.is_departure)`;

/**
 * Upcoming sessions that were moved, or cancelled by the tutor, with their current or first date in the range. Excludes
 * sessions of a deleted lesson, because the tutor has ended the whole series, sessions that were created during time
 * off, because they were never planned, and sessions that were cancelled because their students leave.
 */
export const upcomingChangedSessionIds = (
  tx: Tx,
  tutorId: string,
  range: { now: Date; from: string; to: string },
  page: { limit: number; offset: number },
) =>
  queryFromSql(
    tx,
    sql<{ id: number }>`
      with recursive in_range as (
        select s.id, s.status, s.rescheduled_from_id, s.rescheduled_to_id from sessions s
        where s.tutor_id = ${tutorId}::uuid and s.date between ${range.from}::date and ${range.to}::date),
      followed as (
        select id, status, rescheduled_to_id from in_range where status = 'rescheduled' and rescheduled_from_id is null
        union all
        select s.id, s.status, s.rescheduled_to_id from followed
        join sessions s on s.tutor_id = ${tutorId}::uuid and s.id = followed.rescheduled_to_id
        where followed.status = 'rescheduled')
      select s.id from (select id from in_range where status in ('scheduled', 'cancelled') union select id from followed) changed
      join sessions s on s.tutor_id = ${tutorId}::uuid and s.id = changed.id
      join lessons l on l.tutor_id = s.tutor_id and l.id = s.lesson_id
      where s.starts_at > ${range.now}::timestamptz
        and (s.status = 'scheduled' and (s.rescheduled_from_id is not null or exists (
            select from session_students x where x.tutor_id = s.tutor_id and x.session_id = s.id and x.cancelled_by = 'tutor'
              and not ${isCancelledByDeparture}))
          or s.status = 'cancelled' and s.cancelled_by = 'tutor' and s.sequence > 0 and l.archived_at is null and exists (
            select from session_students x where x.tutor_id = s.tutor_id and x.session_id = s.id and not ${isCancelledByDeparture}))
      order by s.starts_at, s.id limit ${page.limit} offset ${page.offset}`,
  );
