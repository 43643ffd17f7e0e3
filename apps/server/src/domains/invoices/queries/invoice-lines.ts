import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

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
  queryFromSql(
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
