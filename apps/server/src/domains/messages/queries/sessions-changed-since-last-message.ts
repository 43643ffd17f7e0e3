import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

/** A session that has changed since a recipient was last informed about it. */
export interface StaleCommunication {
  sessionId: number;
  channel: string;
  address: string;
  toName: string;
  familyId: number | null;
  studentName: string;
  summary: string;
  /** The start time in the last message; null if that message said the session would not take place. */
  communicatedStartsAt: Date | null;
  /** The actual start time; null if the session will not take place. */
  startsAt: Date | null;
  date: string | null;
  startTime: string | null;
  endTime: string | null;
}

/** Reminders are sent at most two days ahead, so older messages are about past lessons. */
const LOOKBACK = sql.lit('14 days');

/**
 * Compares the last message to each recipient with the current sessions. A skipped reminder counts as sent if it may have been.
 * For a rescheduled session, its replacement is used.
 */
export const staleCommunications = (tx: Tx, tutorId: string, now: Date) =>
  rawQuery(
    tx,
    sql<StaleCommunication>`
      with recursive communicated as (
        select distinct on (ms.session_id, m.channel, m.address) ms.session_id, ms.communicated_starts_at, ms.student_name,
          ms.summary, m.channel, m.address, m.to_name, m.family_id
        from messages m
        join message_sessions ms on ms.tutor_id = m.tutor_id and ms.message_id = m.id
        where m.tutor_id = ${tutorId}::uuid and m.created_at > ${now}::timestamptz - ${LOOKBACK}::interval
          and (m.kind = 'lesson_reminder' and (m.state in ('opened', 'sent', 'delivered', 'read')
              or m.state = 'skipped' and m.sent_at is not null)
            or m.kind = 'lesson_change' and m.state not in ('skipped', 'dismissed'))
        order by ms.session_id, m.channel, m.address, m.id desc),
      followed as (
        select s.id as origin, s.* from sessions s
        where s.tutor_id = ${tutorId}::uuid and s.id in (select session_id from communicated)
        union all
        select followed.origin, s.* from followed
        join sessions s on s.tutor_id = ${tutorId}::uuid and s.id = followed.rescheduled_to_id
        where followed.status = 'rescheduled')
      select c.session_id as "sessionId", c.channel, c.address, c.to_name as "toName", c.family_id as "familyId",
        c.student_name as "studentName", c.summary, c.communicated_starts_at as "communicatedStartsAt",
        f.starts_at as "startsAt", f.date, f.start_time as "startTime", f.end_time as "endTime"
      from communicated c
      left join followed f on f.origin = c.session_id and f.status in ('scheduled', 'completed')
      where (c.communicated_starts_at > ${now}::timestamptz or f.starts_at > ${now}::timestamptz)
        and c.communicated_starts_at is distinct from f.starts_at
      order by coalesce(c.communicated_starts_at, f.starts_at), c.session_id`,
  );
