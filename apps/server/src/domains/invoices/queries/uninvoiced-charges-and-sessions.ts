import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface LineCandidate {
  familyId: number;
  currency: string;
  /** Null for an upcoming session, which has no charge yet. */
  chargeId: number | null;
  sessionId: number | null;
  studentId: number | null;
  studentName: string | null;
  subjectName: string | null;
  kind: string;
  description: string | null;
  date: string;
  amount: number;
  outstanding: number | null;
  onDraft: boolean;
}

/** The account of a student who can pay for themselves. They are not named on their own invoices. */
const ownFamilyId = (tutorId: RawBuilder<unknown>, studentId: RawBuilder<unknown>) => sql`(
  select f.id from contacts own join families f on f.tutor_id = own.tutor_id and f.contact_id = own.id
  where own.tutor_id = ${tutorId} and own.student_id = ${studentId})`;

/** Charges that are not on an issued invoice. Opening balances are omitted, because they were billed elsewhere. */
export const uninvoicedCharges = (
  tx: Tx,
  tutorId: string,
  filter: {
    familyId?: number;
    from?: string;
    to?: string;
    chargeIds?: readonly number[];
    sessionIds?: readonly number[];
  } = {},
) =>
  queryFromSql(
    tx,
    sql<LineCandidate>`
      select c.family_id as "familyId", c.currency, c.id as "chargeId", c.session_id as "sessionId",
        c.student_id as "studentId", b.name as "subjectName", c.kind, c.description,
        case when ${ownFamilyId(sql`c.tutor_id`, sql`c.student_id`)} is distinct from c.family_id then st.name end as "studentName",
        c.due_date as date, c.amount, c.outstanding,
        exists (select 1 from invoice_lines l join invoices i on i.tutor_id = l.tutor_id and i.id = l.invoice_id
          where l.tutor_id = c.tutor_id and l.charge_id = c.id and i.issued_at is null) as "onDraft"
      from charges c
      left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
      left join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      left join students st on st.tutor_id = c.tutor_id and st.id = c.student_id
      where c.tutor_id = ${tutorId}::uuid and c.invoice_id is null and not c.reversed
        and c.kind in ('lesson', 'cancellation', 'travel', 'item')
        ${filter.familyId === undefined ? sql`` : sql`and c.family_id = ${filter.familyId}::int`}
        ${filter.from === undefined ? sql`` : sql`and c.due_date >= ${filter.from}::date`}
        ${filter.to === undefined ? sql`` : sql`and c.due_date <= ${filter.to}::date`}
        ${filter.chargeIds === undefined ? sql`` : sql`and c.id = any(${filter.chargeIds}::int[])`}
        ${filter.sessionIds === undefined ? sql`` : sql`and c.session_id = any(${filter.sessionIds}::int[])`}
      order by c.family_id, c.currency, st.name, c.due_date, c.id`,
  );

export interface UpcomingSeat
  extends Pick<LineCandidate, 'currency' | 'studentId' | 'studentName' | 'subjectName' | 'date'> {
  sessionId: number;
  /** The account of the student, if they can pay for themselves. */
  ownFamilyId: number | null;
  fee: number;
  /** The payers' charges for the seat so far. */
  charges: { familyId: number; amount: number; payersDate: string }[];
  /** The student's payers for all dates. */
  payers: { familyId: number; percent: number; position: number; from: string }[];
  /** The families with a draft that includes the seat. */
  draftFamilyIds: number[];
}

/** Upcoming billable seats that are not charged in full. */
export const upcomingSessions = (
  tx: Tx,
  tutorId: string,
  filter: { familyId?: number; from?: string; to?: string; sessionIds?: readonly number[] },
) =>
  queryFromSql(
    tx,
    sql<UpcomingSeat>`
      select x.currency, s.id as "sessionId", x.student_id as "studentId", st.name as "studentName",
        ${ownFamilyId(sql`x.tutor_id`, sql`x.student_id`)} as "ownFamilyId", b.name as "subjectName", s.date, x.fee, charged.charges, student_payer_rows.payers,
        array(select i.family_id from invoice_lines l join invoices i on i.tutor_id = l.tutor_id and i.id = l.invoice_id
          where l.tutor_id = s.tutor_id and l.session_id = s.id and l.student_id = x.student_id
            and i.issued_at is null) as "draftFamilyIds"
      from sessions s
      join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected'
      join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('familyId', c.family_id, 'amount', c.amount,
          'payersDate', coalesce(c.payers_date, c.due_date)) order by c.id), '[]') as charges, coalesce(sum(c.amount), 0) as amount
        from charges c where c.tutor_id = s.tutor_id and c.session_id = s.id and c.student_id = x.student_id
          and c.kind in ('lesson', 'cancellation') and not c.reversed) as charged
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('familyId', p.family_id, 'percent', p.percent, 'position', p.position,
          'from', p.from_date) order by p.from_date, p.position), '[]') as payers
        from student_payers p where p.tutor_id = x.tutor_id and p.student_id = x.student_id) as student_payer_rows
      where s.tutor_id = ${tutorId}::uuid and s.status = 'scheduled' and x.fee is not null and charged.amount < x.fee
        ${
          filter.familyId === undefined
            ? sql``
            : sql`and x.student_id in (select p.student_id from student_payers p
                where p.tutor_id = ${tutorId}::uuid and p.family_id = ${filter.familyId}::int)`
        }
        ${filter.from === undefined ? sql`` : sql`and s.date >= ${filter.from}::date`}
        ${filter.to === undefined ? sql`` : sql`and s.date <= ${filter.to}::date`}
        ${filter.sessionIds === undefined ? sql`` : sql`and s.id = any(${filter.sessionIds}::int[])`}
      order by x.currency, st.name, s.date, s.start_time, s.id`,
  );

/** The charges on an invoice. A charge is prepaid while its session is scheduled, unless the seat is cancelled. */
export const chargesOnInvoice = (tx: Tx, tutorId: string, invoiceId: number) =>
  queryFromSql(
    tx,
    sql<{ id: number; kind: string; isPrepaid: boolean }>`
      select c.id, c.kind, exists (
        select 1 from sessions s join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
        where s.tutor_id = c.tutor_id and s.id = c.session_id and s.status = 'scheduled'
          and x.student_id = c.student_id and x.state = 'expected') as "isPrepaid"
      from charges c
      where c.tutor_id = ${tutorId}::uuid and c.invoice_id = ${invoiceId}::int and not c.reversed
        and c.kind in ('lesson', 'cancellation', 'travel', 'item')
      order by c.id`,
  );
