import type { DateRange } from '@lessonbook/contract/report-periods';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import {
  isWithin,
  joinChargeOfPart,
  type LessonFilter,
  moneyReceivedByCharge,
  moneyReceivedFor,
} from '../../payments/service/read-payments.ts';

export interface CurrencyTotalRecord {
  currency: string;
  received: number;
  refunded: number;
  payments: number;
}

export const totalsByCurrency = (tx: Tx, tutorId: string, range: DateRange, filter: LessonFilter) =>
  queryFromSql(
    tx,
    sql<CurrencyTotalRecord>`
      select currency, coalesce(sum(amount) filter (where amount > 0), 0)::int8 as received,
        coalesce(-sum(amount) filter (where amount < 0), 0)::int8 as refunded,
        count(*) filter (where amount > 0) as payments
      from (${moneyReceivedFor(tutorId, range, filter)}) as m group by currency order by currency`,
  );

/** The amounts written off in the range, less the write-offs that were reversed in it. */
export const writtenOffByCurrency = (
  tx: Tx,
  tutorId: string,
  range: DateRange,
  filter: LessonFilter,
) =>
  queryFromSql(
    tx,
    sql<{ currency: string; amount: number }>`
      select part.currency, -sum(part.amount)::int8 as amount
      from (
        select e.currency, e.amount, e.reverses_id as charge_id from charges e
        where e.tutor_id = ${tutorId}::uuid and e.kind = 'write_off' and ${isWithin(sql.ref('e.due_date'), range)}) as part
        ${joinChargeOfPart(tutorId, filter)}
      group by part.currency having sum(part.amount) <> 0 order by part.currency`,
  );

export const netByMonth = (tx: Tx, tutorId: string, range: DateRange, filter: LessonFilter) =>
  queryFromSql(
    tx,
    sql<{ month: string; currency: string; net: number }>`
      select to_char(paid_on, 'YYYY-MM') as month, currency, sum(amount)::int8 as net
      from (${moneyReceivedFor(tutorId, range, filter)}) as m group by 1, 2 order by 1, 2`,
  );

export interface StudentSubjectNetRecord {
  studentId: number | null;
  studentName: string | null;
  subjectId: number | null;
  subjectName: string | null;
  currency: string;
  net: number;
}

/** Net amounts by student and subject. Any difference from the total is unallocated. */
export const netByStudentAndSubject = (
  tx: Tx,
  tutorId: string,
  range: DateRange,
  filter: LessonFilter,
) =>
  queryFromSql(
    tx,
    sql<StudentSubjectNetRecord>`
      with sums as (
        select part.currency, c.student_id, s.subject_id, sum(part.amount)::int8 as net
        from (${moneyReceivedByCharge(tutorId, range)}) as part ${joinChargeOfPart(tutorId, filter)}
        group by part.currency, c.student_id, s.subject_id
      )
      select x.currency, x.student_id as "studentId", st.name as "studentName", x.subject_id as "subjectId",
        b.name as "subjectName", x.net
      from sums x
      left join students st on st.tutor_id = ${tutorId}::uuid and st.id = x.student_id
      left join subjects b on b.tutor_id = ${tutorId}::uuid and b.id = x.subject_id`,
  );
