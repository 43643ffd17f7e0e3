import type { DayAction } from '@lessonbook/contract/move-online-or-cancel-days';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

const MAX_LISTED = 100;

export interface DayChangeRecord {
  id: number;
  action: DayAction;
  fromDate: string;
  toDate: string;
  link: string | null;
  usesGoogleMeet: boolean;
  timeOffId: number | null;
  notifiesFamilies: boolean;
  undoneAt: Date | null;
  sessionCount: number;
}

const dayChanges = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('day_changes')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      sql<DayAction>`action`.as('action'),
      'from_date as fromDate',
      'to_date as toDate',
      'link',
      'uses_google_meet as usesGoogleMeet',
      'time_off_id as timeOffId',
      'notifies_families as notifiesFamilies',
      'undone_at as undoneAt',
      sql<number>`(select count(*)::int from day_change_sessions s
        where s.tutor_id = day_changes.tutor_id and s.day_change_id = day_changes.id)`.as(
        'sessionCount',
      ),
    ]);

export const dayChangeById = (tx: Tx, tutorId: string, id: number) =>
  dayChanges(tx, tutorId).where('id', '=', id);

export const currentDayChanges = (tx: Tx, tutorId: string, today: string) =>
  dayChanges(tx, tutorId)
    .where('undone_at', 'is', null)
    .where('to_date', '>=', today)
    // If the tutor has removed the time off, nothing is left to undo.
    .where((eb) => eb.or([eb('action', '=', 'online'), eb('time_off_id', 'is not', null)]))
    .orderBy('from_date')
    .orderBy('id')
    .limit(MAX_LISTED);

/** The link that the tutor entered last. */
export const latestLink = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('day_changes')
    .where('tutor_id', '=', tutorId)
    .where('link', 'is not', null)
    .select('link')
    .orderBy('id', 'desc')
    .limit(1);

export async function insertDayChange(
  tx: Tx,
  tutorId: string,
  change: Omit<DayChangeRecord, 'undoneAt' | 'sessionCount'>,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('day_changes')
    .values({
      tutor_id: tutorId,
      id: change.id,
      action: change.action,
      from_date: change.fromDate,
      to_date: change.toDate,
      link: change.link,
      uses_google_meet: change.usesGoogleMeet,
      time_off_id: change.timeOffId,
      notifies_families: change.notifiesFamilies,
      created_at: now,
    })
    .execute();
}

export async function updateDayChange(
  tx: Tx,
  tutorId: string,
  id: number,
  change: Partial<{
    to_date: string;
    notifies_families: boolean;
    undone_at: Date;
    time_off_id: number | null;
  }>,
): Promise<void> {
  await tx
    .updateTable('day_changes')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

export interface ChangedSessionRecord {
  sessionId: number;
  place: string | null;
  usesGoogleMeet: boolean;
  previousPlace: string | null;
  previousUsesGoogleMeet: boolean;
  previousIsOverride: boolean;
  /** Null for a change made before this was stored; `notifiesFamilies` of the whole change then applies. */
  isNotified: boolean | null;
}

export const sessionsOfDayChange = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('day_change_sessions')
    .where('tutor_id', '=', tutorId)
    .where('day_change_id', '=', id)
    .select([
      'session_id as sessionId',
      'place',
      'uses_google_meet as usesGoogleMeet',
      'previous_place as previousPlace',
      'previous_uses_google_meet as previousUsesGoogleMeet',
      'previous_is_override as previousIsOverride',
      'is_notified as isNotified',
    ])
    .orderBy('session_id');

export const insertChangedSessions = (
  tx: Tx,
  tutorId: string,
  id: number,
  rows: readonly ChangedSessionRecord[],
) => {
  const column = <K extends keyof ChangedSessionRecord>(key: K) => rows.map((row) => row[key]);
  return queryFromSql(
    tx,
    sql`
      insert into day_change_sessions (tutor_id, day_change_id, session_id, place, uses_google_meet, previous_place,
        previous_uses_google_meet, previous_is_override, is_notified)
      select ${tutorId}::uuid, ${id}::int, s.* from unnest(${column('sessionId')}::int[], ${column('place')}::text[],
        ${column('usesGoogleMeet')}::boolean[], ${column('previousPlace')}::text[],
        ${column('previousUsesGoogleMeet')}::boolean[], ${column('previousIsOverride')}::boolean[],
        ${column('isNotified')}::boolean[]) as s`,
  );
};

/** Erases the places of an erased student's one-to-one lessons. Those of a group belong to the other students too. */
export const erasePlaces = (tx: Tx, tutorId: string, studentId: number) =>
  queryFromSql(
    tx,
    sql`
      update day_change_sessions d set place = null, previous_place = null
      where d.tutor_id = ${tutorId}::uuid and exists (
        select from session_students x where x.tutor_id = d.tutor_id and x.session_id = d.session_id
          and x.student_id = ${studentId}::int)
        and not exists (select from session_students x where x.tutor_id = d.tutor_id and x.session_id = d.session_id
          and x.student_id <> ${studentId}::int)`,
  );
