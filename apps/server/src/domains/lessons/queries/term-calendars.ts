import type { Term } from '@lessonbook/contract/term-calendars';
import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** The calendars with their terms and the number of current series that follow them. */
export const termCalendarRows = compiledQuery((tx, tutorId: string, today: string) =>
  tx
    .selectFrom('term_calendars')
    .where('term_calendars.tutor_id', '=', tutorId)
    .select([
      'term_calendars.id',
      'term_calendars.name',
      sql<Term[]>`coalesce((
        select jsonb_agg(jsonb_build_object('name', t.name, 'fromDate', t.from_date, 'toDate', t.to_date)
          order by t.from_date)
        from terms t where t.tutor_id = term_calendars.tutor_id and t.calendar_id = term_calendars.id), '[]')`.as(
        'terms',
      ),
      sql<number>`(
        select count(*)::int from lessons l
        where l.tutor_id = term_calendars.tutor_id and l.term_calendar_id = term_calendars.id
          and l.archived_at is null and (l.end_date is null or l.end_date >= ${today}::date))`.as(
        'lessons',
      ),
    ])
    .orderBy(sql`lower(term_calendars.name)`)
    .orderBy('term_calendars.id'),
);

/** The terms of a calendar; undefined if there is no such calendar. */
export async function findTerms(
  tx: Tx,
  tutorId: string,
  calendarId: number,
): Promise<Term[] | undefined> {
  const row = await tx
    .selectFrom('term_calendars')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', calendarId)
    .select(
      sql<Term[]>`coalesce((
        select jsonb_agg(jsonb_build_object('name', t.name, 'fromDate', t.from_date, 'toDate', t.to_date)
          order by t.from_date)
        from terms t where t.tutor_id = term_calendars.tutor_id and t.calendar_id = term_calendars.id), '[]')`.as(
        'terms',
      ),
    )
    .executeTakeFirst();
  return row?.terms;
}

export async function countTermCalendars(tx: Tx, tutorId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('term_calendars')
    .where('tutor_id', '=', tutorId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The ids of the series that follow a calendar, except deleted ones. */
export async function idsOfLessonsUsingCalendar(
  tx: Tx,
  tutorId: string,
  calendarId: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('lessons')
    .where('tutor_id', '=', tutorId)
    .where('term_calendar_id', '=', calendarId)
    .where('archived_at', 'is', null)
    .where('is_recurring', '=', true)
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function saveTermCalendar(
  tx: Tx,
  tutorId: string,
  calendar: { id: number; name: string; terms: readonly Term[] },
  now: Date,
): Promise<void> {
  const { id, name, terms } = calendar;
  await tx
    .insertInto('term_calendars')
    .values({ tutor_id: tutorId, id, name, created_at: now })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'id']).doUpdateSet({ name }))
    .execute();
  await tx
    .deleteFrom('terms')
    .where('tutor_id', '=', tutorId)
    .where('calendar_id', '=', id)
    .execute();
  await tx
    .insertInto('terms')
    .values(
      terms.map((term) => ({
        tutor_id: tutorId,
        calendar_id: id,
        name: term.name,
        from_date: term.fromDate,
        to_date: term.toDate,
      })),
    )
    .execute();
}

export async function deleteTermCalendarRow(tx: Tx, tutorId: string, id: number): Promise<void> {
  await tx
    .deleteFrom('term_calendars')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
