import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { UsualHours } from '../rules/find-free-times.ts';
import type { Instants } from '../rules/local-to-utc.ts';

/** The tutor's hours on each weekday: from the earliest start to the latest end of the sessions in the date range. */
export const usualHours = (tx: Tx, tutorId: string, from: string, to: string) =>
  queryFromSql(
    tx,
    sql<UsualHours>`
      select extract(isodow from date)::int as weekday, min(start_time) as "startTime", max(end_time) as "endTime"
      from sessions
      where tutor_id = ${tutorId}::uuid and date between ${from}::date and ${to}::date
        and status in ('scheduled', 'completed')
      group by 1`,
  );

/** When the tutor teaches in the date range, except for one session. */
export const findScheduledInstants = (
  tx: Tx,
  tutorId: string,
  range: { from: string; to: string; exceptId: number },
) =>
  queryFromSql(
    tx,
    sql<Instants>`
      select starts_at as "startsAt", ends_at as "endsAt" from sessions
      where tutor_id = ${tutorId}::uuid and date between ${range.from}::date and ${range.to}::date
        and status = 'scheduled' and id <> ${range.exceptId}::int`,
  );

export interface ScheduledSession extends Instants {
  id: number;
  title: string;
  startTime: string;
  endTime: string;
  /** Only the students who are expected. */
  studentNames: string[];
}

export const scheduledSessionsWithStudents = (tx: Tx, tutorId: string, dates: readonly string[]) =>
  queryFromSql(
    tx,
    sql<ScheduledSession>`
      select s.id, s.title, s.start_time as "startTime", s.end_time as "endTime", s.starts_at as "startsAt",
        s.ends_at as "endsAt", array(
          select st.name from session_students x
          join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
          where x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected'
          order by x.position) as "studentNames"
      from sessions s
      where s.tutor_id = ${tutorId}::uuid and s.date = any(${dates}::date[]) and s.status = 'scheduled'
      order by s.starts_at, s.id`,
  );
