import type { LessonDate } from '@lessonbook/contract/lesson-dates';
import type { Currency } from '@lessonbook/contract/money';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export const datesOfLesson = (tx: Tx, tutorId: string, lessonId: number) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('lesson_id', '=', lessonId)
    .select([
      'id',
      'date',
      'start_time as startTime',
      'end_time as endTime',
      (eb) => eb.ref('status').$castTo<LessonDate['status']>().as('status'),
      'ends_at as endsAt',
    ])
    .orderBy('date')
    .orderBy('start_time');

/** What was charged for the sessions of a lesson and what is unpaid, by currency. */
export const chargeTotalsOfLesson = (tx: Tx, tutorId: string, lessonId: number) =>
  queryFromSql(
    tx,
    sql<{ currency: Currency; charged: number; outstanding: number }>`
      select c.currency, sum(c.amount - c.credited - c.written_off) as charged, sum(c.outstanding) as outstanding
      from sessions s
      join charges c on c.tutor_id = s.tutor_id and c.session_id = s.id
      where s.tutor_id = ${tutorId}::uuid and s.lesson_id = ${lessonId}::int
        and c.kind in ('lesson', 'cancellation', 'travel') and c.reversed = false
      group by c.currency order by c.currency`,
  );
