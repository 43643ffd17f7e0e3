import type { Balance } from '@lessonbook/contract/payments';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { Contact, Student, StudentPayer } from '@lessonbook/contract/students';
import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids-condition.ts';

export interface StudentDetails {
  name: string;
  phone: string | null;
  email: string | null;
  subject: string | null;
  notes: string | null;
  school: string | null;
  schoolYear: string | null;
  termCalendarId: number | null;
  travelFee: number | null;
  /** The main contact: a carer, or the student's own contact. */
  contactId: number;
}

const toColumns = ({
  contactId,
  schoolYear,
  termCalendarId,
  travelFee,
  ...details
}: StudentDetails) => ({
  ...details,
  school_year: schoolYear,
  term_calendar_id: termCalendarId,
  travel_fee: travelFee,
  contact_id: contactId,
});

/** Each row includes the columns of the carer: the main contact, unless that is the student. */
const studentRows = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('students')
    .leftJoin('contacts as carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'students.tutor_id')
        .onRef('carers.id', '=', 'students.contact_id')
        .on('carers.student_id', 'is', null),
    )
    .where('students.tutor_id', '=', tutorId)
    .where('students.archived_at', 'is', null)
    .select([
      'students.id',
      'students.name',
      'students.phone',
      'students.email',
      'students.subject',
      'students.notes',
      'students.school',
      'students.school_year as schoolYear',
      'students.term_calendar_id as termCalendarId',
      'students.travel_fee as travelFee',
      'students.notes_for_student_only as notesForStudentOnly',
      sql<Student['status']>`students.status`.as('status'),
      'students.left_on as leftOn',
      'students.portal_ends_on as portalEndsOn',
      'carers.id as carerId',
      'carers.name as carerName',
      'carers.relationship as carerRelationship',
      'carers.phone as carerPhone',
      'carers.email as carerEmail',
    ])
    .orderBy('students.id');

/**
 * The students with their latest pause, balances, contacts and payers. Uses subqueries, so that a page reads only the rows of
 * its own students.
 */
export const unarchivedStudents = (tx: Tx, tutorId: string) =>
  studentRows(tx, tutorId).select([
    sql<number[]>`array(
      select distinct l.subject_id from lesson_students m
      join lessons l on l.tutor_id = m.tutor_id and l.id = m.lesson_id and l.archived_at is null
      join subjects on subjects.tutor_id = l.tutor_id and subjects.id = l.subject_id and subjects.archived_at is null
      where m.tutor_id = students.tutor_id and m.student_id = students.id order by l.subject_id)`.as(
      'subjectIds',
    ),
    // The first payer of the latest arrangement, to whose account future charges are added.
    sql<number | null>`(
      select p.family_id from student_payers p
      where p.tutor_id = students.tutor_id and p.student_id = students.id
      order by p.from_date desc, p.position limit 1)`.as('familyId'),
    sql<Student['pause']>`(
      select jsonb_build_object('fromDate', t.from_date, 'toDate', t.to_date) from time_off t
      where t.tutor_id = students.tutor_id and t.student_id = students.id and not t.is_departure
      order by t.from_date desc limit 1)`.as('pause'),
    sql<Balance[]>`coalesce((
      select jsonb_agg(jsonb_build_object('currency', open.currency, 'owed', open.owed, 'credit', 0) order by open.currency)
      from (
        select c.currency, sum(c.outstanding) as owed from charges c
        where c.tutor_id = students.tutor_id and c.student_id = students.id and c.outstanding > 0
        group by c.currency) as open), '[]')`.as('balances'),
    sql<Contact[]>`(
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'relationship', c.relationship, 'phone', c.phone,
        'email', c.email, 'timeZone', c.time_zone, 'isMain', c.id = students.contact_id,
        'isStudent', c.student_id is not null,
        'access', jsonb_build_object('seesLessons', a.sees_lessons, 'seesPlace', a.sees_place, 'seesNotes', a.sees_notes,
          'seesMoney', a.sees_money, 'mayCancel', a.may_cancel, 'mayRequestMoves', a.may_ask))
        order by c.id <> students.contact_id, c.id)
      from contact_access a
      join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
      where a.tutor_id = students.tutor_id and a.student_id = students.id)`.as('contacts'),
    sql<StudentPayer[]>`coalesce((
      select jsonb_agg(jsonb_build_object('familyId', p.family_id, 'contactId', f.contact_id, 'percent', p.percent,
        'from', p.from_date) order by p.from_date, p.position)
      from student_payers p
      join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
      where p.tutor_id = students.tutor_id and p.student_id = students.id), '[]')`.as('payers'),
  ]);

export const unarchivedStudentsPage = (tx: Tx, tutorId: string, page: PageQuery) =>
  unarchivedStudents(tx, tutorId).where(
    'students.id',
    '=',
    anyIdOnPage('students', tutorId, page, sql`archived_at is null`),
  );

export async function termCalendarExists(tx: Tx, tutorId: string, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('term_calendars')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countUnarchivedStudents(tx: Tx, tutorId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('archived_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const studentById = compiledQuery((tx, tutorId: string, id: number) =>
  unarchivedStudents(tx, tutorId).where('students.id', '=', id),
);

export const studentsByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  unarchivedStudents(tx, tutorId).where('students.id', '=', sql<number>`any(${ids}::int[])`);

export async function insertStudent(
  tx: Tx,
  tutorId: string,
  student: StudentDetails & { id: number; publicId: string; now: Date },
): Promise<void> {
  const { id, publicId, now, ...details } = student;
  await tx
    .insertInto('students')
    .values({
      tutor_id: tutorId,
      id,
      public_id: publicId,
      created_at: now,
      ...toColumns(details),
    })
    .execute();
}

export async function updateStudent(
  tx: Tx,
  tutorId: string,
  id: number,
  details: StudentDetails,
): Promise<void> {
  await tx
    .updateTable('students')
    .set(toColumns(details))
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** The dates are null unless the student is leaving or has left. */
export type StatusColumns = Pick<Student, 'status' | 'leftOn' | 'portalEndsOn'>;

export async function updateStatus(
  tx: Tx,
  tutorId: string,
  id: number,
  { status, leftOn, portalEndsOn }: StatusColumns,
): Promise<void> {
  await tx
    .updateTable('students')
    .set({ status, left_on: leftOn, portal_ends_on: portalEndsOn })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

export async function updateNoteReaders(
  tx: Tx,
  tutorId: string,
  id: number,
  studentOnly: boolean,
): Promise<void> {
  await tx
    .updateTable('students')
    .set({ notes_for_student_only: studentOnly })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Returns false if the student does not exist or is already archived. */
export async function archiveStudent(
  tx: Tx,
  tutorId: string,
  id: number,
  now: Date,
): Promise<boolean> {
  const archived = await tx
    .updateTable('students')
    .set({ archived_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return archived !== undefined;
}

/** A student's subject text is a list of names, separated by commas. */
export async function renameSubjectInStudents(
  tx: Tx,
  tutorId: string,
  previousName: string,
  name: string,
): Promise<void> {
  await sql`
    update students s set subject = left((
      select string_agg(case when lower(trim(part)) = lower(${previousName}) then ${name} else trim(part) end, ', ' order by n)
      from unnest(string_to_array(s.subject, ',')) with ordinality as parts(part, n)), 200)
    where s.tutor_id = ${tutorId}::uuid and s.archived_at is null and exists (
      select from unnest(string_to_array(s.subject, ',')) as part where lower(trim(part)) = lower(${previousName}))`.execute(
    tx,
  );
}
