import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

interface InvoiceLinesRecord {
  id: number;
  lessonCount: number;
  firstDate: string | null;
  lastDate: string | null;
  upcoming: number;
}

/** What is on these invoices. A lesson without a charge has not taken place yet. */
export const summarizeLines = (tx: Tx, tutorId: string, invoiceIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<InvoiceLinesRecord>`
      select l.invoice_id as id, (count(*) filter (where l.student_id is not null))::int as "lessonCount",
        min(l.date) as "firstDate", max(l.date) as "lastDate",
        coalesce(sum(l.amount) filter (where l.charge_id is null and l.session_id is not null), 0)::int8 as upcoming
      from invoice_lines l
      where l.tutor_id = ${tutorId}::uuid and l.invoice_id = any(${invoiceIds}::int[])
      group by l.invoice_id`,
  );
