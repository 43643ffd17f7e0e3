import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { MEET_LINK_IN_PORTAL, MEET_LINK_TO_FOLLOW } from '../rules/format-dates-and-lessons.ts';
import type { UpcomingLesson } from '../rules/reminder-plan.ts';

export type MessageSession = UpcomingLesson & {
  status: string;
  cancelledBy: string | null;
  /** Whether the session was cancelled because the student leaves. */
  isCancelledByDeparture: boolean;
  /** Null until the session is completed. */
  attendance: string | null;
  /** The number of changes to the session. */
  sequence: number;
  /** The cancellation fee charged to the main contact, in minor units; 0 if there is none. */
  cancellationFee: number;
  currency: string;
};

/**
 * The place, or the Google Meet link. Until Google has created the link, the text says where it will be: in the portal, if
 * the main contact can see it there.
 */
const placeText = sql`case when s.uses_google_meet then coalesce(s.meet_link,
  case when exists (select from tutors t
      join contact_access a on a.tutor_id = t.tutor_id and a.contact_id = st.contact_id and a.student_id = st.id
      join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
      where t.tutor_id = s.tutor_id and t.portal_opened_at is not null and a.sees_lessons and a.sees_place
        and c.suspended_at is null)
    then ${MEET_LINK_IN_PORTAL}::text else ${MEET_LINK_TO_FOLLOW}::text end) else s.place end`;

/** Sessions with all the data needed for a message about them: one row for each student. */
const sessions = (tutorId: string, condition: ReturnType<typeof sql>) => sql<MessageSession>`
  select s.id, root.id as "rootSessionId", root.public_id as "rootPublicId",
    case when s.status = 'scheduled' and x.state = 'cancelled' then 'cancelled' else s.status end as status,
    coalesce(s.cancelled_by, x.cancelled_by) as "cancelledBy",
    exists (select from time_off t
      where t.tutor_id = x.tutor_id and t.id = x.time_off_id and t.is_departure) as "isCancelledByDeparture", x.attendance, s.sequence, s.date, s.start_time as "startTime",
    s.end_time as "endTime", s.starts_at as "startsAt", s.ends_at as "endsAt", ${placeText} as place, b.name as "subjectName",
    st.id as "studentId", st.name as "studentName", st.email as "studentEmail", st.phone as "studentPhone",
    ca.id as "carerId", ca.name as "carerName", ca.email as "carerEmail", ca.phone as "carerPhone",
    coalesce(ca.time_zone, own.time_zone) as "timeZone", mf.id as "familyId", x.currency,
    (select coalesce(sum(c.amount - c.credited), 0)::int8 from charges c where c.tutor_id = s.tutor_id and c.session_id = s.id
      and c.student_id = x.student_id and c.family_id = mf.id and c.kind = 'cancellation' and not c.reversed) as "cancellationFee",
    case when r.student_id is null then null
      else jsonb_build_object('leadMinutes', r.lead_minutes, 'channels', r.channels, 'recipient', r.recipient) end as "studentPreferences"
  from sessions s
  join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
  join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
  join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  left join contacts ca on ca.tutor_id = st.tutor_id and ca.id = st.contact_id and ca.student_id is null
  left join contacts own on own.tutor_id = st.tutor_id and own.id = st.contact_id and own.student_id is not null
  -- The account of the main contact, who gets the messages about lessons.
  left join families mf on mf.tutor_id = st.tutor_id and mf.contact_id = st.contact_id
  left join student_reminders r on r.tutor_id = st.tutor_id and r.student_id = st.id
  join lateral (
    with recursive chain as (
      select s.id, s.public_id, s.rescheduled_from_id
      union all
      select earlier.id, earlier.public_id, earlier.rescheduled_from_id from chain
      join sessions earlier on earlier.tutor_id = s.tutor_id and earlier.id = chain.rescheduled_from_id)
    select id, public_id from chain where rescheduled_from_id is null) root on true
  where s.tutor_id = ${tutorId}::uuid and ${condition}
  order by s.starts_at, s.id, x.position`;

/** Scheduled sessions that start after `from` and before `to`. */
export const upcomingSessionsBetween = (tx: Tx, tutorId: string, from: Date, to: Date) =>
  queryFromSql(
    tx,
    sessions(
      tutorId,
      sql`s.status = 'scheduled' and x.state = 'expected' and s.starts_at > ${from}::timestamptz and s.starts_at < ${to}::timestamptz`,
    ),
  );

export const sessionsByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  queryFromSql(tx, sessions(tutorId, sql`s.id = any(${ids}::int[])`));

/** Contains only the students whom the message is about, because others in a group belong to other families. */
export const sessionsForMessage = (tx: Tx, tutorId: string, messageId: number) =>
  queryFromSql(
    tx,
    sessions(
      tutorId,
      sql`(s.id, x.student_id) in (select session_id, student_id from message_sessions
        where tutor_id = ${tutorId}::uuid and message_id = ${messageId}::int)`,
    ),
  );
