import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

export interface InvoiceRecord {
  id: number;
  kind: 'invoice' | 'credit_note';
  number: string | null;
  token: string | null;
  familyId: number;
  familyName: string;
  familyAddress: string | null;
  reference: string;
  currency: string;
  periodFrom: string | null;
  periodTo: string | null;
  issuedOn: string | null;
  dueOn: string | null;
  note: string | null;
  partiesSnapshot: unknown;
  correctedInvoiceId: number | null;
  correctedInvoiceNumber: string | null;
  voidedOn: string | null;
  voidReason: string | null;
  total: number;
  credited: number;
  due: number;
  lineCount: number;
  students: string[];
}

/** Invoices with their current amounts: the total comes from the lines, the credited and due amounts from the charges. */
const invoices = (tutorId: string, condition: ReturnType<typeof sql>) => sql<InvoiceRecord>`
  select i.id, i.kind, i.number, i.token, i.family_id as "familyId", coalesce(ca.name, ps.name) as "familyName",
    f.address as "familyAddress", f.payment_reference as reference, i.currency, i.period_from as "periodFrom", i.period_to as "periodTo",
    i.issued_on as "issuedOn", i.due_on as "dueOn", i.note, i.parties_snapshot as "partiesSnapshot",
    i.corrected_invoice_id as "correctedInvoiceId", corrected.number as "correctedInvoiceNumber", i.voided_on as "voidedOn", i.void_reason as "voidReason",
    lines.total, lines."lineCount", lines.students, amounts.credited, amounts.due
  from invoices i
  join families f on f.tutor_id = i.tutor_id and f.id = i.family_id
  left join carers ca on ca.tutor_id = f.tutor_id and ca.id = f.carer_id
  left join students ps on ps.tutor_id = f.tutor_id and ps.id = f.student_id
  left join invoices corrected on corrected.tutor_id = i.tutor_id and corrected.id = i.corrected_invoice_id
  cross join lateral (
    select coalesce(sum(l.amount), 0)::int8 as total, count(*) as "lineCount",
      coalesce(array_agg(distinct l.student_name) filter (where l.student_name is not null), '{}') as students
    from invoice_lines l where l.tutor_id = i.tutor_id and l.invoice_id = i.id) as lines
  cross join lateral (
    select coalesce(sum(c.credited), 0)::int8 as credited, coalesce(sum(c.outstanding), 0)::int8 as due
    from charges c
    where i.kind = 'invoice' and i.voided_at is null and c.tutor_id = i.tutor_id and c.invoice_id = i.id
      and c.kind not in ('reversal', 'credit_note')) as amounts
  where i.tutor_id = ${tutorId}::uuid and ${condition}`;

export const invoiceById = (tx: Tx, tutorId: string, id: number) =>
  rawQuery(tx, invoices(tutorId, sql`i.id = ${id}::int`));

export const invoicesByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  rawQuery(
    tx,
    sql<InvoiceRecord>`${invoices(tutorId, sql`i.id = any(${ids}::int[])`)} order by i.id`,
  );

const STATE_CONDITIONS = {
  draft: sql`m."issuedOn" is null`,
  sent: sql`m."issuedOn" is not null and m."voidedOn" is null and m.due > 0`,
  open: sql`m."issuedOn" is not null and m."voidedOn" is null and m.due > 0`,
  part_paid: sql`m."issuedOn" is not null and m."voidedOn" is null and m.due > 0 and m.due < m.total - m.credited`,
  paid: sql`m.kind = 'invoice' and m."issuedOn" is not null and m."voidedOn" is null and m.due = 0`,
  void: sql`m."voidedOn" is not null`,
};

export function listInvoices(
  tx: Tx,
  tutorId: string,
  query: {
    state?: keyof typeof STATE_CONDITIONS | 'overdue' | undefined;
    familyId?: number | undefined;
    limit: number;
    offset: number;
  },
  today: string,
) {
  const state =
    query.state === undefined
      ? sql`true`
      : query.state === 'overdue'
        ? sql`${STATE_CONDITIONS.open} and m."dueOn" < ${today}::date`
        : STATE_CONDITIONS[query.state];
  const family =
    query.familyId === undefined ? sql`true` : sql`i.family_id = ${query.familyId}::int`;
  return rawQuery(
    tx,
    sql<InvoiceRecord>`
      select m.* from (${invoices(tutorId, family)}) as m where ${state}
      order by m."issuedOn" is not null, m."issuedOn" desc, m.id desc
      limit ${query.limit}::int offset ${query.offset}::int`,
  );
}

export const creditNotesByInvoice = (tx: Tx, tutorId: string, id: number) =>
  rawQuery(
    tx,
    sql<{ id: number; number: string; total: number }>`
      select i.id, i.number, coalesce(sum(l.amount), 0)::int8 as total
      from invoices i
      join invoice_lines l on l.tutor_id = i.tutor_id and l.invoice_id = i.id
      where i.tutor_id = ${tutorId}::uuid and i.corrected_invoice_id = ${id}::int
      group by i.id, i.number order by i.id`,
  );

export async function insertDraft(
  tx: Tx,
  tutorId: string,
  draft: {
    id: number;
    kind: 'invoice' | 'credit_note';
    familyId: number;
    currency: string;
    periodFrom: string | null;
    periodTo: string | null;
    note: string | null;
    correctedInvoiceId: number | null;
    createdBy: string;
    now: Date;
  },
): Promise<void> {
  await tx
    .insertInto('invoices')
    .values({
      tutor_id: tutorId,
      id: draft.id,
      public_id: randomToken(),
      kind: draft.kind,
      family_id: draft.familyId,
      currency: draft.currency,
      period_from: draft.periodFrom,
      period_to: draft.periodTo,
      note: draft.note,
      corrected_invoice_id: draft.correctedInvoiceId,
      created_by: draft.createdBy,
      created_at: draft.now,
    })
    .execute();
}

export type InvoiceUpdate = Partial<{
  due_on: string | null;
  note: string | null;
  sequence: number;
  number: string;
  token: string;
  issued_on: string;
  issued_at: Date;
  parties_snapshot: string;
  voided_at: Date;
  voided_on: string;
  void_reason: string | null;
}>;

export async function updateInvoice(
  tx: Tx,
  tutorId: string,
  id: number,
  change: InvoiceUpdate,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx
    .updateTable('invoices')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

export async function deleteInvoice(tx: Tx, tutorId: string, id: number): Promise<void> {
  await tx.deleteFrom('invoices').where('tutor_id', '=', tutorId).where('id', '=', id).execute();
}
