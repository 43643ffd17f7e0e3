import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { type SessionRecord, sessionColumns } from './sessions.ts';

export type DaySession = SessionRecord & {
  isRecurring: boolean;
  lessonPlace: string | null;
  lessonUsesGoogleMeet: boolean;
};

/** All sessions on these days, except those whose lesson was deleted. */
export async function sessionsOnDays(
  tx: Tx,
  tutorId: string,
  { fromDate, toDate }: { fromDate: string; toDate: string },
  limit: number,
): Promise<DaySession[]> {
  const rows = await tx
    .selectFrom('sessions')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('lessons')
          .where('tutor_id', '=', tutorId)
          .where('archived_at', 'is', null)
          .select([
            'id as ofLesson',
            'is_recurring as isRecurring',
            'place as lessonPlace',
            'uses_google_meet as lessonUsesGoogleMeet',
          ])
          .as('lesson'),
      (join) => join.onRef('lesson.ofLesson', '=', 'sessions.lesson_id'),
    )
    .where('tutor_id', '=', tutorId)
    .where('date', '>=', fromDate)
    .where('date', '<=', toDate)
    .select(sessionColumns)
    .select(['isRecurring', 'lessonPlace', 'lessonUsesGoogleMeet'])
    .orderBy('starts_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows as DaySession[];
}

/** The meeting link of the tutor's latest lesson that has one. */
export const latestMeetingLink = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('place', '~*', sql.lit('^https?://'))
    .select('place')
    .orderBy('starts_at', 'desc')
    .limit(1);
