import type { LessonStart } from '@lessonbook/contract/move-requests';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { PolicyVersion, TermRange } from '../../lessons/service/cancellation-policy.ts';
import type { StudentAccess } from './contact-access.ts';
import type { MoveRequestStatus } from './move-requests.ts';

/* Statements for Database.contactRead: the database role used for contacts may read only these views. */

interface AccessRow extends StudentAccess {
  contactName: string;
  /** Null means the tutor's time zone. */
  timeZone: string | null;
}

export const portalAccess = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<AccessRow>`
      select contact_name as "contactName", time_zone as "timeZone", student_id as "studentId",
        student_name as "studentName", sees_lessons as "seesLessons", sees_place as "seesPlace",
        sees_notes as "seesNotes", sees_money as "seesMoney", may_cancel as "mayCancel", may_ask as "mayRequestMoves"
      from portal_access order by student_name, student_id`,
  );

export const portalTutor = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<{ name: string; timeZone: string }>`select name, time_zone as "timeZone" from portal_tutor`,
  );

/** What the tutor has on file about the person. */
export interface PortalContactRow {
  contactId: number;
  name: string;
  relationship: string | null;
  email: string | null;
  phone: string | null;
  isStudent: boolean;
  isPayer: boolean;
}

export const portalContact = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<PortalContactRow>`
      select contact_id as "contactId", name, relationship, email, phone, is_student as "isStudent", is_payer as "isPayer"
      from portal_contact`,
  );

export interface PortalLessonRow {
  sessionId: number;
  studentId: number;
  studentName: string;
  subjectName: string;
  date: string;
  startTime: string;
  endTime: string;
  startsAt: Date;
  endsAt: Date;
  state: 'scheduled' | 'cancelled' | 'completed';
  isGroup: boolean;
  place: string | null;
  fee: number | null;
  currency: string | null;
  bookedAt: Date;
  isPayer: boolean;
}

const lessonColumns = sql`session_id as "sessionId", student_id as "studentId", student_name as "studentName",
  subject_name as "subjectName", date, start_time as "startTime", end_time as "endTime", starts_at as "startsAt",
  ends_at as "endsAt", state, is_group as "isGroup", place, fee, currency, booked_at as "bookedAt",
  is_payer as "isPayer"`;

export const upcomingPortalLessons = (tx: Tx, now: Date, limit: number) =>
  queryFromSql(
    tx,
    sql<PortalLessonRow>`
      select ${lessonColumns} from portal_lessons
      where ends_at > ${now}::timestamptz
      order by starts_at, session_id, student_name
      limit ${limit}`,
  );

export const portalLessonsById = (tx: Tx, sessionIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<PortalLessonRow>`
      select ${lessonColumns} from portal_lessons where session_id = any(${sessionIds}::int[])`,
  );

export interface PortalFeedRow {
  studentId: number;
  /** The public id of the first session, if the lesson has been moved. */
  publicId: string;
  sequence: number;
  bookedAt: Date;
  startsAt: Date;
  endsAt: Date;
  subjectName: string;
  state: 'scheduled' | 'cancelled' | 'completed';
  place: string | null;
}

/** Reads only columns that anyone who has the URL of the feed may see. */
export const portalFeedLessons = (tx: Tx, from: string, to: string) =>
  queryFromSql(
    tx,
    sql<PortalFeedRow>`
      select student_id as "studentId", public_id as "publicId", sequence, booked_at as "bookedAt",
        starts_at as "startsAt", ends_at as "endsAt", subject_name as "subjectName", state, place
      from portal_lessons
      where date between ${from}::date and ${to}::date
      order by starts_at, session_id, student_id`,
  );

/** No rows for a contact who may not cancel. */
export const portalPolicies = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<PolicyVersion>`
      select starts_on as "startsOn", tiers, free_late_cancellations as "freeLateCancellations",
        illness_note as "illnessNote", created_at as "createdAt"
      from portal_policies order by starts_on`,
  );

export const portalTerms = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<TermRange & { studentId: number }>`
      select student_id as "studentId", from_date as "fromDate", to_date as "toDate" from portal_terms`,
  );

