import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { NoteFields, StoredNote } from '../rules/plan-lesson-note-change.ts';
import type { SeatRef } from '../rules/seat-fees-and-rosters.ts';

const fieldsOf = (alias: string) =>
  sql`'did', ${sql.ref(`${alias}.did`)}, 'nextTime', ${sql.ref(`${alias}.next_time`)}, 'homework',
    ${sql.ref(`${alias}.homework`)}, 'dueOn', ${sql.ref(`${alias}.due_on`)}, 'version', ${sql.ref(`${alias}.version`)}`;

/** The draft and the last shared version of the note `n`, which has the columns session_id and student_id. */
const versions = sql`
  left join lesson_notes draft on draft.tutor_id = n.tutor_id and draft.session_id = n.session_id
    and draft.student_id = n.student_id and draft.published_at is null
  left join lateral (
    select * from lesson_notes v
    where v.tutor_id = n.tutor_id and v.session_id = n.session_id and v.student_id = n.student_id
      and v.published_at is not null
    order by v.version desc limit 1) shared on true`;

const draftColumn = sql`case when draft.version is not null then jsonb_build_object(${fieldsOf('draft')}) end`;

/** The date of the student's next lesson after the session `s`. The student is in the row `n`. */
const nextLessonOn = sql`(
  select min(e.date) from session_students y
  join sessions e on e.tutor_id = y.tutor_id and e.id = y.session_id
  where y.tutor_id = n.tutor_id and y.student_id = n.student_id and y.state = 'expected' and e.status = 'scheduled'
    and e.starts_at > s.starts_at)`;

/** Used when notes are changed: what is stored for each student, and the date of their next lesson. */
export const storedNotes = (tx: Tx, tutorId: string, sessionIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<SeatRef & StoredNote & { nextLessonOn: string | null }>`
      select n.session_id as "sessionId", n.student_id as "studentId", ${draftColumn} as draft,
        case when shared.version is not null then jsonb_build_object(${fieldsOf('shared')},
          'isWithdrawn', shared.withdrawn_at is not null) end as shared,
        ${nextLessonOn} as "nextLessonOn"
      from session_students n
      join sessions s on s.tutor_id = n.tutor_id and s.id = n.session_id
      ${versions}
      where n.tutor_id = ${tutorId}::uuid and n.session_id = any(${sessionIds}::int[])`,
  );

export interface SavedNote extends SeatRef, NoteFields {
  version: number;
  publishedAt: Date | null;
  isSharedByCompletion: boolean;
}

/** Inserts new versions and overwrites drafts. */
export async function saveNoteVersions(
  tx: Tx,
  tutorId: string,
  notes: readonly SavedNote[],
  now: Date,
): Promise<void> {
  if (notes.length === 0) return;
  const column = <K extends keyof SavedNote>(key: K) => notes.map((note) => note[key]);
  await queryFromSql(
    tx,
    sql`
      insert into lesson_notes (tutor_id, session_id, student_id, version, did, next_time, homework, due_on, published_at,
        shared_by_completion, created_at)
      select ${tutorId}::uuid, n.*, ${now}::timestamptz
      from unnest(${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('version')}::int[],
        ${column('did')}::text[], ${column('nextTime')}::text[], ${column('homework')}::text[], ${column('dueOn')}::date[],
        ${column('publishedAt')}::timestamptz[], ${column('isSharedByCompletion')}::boolean[]) as n
      on conflict (tutor_id, session_id, student_id, version) do update set did = excluded.did,
        next_time = excluded.next_time, homework = excluded.homework, due_on = excluded.due_on,
        published_at = excluded.published_at, shared_by_completion = excluded.shared_by_completion, created_at = excluded.created_at
      where lesson_notes.published_at is null`,
  ).execute();
}

