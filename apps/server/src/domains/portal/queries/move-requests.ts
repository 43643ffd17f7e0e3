import type { LessonStart } from '@lessonbook/contract/move-requests';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';

export type MoveRequestStatus =
  | 'open'
  | 'suggested'
  | 'accepted'
  | 'declined'
  | 'withdrawn'
  | 'closed';

export interface MoveRequestRow {
  id: number;
  status: MoveRequestStatus;
  contactId: number;
  contactName: string;
  sessionId: number;
  studentId: number;
  studentName: string;
  subjectName: string;
  /** The time of the lesson when the family asked. It has not changed while the request is pending. */
  date: string;
  startTime: string;
  endTime: string;
  startsAt: Date;
  choices: LessonStart[];
  suggestions: LessonStart[];
  message: string | null;
  askedAt: Date;
}

const columns = sql`r.id, r.status, r.contact_id as "contactId", c.name as "contactName", r.session_id as "sessionId",
  r.student_id as "studentId", t.name as "studentName", b.name as "subjectName", r.session_date as date,
  r.session_start_time as "startTime", s.end_time as "endTime", s.starts_at as "startsAt", r.choices, r.suggestions,
  r.message, r.asked_at as "askedAt"`;

const joins = sql`join contacts c on c.tutor_id = r.tutor_id and c.id = r.contact_id
  join students t on t.tutor_id = r.tutor_id and t.id = r.student_id
  join sessions s on s.tutor_id = r.tutor_id and s.id = r.session_id
  join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id`;

const isPending = sql`r.status in ('open', 'suggested')`;

/** Requests about lessons that have not started, the earliest lesson first. */
export const pendingMoveRequests = (
  tx: Tx,
  tutorId: string,
  { now, sessionId, limit }: { now: Date; sessionId: number | null; limit: number },
) =>
  queryFromSql(
    tx,
    sql<MoveRequestRow>`
      select ${columns} from move_requests r ${joins}
      where r.tutor_id = ${tutorId}::uuid and ${isPending} and s.starts_at > ${now}::timestamptz
        and (${sessionId}::int is null or r.session_id = ${sessionId}::int)
      order by s.starts_at, r.id
      limit ${limit}`,
  );

export async function findMoveRequest(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<MoveRequestRow | undefined> {
  const [row] = await queryFromSql(
    tx,
    sql<MoveRequestRow>`
      select ${columns} from move_requests r ${joins}
      where r.tutor_id = ${tutorId}::uuid and r.id = ${id}::int`,
  ).execute();
  return row;
}

/** Returns the id. */
export async function insertMoveRequest(
  tx: Tx,
  tutorId: string,
  request: {
    contactId: number;
    sessionId: number;
    studentId: number;
    date: string;
    startTime: string;
    choices: readonly LessonStart[];
    message: string | null;
    at: Date;
  },
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'move_request')) as [number];
  await tx
    .insertInto('move_requests')
    .values({
      tutor_id: tutorId,
      id,
      contact_id: request.contactId,
      session_id: request.sessionId,
      student_id: request.studentId,
      status: 'open',
      choices: JSON.stringify(request.choices),
      message: request.message,
      session_date: request.date,
      session_start_time: request.startTime,
      asked_at: request.at,
    })
    .execute();
  return id;
}

export async function updateMoveRequest(
  tx: Tx,
  tutorId: string,
  id: number,
  change: {
    status: MoveRequestStatus;
    at: Date;
    answer?: string | null;
    suggestions?: readonly LessonStart[];
  },
): Promise<void> {
  const { status, at, answer, suggestions } = change;
  await tx
    .updateTable('move_requests')
    .set({
      status,
      answered_at: at,
      ...(answer === undefined ? {} : { answer }),
      ...(suggestions === undefined ? {} : { suggestions: JSON.stringify(suggestions) }),
    })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** The latest requests of a contact, newest first. */
export const latestMoveRequests = (tx: Tx, tutorId: string, contactId: number, limit: number) =>
  queryFromSql(
    tx,
    sql<{ at: Date; sessionId: number; studentName: string; date: string; startTime: string }>`
      select r.asked_at as at, r.session_id as "sessionId", t.name as "studentName", r.session_date as date,
        r.session_start_time as "startTime"
      from move_requests r
      join students t on t.tutor_id = r.tutor_id and t.id = r.student_id and t.erased_at is null
      where r.tutor_id = ${tutorId}::uuid and r.contact_id = ${contactId}::int
      order by r.asked_at desc, r.id desc
      limit ${limit}`,
  );

/** Pending requests to move lessons that have started. Any beyond the limit are left for the next run. */
export const startedMoveRequests = (tx: Tx, tutorId: string, now: Date) =>
  queryFromSql(
    tx,
    sql<MoveRequestRow>`
      select ${columns} from move_requests r ${joins}
      where r.tutor_id = ${tutorId}::uuid and ${isPending} and s.starts_at <= ${now}::timestamptz
      order by s.starts_at, r.id
      limit 100`,
  );

/** The start of the next lesson with a pending request; null if there is none. */
export async function nextPendingStart(tx: Tx, tutorId: string): Promise<Date | null> {
  const [row] = await queryFromSql(
    tx,
    sql<{ startsAt: Date | null }>`
      select min(s.starts_at) as "startsAt" from move_requests r
      join sessions s on s.tutor_id = r.tutor_id and s.id = r.session_id
      where r.tutor_id = ${tutorId}::uuid and ${isPending}`,
  ).execute();
  return row?.startsAt ?? null;
}

/** Closes the pending requests whose lesson no longer takes place for the student at the same time. */
export async function closeOutdatedRequests(tx: Tx, tutorId: string, now: Date): Promise<void> {
  await queryFromSql(
    tx,
    sql`
      update move_requests r set status = 'closed', answered_at = ${now}::timestamptz
      where r.tutor_id = ${tutorId}::uuid and ${isPending} and not exists (
        select from sessions s
        join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.student_id = r.student_id
        where s.tutor_id = r.tutor_id and s.id = r.session_id and s.status = 'scheduled' and x.state = 'expected'
          and s.date = r.session_date and s.start_time = r.session_start_time)`,
  ).execute();
}

/** For an erasure: the requests of the person, and those about their lessons. */
export async function deleteMoveRequestsOf(
  tx: Tx,
  tutorId: string,
  person: { kind: 'student' | 'carer'; id: number },
): Promise<void> {
  const condition =
    person.kind === 'student'
      ? sql`student_id = ${person.id}::int`
      : sql`contact_id = ${person.id}::int`;
  await queryFromSql(
    tx,
    sql`delete from move_requests where tutor_id = ${tutorId}::uuid and ${condition}`,
  ).execute();
}