export const usedFreeCancellations = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<{ studentId: number; termStart: string; count: number }>`
      select student_id as "studentId", term_start as "termStart", used as count from portal_free_cancellations`,
  );

export interface PortalMoveRequestRow {
  id: number;
  sessionId: number;
  studentId: number;
  status: MoveRequestStatus;
  choices: LessonStart[];
  suggestions: LessonStart[];
  /** Null for the request of another contact. */
  contactId: number | null;
  /** Null for the request of another contact. */
  answer: string | null;
  /** The lesson's date and time as they were when the family asked. */
  date: string;
  startTime: string;
  askedAt: Date;
  answeredAt: Date | null;
}

const moveRequestColumns = sql`id, session_id as "sessionId", student_id as "studentId", status, choices, suggestions,
  contact_id as "contactId", answer, session_date as date, session_start_time as "startTime", asked_at as "askedAt",
  answered_at as "answeredAt"`;

const MAX_MOVE_REQUESTS = sql.lit(1000);

/** Requests to move lessons on or after a date that are waiting for an answer or were declined; newest first. */
export const portalMoveRequests = (tx: Tx, from: string) =>
  queryFromSql(
    tx,
    sql<PortalMoveRequestRow>`
      select ${moveRequestColumns} from portal_move_requests
      where session_date >= ${from}::date and status in ('open', 'suggested', 'declined')
      order by asked_at desc, id desc
      limit ${MAX_MOVE_REQUESTS}`,
  );

export const portalMoveRequestById = (tx: Tx, id: number) =>
  queryFromSql(
    tx,
    sql<PortalMoveRequestRow>`
      select ${moveRequestColumns} from portal_move_requests where id = ${id}::int`,
  );

export interface PortalNoteRow {
  sessionId: number;
  studentId: number;
  date: string;
  subjectName: string;
  did: string | null;
  nextTime: string | null;
}

/** The latest lesson first. A note that has only homework is not listed. */
export const portalNotes = (
  tx: Tx,
  { studentId, limit, offset }: { studentId: number | null; limit: number; offset: number },
) =>
  queryFromSql(
    tx,
    sql<PortalNoteRow>`
      select session_id as "sessionId", student_id as "studentId", date, subject_name as "subjectName", did,
        next_time as "nextTime"
      from portal_notes
      where (${studentId}::int is null or student_id = ${studentId}::int) and (did is not null or next_time is not null)
      order by starts_at desc, session_id desc, student_id
      limit ${limit} offset ${offset}`,
  );

export interface PortalHomeworkRow {
  sessionId: number;
  studentId: number;
  text: string;
  dueOn: string | null;
  date: string;
  subjectName: string;
  doneAt: Date | null;
  doneBy: 'you' | 'student' | 'family' | 'tutor' | null;
}

const homeworkColumns = sql`session_id as "sessionId", student_id as "studentId", text, due_on as "dueOn", date,
  subject_name as "subjectName", done_at as "doneAt", done_by as "doneBy"`;

const MAX_OPEN_HOMEWORK = sql.lit(100);
const MAX_DONE_HOMEWORK = sql.lit(20);

/** Homework that is not done, by date, then the homework done most recently. */
export const portalHomework = (tx: Tx, studentId: number | null) => {
  const isChosen = sql`(${studentId}::int is null or student_id = ${studentId}::int)`;
  return queryFromSql(
    tx,
    sql<PortalHomeworkRow>`
      (select ${homeworkColumns} from portal_homework where done_at is null and ${isChosen}
       order by due_on nulls last, starts_at, session_id, student_id limit ${MAX_OPEN_HOMEWORK})
      union all
      (select ${homeworkColumns} from portal_homework where done_at is not null and ${isChosen}
       order by done_at desc, session_id, student_id limit ${MAX_DONE_HOMEWORK})`,
  );
};

export const portalHomeworkOf = (
  tx: Tx,
  { sessionId, studentId }: { sessionId: number; studentId: number },
) =>
  queryFromSql(
    tx,
    sql<PortalHomeworkRow>`
      select ${homeworkColumns} from portal_homework
      where session_id = ${sessionId}::int and student_id = ${studentId}::int`,
  );