export async function deleteDrafts(
  tx: Tx,
  tutorId: string,
  seats: readonly SeatRef[],
): Promise<void> {
  if (seats.length === 0) return;
  await queryFromSql(
    tx,
    sql`
      delete from lesson_notes n
      using unnest(${seats.map(({ sessionId }) => sessionId)}::int[], ${seats.map(({ studentId }) => studentId)}::int[])
        as x(session_id, student_id)
      where n.tutor_id = ${tutorId}::uuid and n.session_id = x.session_id and n.student_id = x.student_id
        and n.published_at is null`,
  ).execute();
}

/** Withdraws the last shared version. Returns whether that version was still visible; undefined if none was ever shared. */
export async function withdrawLastVersion(
  tx: Tx,
  tutorId: string,
  { sessionId, studentId }: SeatRef,
  now: Date,
): Promise<boolean | undefined> {
  const [row] = await queryFromSql(
    tx,
    sql<{ wasVisible: boolean }>`
      with last as (
        select version, withdrawn_at from lesson_notes
        where tutor_id = ${tutorId}::uuid and session_id = ${sessionId}::int and student_id = ${studentId}::int
          and published_at is not null
        order by version desc limit 1
      ), withdrawn as (
        update lesson_notes n set withdrawn_at = ${now}::timestamptz from last
        where n.tutor_id = ${tutorId}::uuid and n.session_id = ${sessionId}::int and n.student_id = ${studentId}::int
          and n.version = last.version and n.withdrawn_at is null
      )
      select withdrawn_at is null as "wasVisible" from last`,
  ).execute();
  return row?.wasVisible;
}

interface StoredFields extends NoteFields {
  version: number;
}

export interface NoteRow extends SeatRef {
  date: string;
  startTime: string;
  subjectName: string;
  draft: StoredFields | null;
  shared: (StoredFields & { sharedAt: string; withdrawnAt: string | null }) | null;
  doneAt: Date | null;
  doneByName: string | null;
}

const noteRows = sql`
  select n.session_id as "sessionId", n.student_id as "studentId", s.date, s.start_time as "startTime",
    b.name as "subjectName", ${draftColumn} as draft,
    case when shared.version is not null then jsonb_build_object(${fieldsOf('shared')},
      'sharedAt', shared.published_at, 'withdrawnAt', shared.withdrawn_at) end as shared,
    h.done_at as "doneAt", case when h.done_by = 'contact' then coalesce(c.name, '') end as "doneByName"
  from (select distinct tutor_id, session_id, student_id from lesson_notes) n
  join sessions s on s.tutor_id = n.tutor_id and s.id = n.session_id
  join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  ${versions}
  left join homework_done h on h.tutor_id = n.tutor_id and h.session_id = n.session_id and h.student_id = n.student_id
  left join contacts c on c.tutor_id = h.tutor_id and c.id = h.contact_id`;

export const notesOfSession = (tx: Tx, tutorId: string, sessionId: number) =>
  queryFromSql(
    tx,
    sql<NoteRow>`${noteRows} where n.tutor_id = ${tutorId}::uuid and n.session_id = ${sessionId}::int`,
  );

/** The latest lesson first. */
export const notesOfStudent = (
  tx: Tx,
  tutorId: string,
  studentId: number,
  { limit, offset }: { limit: number; offset: number },
) =>
  queryFromSql(
    tx,
    sql<NoteRow>`
      ${noteRows} where n.tutor_id = ${tutorId}::uuid and n.student_id = ${studentId}::int
      order by s.starts_at desc, s.id desc limit ${limit} offset ${offset}`,
  );

const MAX_VERSIONS = sql.lit(100);

/** The shared versions, newest first. */
export const sharedVersions = (tx: Tx, tutorId: string, { sessionId, studentId }: SeatRef) =>
  queryFromSql(
    tx,
    sql<StoredFields & { sharedAt: Date; withdrawnAt: Date | null }>`
      select version, did, next_time as "nextTime", homework, due_on as "dueOn", published_at as "sharedAt",
        withdrawn_at as "withdrawnAt"
      from lesson_notes
      where tutor_id = ${tutorId}::uuid and session_id = ${sessionId}::int and student_id = ${studentId}::int
        and published_at is not null
      order by version desc limit ${MAX_VERSIONS}`,
  );

