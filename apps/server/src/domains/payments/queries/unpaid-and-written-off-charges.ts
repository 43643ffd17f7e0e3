import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { dueDate } from './due-date.ts';
import { heldAmount } from './returned-payments-and-charges-on-hold.ts';

interface ArrearsRecord {
  id: number;
  kind: string;
  description: string | null;
  studentName: string | null;
  subjectName: string | null;
  date: string;
  currency: string;
  invoiceNumber: string | null;
}

const MAX_CHARGES = sql.lit(2000);

const chargeColumns = sql`c.id, c.kind, c.description, st.name as "studentName", b.name as "subjectName", c.due_date as date,
  c.currency, i.number as "invoiceNumber"`;

const chargesWithNames = sql`charges c
  left join students st on st.tutor_id = c.tutor_id and st.id = c.student_id
  left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
  left join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id`;

/** The outstanding charges of an account, oldest first. Amounts on hold are not overdue. */
export const unpaidCharges = (tx: Tx, tutorId: string, familyId: number, now: Date) =>
  queryFromSql(
    tx,
    sql<
      ArrearsRecord & {
        outstanding: number;
        dueOn: string | null;
        isOverdue: boolean;
        isOnHold: boolean;
      }
    >`
      select ${chargeColumns}, c.outstanding, ${dueDate('c', 'i')} as "dueOn", held.amount > 0 as "isOnHold",
        c.outstanding > held.amount and coalesce(${dueDate('c', 'i')} <
          (select (${now}::timestamptz at time zone t.time_zone)::date from tutors t where t.tutor_id = ${tutorId}::uuid),
          false) as "isOverdue"
      from ${chargesWithNames}
      cross join lateral (select ${heldAmount('c')} as amount) as held
      where c.tutor_id = ${tutorId}::uuid and c.family_id = ${familyId}::int and c.outstanding > 0
      order by c.due_date, c.id limit ${MAX_CHARGES}`,
  );

/** The dates of the last payment reminders to the payer, in the tutor's time zone. */
export const paymentReminderDates = (tx: Tx, tutorId: string, familyId: number) =>
  queryFromSql(
    tx,
    sql<{ date: string }>`
      select (m.sent_at at time zone t.time_zone)::date as date
      from messages m join tutors t on t.tutor_id = m.tutor_id
      where m.tutor_id = ${tutorId}::uuid and m.family_id = ${familyId}::int and m.kind = 'payment_reminder'
        and m.state in ('sent', 'delivered', 'read')
      order by m.id desc limit 50`,
  );

/** The charges of an account that are written off, with the latest entry. */
export const writtenOffCharges = (tx: Tx, tutorId: string, familyId: number) =>
  queryFromSql(
    tx,
    sql<ArrearsRecord & { writtenOff: number; writtenOffOn: string; reason: string | null }>`
      select ${chargeColumns}, c.written_off as "writtenOff", e.due_date as "writtenOffOn", e.description as reason
      from ${chargesWithNames}
      cross join lateral (
        select e.id, e.due_date, e.description from charges e
        where e.tutor_id = c.tutor_id and e.reverses_id = c.id and e.kind = 'write_off' and e.amount < 0
        order by e.id desc limit 1) as e
      where c.tutor_id = ${tutorId}::uuid and c.family_id = ${familyId}::int and c.written_off > 0
      order by e.id desc limit ${MAX_CHARGES}`,
  );
