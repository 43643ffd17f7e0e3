import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

export interface LineRecord {
  position: number;
  chargeId: number | null;
  sessionId: number | null;
  studentId: number | null;
  studentName: string | null;
  description: string;
  date: string;
  amount: number;
  outstanding: number | null;
  credited: number;
}

export const linesByInvoice = (tx: Tx, tutorId: string, invoiceId: number) =>
  rawQuery(
    tx,
    sql<LineRecord>`
      select l.position, l.charge_id as "chargeId", l.session_id as "sessionId", l.student_id as "studentId",
        l.student_name as "studentName", l.description, l.date, l.amount, c.outstanding, coalesce(c.credited, 0) as credited
      from invoice_lines l
      left join charges c on c.tutor_id = l.tutor_id and c.id = l.charge_id
      where l.tutor_id = ${tutorId}::uuid and l.invoice_id = ${invoiceId}::int
      order by l.position`,
  );

export type NewLine = Pick<
  LineRecord,
  'chargeId' | 'sessionId' | 'studentId' | 'studentName' | 'description' | 'date' | 'amount'
>;

/** Only for drafts: the database rejects this for issued documents. */
export async function replaceLines(
  tx: Tx,
  tutorId: string,
  invoiceId: number,
  lines: readonly NewLine[],
): Promise<void> {
  await tx
    .deleteFrom('invoice_lines')
    .where('tutor_id', '=', tutorId)
    .where('invoice_id', '=', invoiceId)
    .execute();
  if (lines.length === 0) return;
  const column = <K extends keyof NewLine>(key: K) => lines.map((line) => line[key]);
  await sql`
    insert into invoice_lines (tutor_id, invoice_id, position, charge_id, session_id, student_id, student_name, description,
      date, amount)
    select ${tutorId}::uuid, ${invoiceId}::int, l.position, l.charge_id, l.session_id, l.student_id, l.student_name,
      l.description, l.date, l.amount
    from unnest(${lines.map((_, index) => index + 1)}::int[], ${column('chargeId')}::int[], ${column('sessionId')}::int[],
      ${column('studentId')}::int[], ${column('studentName')}::text[], ${column('description')}::text[],
      ${column('date')}::date[], ${column('amount')}::int[])
      as l(position, charge_id, session_id, student_id, student_name, description, date, amount)`.execute(
    tx,
  );
}

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

/** Charges that are not on an issued invoice. Opening balances are left out, because they were billed elsewhere. */
export const uninvoicedCharges = (
  tx: Tx,
  tutorId: string,
  filter: { familyId?: number; from?: string; to?: string; chargeIds?: readonly number[] } = {},
) =>
  rawQuery(
    tx,
    sql<LineCandidate>`
      select c.family_id as "familyId", c.currency, c.id as "chargeId", c.session_id as "sessionId",
        c.student_id as "studentId", st.name as "studentName", b.name as "subjectName", c.kind, c.description,
        c.due_date as date, c.amount, c.outstanding,
        exists (select 1 from invoice_lines l join invoices i on i.tutor_id = l.tutor_id and i.id = l.invoice_id
          where l.tutor_id = c.tutor_id and l.charge_id = c.id and i.issued_at is null) as "onDraft"
      from charges c
      left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
      left join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      left join students st on st.tutor_id = c.tutor_id and st.id = c.student_id
      where c.tutor_id = ${tutorId}::uuid and c.invoice_id is null and not c.reversed
        and c.kind in ('lesson', 'cancellation', 'item')
        ${filter.familyId === undefined ? sql`` : sql`and c.family_id = ${filter.familyId}::int`}
        ${filter.from === undefined ? sql`` : sql`and c.due_date >= ${filter.from}::date`}
        ${filter.to === undefined ? sql`` : sql`and c.due_date <= ${filter.to}::date`}
        ${filter.chargeIds === undefined ? sql`` : sql`and c.id = any(${filter.chargeIds}::int[])`}
      order by c.family_id, c.currency, st.name, c.due_date, c.id`,
  );

/** Upcoming billable sessions without a charge, with the student's current payer. */
export const upcomingSessions = (
  tx: Tx,
  tutorId: string,
  filter: { familyId?: number; from?: string; to?: string; sessionIds?: readonly number[] },
) =>
  rawQuery(
    tx,
    sql<LineCandidate>`
      select f.id as "familyId", s.currency, null::int as "chargeId", s.id as "sessionId", s.student_id as "studentId",
        st.name as "studentName", b.name as "subjectName", 'lesson' as kind, null as description, s.date, s.fee as amount,
        null::int as outstanding,
        exists (select 1 from invoice_lines l join invoices i on i.tutor_id = l.tutor_id and i.id = l.invoice_id
          where l.tutor_id = s.tutor_id and l.session_id = s.id and i.issued_at is null) as "onDraft"
      from sessions s
      join students st on st.tutor_id = s.tutor_id and st.id = s.student_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      join families f on f.tutor_id = st.tutor_id
        and (f.carer_id = st.carer_id or (st.carer_id is null and f.student_id = st.id))
      where s.tutor_id = ${tutorId}::uuid and s.status = 'scheduled' and s.fee is not null
        and not exists (select 1 from charges c where c.tutor_id = s.tutor_id and c.session_id = s.id
          and c.kind in ('lesson', 'cancellation') and not c.reversed)
        ${filter.familyId === undefined ? sql`` : sql`and f.id = ${filter.familyId}::int`}
        ${filter.from === undefined ? sql`` : sql`and s.date >= ${filter.from}::date`}
        ${filter.to === undefined ? sql`` : sql`and s.date <= ${filter.to}::date`}
        ${filter.sessionIds === undefined ? sql`` : sql`and s.id = any(${filter.sessionIds}::int[])`}
      order by f.id, s.currency, st.name, s.date, s.start_time, s.id`,
  );

/** The charges on an invoice, with the status of their sessions. */
export const chargesOnInvoice = (tx: Tx, tutorId: string, invoiceId: number) =>
  rawQuery(
    tx,
    sql<{ id: number; kind: string; sessionStatus: string | null }>`
      select c.id, c.kind, s.status as "sessionStatus"
      from charges c left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
      where c.tutor_id = ${tutorId}::uuid and c.invoice_id = ${invoiceId}::int and not c.reversed
        and c.kind in ('lesson', 'cancellation', 'item')
      order by c.id`,
  );
