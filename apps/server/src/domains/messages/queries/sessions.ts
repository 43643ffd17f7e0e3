import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';
import type { UpcomingLesson } from '../rules/reminder-plan.ts';

export type MessageSession = UpcomingLesson & {
  status: string;
  cancelledBy: string | null;
  /** The number of changes. */
  sequence: number;
};

/** Sessions with all the data needed for a message about them. */
const sessions = (tutorId: string, condition: ReturnType<typeof sql>) => sql<MessageSession>`
  select s.id, root.id as "rootSessionId", root.public_id as "rootPublicId", s.status, s.cancelled_by as "cancelledBy", s.sequence, s.date, s.start_time as "startTime",
    s.end_time as "endTime", s.starts_at as "startsAt", s.ends_at as "endsAt", s.place, b.name as "subjectName",
    st.id as "studentId", st.name as "studentName", st.email as "studentEmail", st.phone as "studentPhone",
    ca.id as "carerId", ca.name as "carerName", ca.email as "carerEmail", ca.phone as "carerPhone",
    coalesce(cf.id, sf.id) as "familyId",
    case when r.student_id is null then null
      else jsonb_build_object('lead', r.lead_minutes, 'channels', r.channels, 'recipient', r.recipient) end as "studentPreferences"
  from sessions s
  join students st on st.tutor_id = s.tutor_id and st.id = s.student_id
  join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  left join carers ca on ca.tutor_id = st.tutor_id and ca.id = st.carer_id
  left join families cf on cf.tutor_id = st.tutor_id and cf.carer_id = st.carer_id
  left join families sf on sf.tutor_id = st.tutor_id and sf.student_id = st.id and st.carer_id is null
  left join student_reminders r on r.tutor_id = st.tutor_id and r.student_id = st.id
  join lateral (
    with recursive chain as (
      select s.id, s.public_id, s.rescheduled_from_id
      union all
      select earlier.id, earlier.public_id, earlier.rescheduled_from_id from chain
      join sessions earlier on earlier.tutor_id = s.tutor_id and earlier.id = chain.rescheduled_from_id)
    select id, public_id from chain where rescheduled_from_id is null) root on true
  where s.tutor_id = ${tutorId}::uuid and ${condition}
  order by s.starts_at, s.id`;

/** Scheduled sessions that start after `from` and before `to`. */
export const upcomingSessionsBetween = (tx: Tx, tutorId: string, from: Date, to: Date) =>
  rawQuery(
    tx,
    sessions(
      tutorId,
      sql`s.status = 'scheduled' and s.starts_at > ${from}::timestamptz and s.starts_at < ${to}::timestamptz`,
    ),
  );

export const sessionsByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  rawQuery(tx, sessions(tutorId, sql`s.id = any(${ids}::int[])`));

export const sessionsForMessage = (tx: Tx, tutorId: string, messageId: number) =>
  rawQuery(
    tx,
    sessions(
      tutorId,
      sql`s.id in (select session_id from message_sessions
        where tutor_id = ${tutorId}::uuid and message_id = ${messageId}::int)`,
    ),
  );
