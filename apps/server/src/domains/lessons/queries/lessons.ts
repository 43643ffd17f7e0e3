import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids-condition.ts';
import type { RosterEntry } from '../rules/seat-fees-and-rosters.ts';
import { replaceRoster } from './seats.ts';

export const lessonById = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('lessons')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .select([
      'id',
      'subject_id as subjectId',
      'title',
      'first_date as firstDate',
      'start_time as startTime',
      'end_time as endTime',
      'fee',
      'min_students as minStudents',
      'max_students as maxStudents',
      'uses_rates as usesRates',
      'currency',
      'place',
      'uses_google_meet as usesGoogleMeet',
      'travel_fee as travelFee',
      'notes',
      'is_recurring as isRecurring',
      'pattern',
      'recurrence_start as recurrenceStart',
      'end_date as endDate',
      'generated_until as generatedUntil',
      'term_calendar_id as termCalendarId',
      'continues_lesson_id as continuesLessonId',
      sql<
        RosterEntry[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('studentId', r.student_id, 'position', r.position,
          'fee', r.fee, 'fromDate', r.from_date, 'toDate', r.to_date) order by r.position, r.student_id), '[]')
        from lesson_students r where r.tutor_id = lessons.tutor_id and r.lesson_id = lessons.id)`.as(
        'roster',
      ),
    ]);

export type LessonRecord = Omit<RowOf<ReturnType<typeof lessonById>>, 'pattern'> & {
  pattern: RecurrencePattern;
};

export async function findLesson(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<LessonRecord | undefined> {
  const row = await lessonById(tx, tutorId, id).executeTakeFirst();
  return row && { ...row, pattern: row.pattern as RecurrencePattern };
}

/** Returns the ids of the given lessons that are not archived. */
export async function findLessonIds(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx
    .selectFrom('lessons')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where('archived_at', 'is', null)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Recurring lessons whose sessions are not yet generated up to the horizon. */
export async function lessonIdsToExtend(
  tx: Tx,
  tutorId: string,
  horizon: string,
): Promise<number[]> {
  const rows = await queryFromSql(
    tx,
    sql<{ id: number }>`
      select id from lessons l
      where tutor_id = ${tutorId}::uuid and archived_at is null and is_recurring and generated_until < ${horizon}::date
        and (end_date is null or end_date > generated_until)
        -- A lesson whose students have all left continues if one of them comes back.
        and exists (
          select from lesson_students m
          join students s on s.tutor_id = m.tutor_id and s.id = m.student_id and s.status <> 'left'
          where m.tutor_id = l.tutor_id and m.lesson_id = l.id)
      order by id`,
  ).execute();
  return rows.map((row) => row.id);
}

/**
 * A query for use in a batch: how many of the students are not archived, whether one has left, their largest travel
 * fee, and the subject's default fee, if the subject exists.
 */
export const studentsAndSubjectForNewLesson = compiledQuery(
  (tx, tutorId: string, studentIds: readonly number[], subjectId: number, today: string) =>
    queryFromSql(
      tx,
      sql<{
        students: number;
        hasLeft: boolean;
        defaultFee: number | null;
        subjectCurrency: string | null;
        travelFee: number | null;
      }>`
      select
        (select count(*) from students
          where tutor_id = ${tutorId}::uuid and id = any(${studentIds}::int[]) and archived_at is null) as students,
        exists (select 1 from students
          where tutor_id = ${tutorId}::uuid and id = any(${studentIds}::int[]) and status = 'left'
            and coalesce(left_on < ${today}::date, true)) as "hasLeft",
        b.default_fee as "defaultFee", b.currency as "subjectCurrency",
        (select max(travel_fee) from students
          where tutor_id = ${tutorId}::uuid and id = any(${studentIds}::int[])) as "travelFee"
      from (select 1) as one left join subjects b
        on b.tutor_id = ${tutorId}::uuid and b.id = ${subjectId}::int and b.archived_at is null`,
    ),
);

export type NewLesson = LessonRecord & { createdAt: Date };

const toColumns = (lesson: LessonRecord) => ({
  subject_id: lesson.subjectId,
  title: lesson.title,
  first_date: lesson.firstDate,
  start_time: lesson.startTime,
  end_time: lesson.endTime,
  fee: lesson.fee,
  min_students: lesson.minStudents,
  max_students: lesson.maxStudents,
  uses_rates: lesson.usesRates,
  currency: lesson.currency,
  place: lesson.place,
  uses_google_meet: lesson.usesGoogleMeet,
  travel_fee: lesson.travelFee,
  notes: lesson.notes,
  is_recurring: lesson.isRecurring,
  pattern: lesson.pattern,
  recurrence_start: lesson.recurrenceStart,
  end_date: lesson.endDate,
  generated_until: lesson.generatedUntil,
  term_calendar_id: lesson.termCalendarId,
});

export const insertLesson = (tx: Tx, tutorId: string, lesson: NewLesson) =>
  tx.insertInto('lessons').values({
    ...toColumns(lesson),
    tutor_id: tutorId,
    id: lesson.id,
    continues_lesson_id: lesson.continuesLessonId,
    created_at: lesson.createdAt,
  });

export async function saveLesson(tx: Tx, tutorId: string, lesson: LessonRecord): Promise<void> {
  await tx
    .updateTable('lessons')
    .set(toColumns(lesson))
    .where('tutor_id', '=', tutorId)
    .where('id', '=', lesson.id)
    .execute();
}

/** Saves the lesson, and its roster if that has changed. */
export async function saveLessonWithRoster(
  tx: Tx,
  tutorId: string,
  before: LessonRecord,
  lesson: LessonRecord,
): Promise<void> {
  await saveLesson(tx, tutorId, lesson);
  if (JSON.stringify(before.roster) !== JSON.stringify(lesson.roster))
    await replaceRoster(tx, tutorId, lesson.id, lesson.roster);
}

export async function archiveLesson(tx: Tx, tutorId: string, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('lessons')
    .set({ archived_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Lessons with their session counts and next session. */
const lessonSummaries = (tx: Tx, tutorId: string, now: Date) =>
  tx
    .selectFrom('lessons')
    .innerJoin('subjects', (join) =>
      join
        .onRef('subjects.tutor_id', '=', 'lessons.tutor_id')
        .onRef('subjects.id', '=', 'lessons.subject_id'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('sessions')
          .whereRef('sessions.tutor_id', '=', 'lessons.tutor_id')
          .whereRef('sessions.lesson_id', '=', 'lessons.id')
          .select((count) => [
            count.fn
              .countAll<number>()
              .filterWhere('status', '=', sql.lit('scheduled'))
              .as('scheduled'),
            count.fn
              .countAll<number>()
              .filterWhere('status', '=', sql.lit('completed'))
              .as('completed'),
            count.fn
              .countAll<number>()
              .filterWhere('status', '=', sql.lit('cancelled'))
              .as('cancelled'),
          ])
          .as('counts'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('sessions')
          .whereRef('sessions.tutor_id', '=', 'lessons.tutor_id')
          .whereRef('sessions.lesson_id', '=', 'lessons.id')
          .where('status', '=', sql.lit('scheduled'))
          .where('ends_at', '>', now)
          .orderBy('starts_at')
          .limit(1)
          .select(['id', 'date', 'start_time', 'end_time'])
          .as('next'),
      (join) => join.onTrue(),
    )
    .where('lessons.tutor_id', '=', tutorId)
    .where('lessons.archived_at', 'is', null)
    .select([
      'lessons.id',
      'lessons.title',
      'lessons.first_date as date',
      'lessons.start_time as startTime',
      'lessons.end_time as endTime',
      'lessons.fee',
      'lessons.min_students as minStudents',
      'lessons.max_students as maxStudents',
      'lessons.uses_rates as usesRates',
      // The fees of the next session, if they follow the students' rates; 0 if the session is free for all of them.
      sql<
        number | null
      >`case when lessons.uses_rates and next.id is not null then (select coalesce(sum(x.fee), 0)::int from session_students x
        where x.tutor_id = lessons.tutor_id and x.session_id = next.id and x.state = 'expected') end`.as(
        'nextFee',
      ),
      sql<
        (RosterEntry & { name: string })[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('studentId', r.student_id,
          'name', st.name, 'position', r.position, 'fee', r.fee, 'fromDate', r.from_date, 'toDate', r.to_date)
          order by r.position, r.student_id), '[]')
        from lesson_students r join students st on st.tutor_id = r.tutor_id and st.id = r.student_id
        where r.tutor_id = lessons.tutor_id and r.lesson_id = lessons.id)`.as('roster'),
      'lessons.subject_id as subjectId',
      'subjects.name as subjectName',
      'lessons.currency',
      'lessons.place',
      'lessons.uses_google_meet as usesGoogleMeet',
      'lessons.travel_fee as travelFee',
      'lessons.notes',
      'lessons.is_recurring as isRecurring',
      'lessons.pattern',
      'lessons.recurrence_start as recurrenceStart',
      'lessons.end_date as endDate',
      'lessons.generated_until as generatedUntil',
      'lessons.term_calendar_id as termCalendarId',
      'lessons.continues_lesson_id as continuesLessonId',
      'counts.scheduled',
      'counts.completed',
      'counts.cancelled',
      'next.id as nextId',
      'next.date as nextDate',
      'next.start_time as nextStart',
      'next.end_time as nextEnd',
    ])
    .orderBy('lessons.id');

export const lessonSummariesPage = (tx: Tx, tutorId: string, now: Date, page: PageQuery) =>
  lessonSummaries(tx, tutorId, now).where(
    'lessons.id',
    '=',
    anyIdOnPage('lessons', tutorId, page, sql`archived_at is null`),
  );

export const lessonSummaryById = (tx: Tx, tutorId: string, now: Date, id: number) =>
  lessonSummaries(tx, tutorId, now).where('lessons.id', '=', id);

export type LessonSummaryRecord = RowOf<ReturnType<typeof lessonSummaries>>;