export interface NoteSeatRow {
  studentId: number;
  studentName: string;
  nextLessonOn: string | null;
  previousId: number | null;
  previousDate: string | null;
  previousNextTime: string | null;
  previousHomework: string | null;
  isPreviousDone: boolean;
  readers: string[];
}

/** The students of a session, with their last note in this subject and the names of those who can read a shared note. */
export const seatsForNotes = (tx: Tx, tutorId: string, sessionId: number, now: Date) =>
  queryFromSql(
    tx,
    sql<NoteSeatRow>`
      select n.student_id as "studentId", t.name as "studentName", ${nextLessonOn} as "nextLessonOn",
        previous.id as "previousId", previous.date as "previousDate", previous.next_time as "previousNextTime",
        previous.homework as "previousHomework",
        exists (
          select from homework_done h where h.tutor_id = n.tutor_id and h.session_id = previous.id
            and h.student_id = n.student_id) as "isPreviousDone",
        array(
          select c.name from contact_access a
          join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
          join tutors u on u.tutor_id = a.tutor_id
          where a.tutor_id = n.tutor_id and a.student_id = n.student_id and a.sees_notes and c.erased_at is null
            and c.suspended_at is null and (not t.notes_for_student_only or c.student_id = t.id)
            and (t.portal_ends_on is null or t.portal_ends_on >= (${now}::timestamptz at time zone u.time_zone)::date)
          order by c.id <> t.contact_id, c.id) as readers
      from session_students n
      join students t on t.tutor_id = n.tutor_id and t.id = n.student_id and t.erased_at is null
      join sessions s on s.tutor_id = n.tutor_id and s.id = n.session_id
      left join lateral (
        select e.id, e.date, v.next_time, v.homework from lesson_notes v
        join sessions e on e.tutor_id = v.tutor_id and e.id = v.session_id
        where v.tutor_id = n.tutor_id and v.student_id = n.student_id and e.subject_id = s.subject_id
          and e.starts_at < s.starts_at
        order by e.starts_at desc, e.id desc, v.version desc limit 1) previous on true
      where n.tutor_id = ${tutorId}::uuid and n.session_id = ${sessionId}::int
      order by n.position, n.student_id`,
  );

export const portalOpenedAt = (tx: Tx, tutorId: string) =>
  tx.selectFrom('tutors').where('tutor_id', '=', tutorId).select('portal_opened_at as openedAt');

/** Moves the notes of the students who are still in the session at its new time. */
export async function moveNotes(
  tx: Tx,
  tutorId: string,
  { fromId, toId }: { fromId: number; toId: number },
): Promise<void> {
  for (const table of ['lesson_notes', 'homework_done'] as const)
    await queryFromSql(
      tx,
      sql`
        update ${sql.table(table)} n set session_id = ${toId}::int
        where n.tutor_id = ${tutorId}::uuid and n.session_id = ${fromId}::int and exists (
          select from session_students x
          where x.tutor_id = n.tutor_id and x.session_id = ${toId}::int and x.student_id = n.student_id)`,
    ).execute();
}

/** For an erasure: deletes the notes about a student, or unlinks a contact from homework and deletes their note emails. */
export async function eraseNotesOf(
  tx: Tx,
  tutorId: string,
  person: { kind: 'student' | 'carer'; id: number },
): Promise<void> {
  const isStudent = sql`tutor_id = ${tutorId}::uuid and student_id = ${person.id}::int`;
  const isContact = sql`tutor_id = ${tutorId}::uuid and contact_id = ${person.id}::int`;
  if (person.kind === 'student') {
    await queryFromSql(tx, sql`delete from homework_done where ${isStudent}`).execute();
    await queryFromSql(tx, sql`delete from lesson_notes where ${isStudent}`).execute();
    return;
  }
  await queryFromSql(
    tx,
    sql`update homework_done set contact_id = null where ${isContact}`,
  ).execute();
  await queryFromSql(tx, sql`delete from note_emails where ${isContact}`).execute();
}
