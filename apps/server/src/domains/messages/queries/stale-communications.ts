import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

/** Somebody was told of a lesson, and it is no longer so. */
export interface StaleCommunication {
  sessionId: number;
  channel: string;
  address: string;
  toName: string;
  familyId: number | null;
  student: string;
  line: string;
  /** What was said: when it begins, or that it does not take place. */
  toldAt: Date | null;
  /** What is so: none when it does not take place. */
  startsAt: Date | null;
  date: string | null;
  startTime: string | null;
  endTime: string | null;
}

/** Reminders go out two days before at most; what was said longer ago is about the past. */
const LOOKBACK = sql.lit('14 days');

/**
 * Compares what each reader was told last with the book. A reminder that was left though it may have gone counts as told. A
 * moved lesson is followed to where it takes place now; one that was deleted takes place nowhere.
 */
export const staleCommunications = (tx: Tx, tutorId: string, now: Date) =>
  rawQuery(
    tx,
    sql<StaleCommunication>`
      with recursive told as (
        select distinct on (t.session_id, m.channel, m.address) t.session_id, t.communicated_starts_at, t.student_name, t.summary, m.channel,
          m.address, m.to_name, m.family_id
        from messages m
        join message_sessions t on t.tutor_id = m.tutor_id and t.message_id = m.id
        where m.tutor_id = ${tutorId}::uuid and m.created_at > ${now}::timestamptz - ${LOOKBACK}::interval
          and (m.kind = 'lesson_reminder' and (m.state in ('opened', 'sent', 'delivered', 'read')
              or m.state = 'skipped' and m.sent_at is not null)
            or m.kind = 'lesson_change' and m.state not in ('skipped', 'dismissed'))
        order by t.session_id, m.channel, m.address, m.id desc),
      place as (
        select s.id as origin, s.* from sessions s
        where s.tutor_id = ${tutorId}::uuid and s.id in (select session_id from told)
        union all
        select place.origin, s.* from place
        join sessions s on s.tutor_id = ${tutorId}::uuid and s.id = place.rescheduled_to_id
        where place.status = 'rescheduled')
      select told.session_id as "sessionId", told.channel, told.address, told.to_name as "toName",
        told.family_id as "familyId", told.student_name as student, told.summary as line, told.communicated_starts_at as "toldAt", p.starts_at as "startsAt", p.date,
        p.start_time as "startTime", p.end_time as "endTime"
      from told
      left join place p on p.origin = told.session_id and p.status in ('scheduled', 'completed')
      where (told.communicated_starts_at > ${now}::timestamptz or p.starts_at > ${now}::timestamptz)
        and told.communicated_starts_at is distinct from p.starts_at
      order by coalesce(told.communicated_starts_at, p.starts_at), told.session_id`,
  );
