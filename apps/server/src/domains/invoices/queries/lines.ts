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
  linesByInvoices(tx, tutorId, [invoiceId]);

export const linesByInvoices = (tx: Tx, tutorId: string, invoiceIds: readonly number[]) =>
  rawQuery(
    tx,
    sql<LineRecord & { invoiceId: number }>`
      select l.invoice_id as "invoiceId", l.position, l.charge_id as "chargeId", l.session_id as "sessionId", l.student_id as "studentId",
        l.student_name as "studentName", l.description, l.date, l.amount, c.outstanding, coalesce(c.credited, 0) as credited
      from invoice_lines l
      left join charges c on c.tutor_id = l.tutor_id and c.id = l.charge_id
      where l.tutor_id = ${tutorId}::uuid and l.invoice_id = any(${invoiceIds}::int[])
      order by l.invoice_id, l.position`,
  );

export type NewLine = Pick<
  LineRecord,
  'chargeId' | 'sessionId' | 'studentId' | 'studentName' | 'description' | 'date' | 'amount'
>;

/** Only for drafts: the database rejects this for issued documents. */
export async function replaceLines(
  tx: Tx,
  tutorId: string,
  drafts: readonly { invoiceId: number; lines: readonly NewLine[] }[],
): Promise<void> {
  await tx
    .deleteFrom('invoice_lines')
    .where('tutor_id', '=', tutorId)
    .where('invoice_id', '=', sql<number>`any(${drafts.map((draft) => draft.invoiceId)}::int[])`)
    .execute();
  const rows = drafts.flatMap(({ invoiceId, lines }) =>
    lines.map((line, index) => ({ ...line, invoiceId, position: index + 1 })),
  );
  if (rows.length === 0) return;
  const column = <K extends keyof (typeof rows)[number]>(key: K) => rows.map((row) => row[key]);
  await sql`
    insert into invoice_lines (tutor_id, invoice_id, position, charge_id, session_id, student_id, student_name, description,
      date, amount)
    select ${tutorId}::uuid, l.*
    from unnest(${column('invoiceId')}::int[], ${column('position')}::int[], ${column('chargeId')}::int[],
      ${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('studentName')}::text[],
      ${column('description')}::text[], ${column('date')}::date[], ${column('amount')}::int[]) as l`.execute(
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
        ${filter.sessionIds === undefined ? sql`` : sql`and c.session_id = any(${filter.sessionIds}::int[])`}
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
      select coalesce(cf.id, sf.id) as "familyId", s.currency, null::int as "chargeId", s.id as "sessionId", s.student_id as "studentId",
        st.name as "studentName", b.name as "subjectName", 'lesson' as kind, null as description, s.date, s.fee as amount,
        null::int as outstanding,
        exists (select 1 from invoice_lines l join invoices i on i.tutor_id = l.tutor_id and i.id = l.invoice_id
          where l.tutor_id = s.tutor_id and l.session_id = s.id and i.issued_at is null) as "onDraft"
      from sessions s
      join students st on st.tutor_id = s.tutor_id and st.id = s.student_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      left join families cf on cf.tutor_id = st.tutor_id and cf.carer_id = st.carer_id
      left join families sf on sf.tutor_id = st.tutor_id and sf.student_id = st.id and st.carer_id is null
      where s.tutor_id = ${tutorId}::uuid and s.status = 'scheduled' and s.fee is not null
        and not exists (select 1 from charges c where c.tutor_id = s.tutor_id and c.session_id = s.id
          and c.kind in ('lesson', 'cancellation') and not c.reversed)
        and coalesce(cf.id, sf.id) is not null
        ${filter.familyId === undefined ? sql`` : sql`and s.student_id in (${currentStudentIds(tutorId, filter.familyId)})`}
        ${filter.from === undefined ? sql`` : sql`and s.date >= ${filter.from}::date`}
        ${filter.to === undefined ? sql`` : sql`and s.date <= ${filter.to}::date`}
        ${filter.sessionIds === undefined ? sql`` : sql`and s.id = any(${filter.sessionIds}::int[])`}
      order by 1, s.currency, st.name, s.date, s.start_time, s.id`,
  );

/** The students whose lessons a family currently pays for. */
const currentStudentIds = (tutorId: string, familyId: number) => sql`
  select st.id from families f join students st on st.tutor_id = f.tutor_id and st.carer_id = f.carer_id
  where f.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int
  union all
  select st.id from families f
  join students st on st.tutor_id = f.tutor_id and st.id = f.student_id and st.carer_id is null
  where f.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int`;

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
