import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { linkKeyOf } from '../../../platform/payment-and-feed-link-tokens.ts';
import { type HoldReason, heldAmount, holdReason } from '../../payments/service/charges.ts';

export interface InvoiceRecord {
  id: number;
  kind: 'invoice' | 'credit_note';
  number: string | null;
  /** See `linkKeyOf`; null for a draft. */
  linkKey: string | null;
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
  /** Includes what was written off. */
  credited: number;
  writtenOff: number;
  due: number;
  /** The amount due if the draft were issued now; some of its charges may already be paid in part or in full. */
  draftDue: number;
  onHold: number;
  holdReason: HoldReason | null;
  lineCount: number;
  students: string[];
}

/** Invoices with their current amounts: the total comes from the lines, the credited and due amounts from the charges. */
export const selectInvoices = (
  tutorId: string,
  condition: ReturnType<typeof sql>,
) => sql<InvoiceRecord>`
  select i.id, i.kind, i.number, ${linkKeyOf(sql`'invoice'`, sql`i.tutor_id`, sql`i.id`)} as "linkKey", i.family_id as "familyId", co.name as "familyName",
    f.address as "familyAddress", f.payment_reference as reference, i.currency, i.period_from as "periodFrom", i.period_to as "periodTo",
    i.issued_on as "issuedOn", i.due_on as "dueOn", i.note, i.parties_snapshot as "partiesSnapshot",
    i.corrected_invoice_id as "correctedInvoiceId", corrected.number as "correctedInvoiceNumber", i.voided_on as "voidedOn", i.void_reason as "voidReason",
    lines.total, lines."draftDue", lines."lineCount", lines.students, amounts.credited, amounts."writtenOff", amounts.due, amounts."onHold",
    amounts."holdReason"
  from invoices i
  join families f on f.tutor_id = i.tutor_id and f.id = i.family_id
  join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
  left join invoices corrected on corrected.tutor_id = i.tutor_id and corrected.id = i.corrected_invoice_id
  cross join lateral (
    select coalesce(sum(l.amount), 0)::int8 as total, count(*) as "lineCount",
      coalesce(sum(coalesce(lc.outstanding, l.amount)), 0)::int8 as "draftDue",
      coalesce(array_agg(distinct l.student_name) filter (where l.student_name is not null), '{}') as students
    from invoice_lines l left join charges lc on lc.tutor_id = l.tutor_id and lc.id = l.charge_id
    where l.tutor_id = i.tutor_id and l.invoice_id = i.id) as lines
  cross join lateral (
    select coalesce(sum(c.credited + c.written_off), 0)::int8 as credited, coalesce(sum(c.written_off), 0)::int8 as "writtenOff",
      coalesce(sum(c.outstanding), 0)::int8 as due,
      coalesce(sum(${heldAmount('c')}), 0)::int8 as "onHold", min(${holdReason('c')}) as "holdReason"
    from charges c
    where i.kind = 'invoice' and i.voided_at is null and c.tutor_id = i.tutor_id and c.invoice_id = i.id
      and c.kind not in ('reversal', 'credit_note')) as amounts
  where i.tutor_id = ${tutorId}::uuid and ${condition}`;

export const invoiceById = (tx: Tx, tutorId: string, id: number) =>
  queryFromSql(tx, selectInvoices(tutorId, sql`i.id = ${id}::int`));

export const invoicesByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  queryFromSql(
    tx,
    sql<InvoiceRecord>`${selectInvoices(tutorId, sql`i.id = any(${ids}::int[])`)} order by i.id`,
  );

export const creditNotesByInvoice = (tx: Tx, tutorId: string, id: number) =>
  queryFromSql(
    tx,
    sql<{ id: number; number: string; total: number; reason: string | null }>`
      select i.id, i.number, i.note as reason, coalesce(sum(l.amount), 0)::int8 as total
      from invoices i
      join invoice_lines l on l.tutor_id = i.tutor_id and l.invoice_id = i.id
      where i.tutor_id = ${tutorId}::uuid and i.corrected_invoice_id = ${id}::int
      group by i.id, i.number, i.note order by i.id`,
  );

/** The payments allocated to the charges of an invoice, oldest first. */
export const paymentsForInvoice = (tx: Tx, tutorId: string, id: number) =>
  queryFromSql(
    tx,
    sql<{ date: string; method: string; amount: number }>`
      select p.paid_on as date, p.method, sum(a.amount)::int8 as amount
      from charges c
      join allocations a on a.tutor_id = c.tutor_id and a.charge_id = c.id
      join payments p on p.tutor_id = a.tutor_id and p.id = a.payment_id
      where c.tutor_id = ${tutorId}::uuid and c.invoice_id = ${id}::int
      group by p.id, p.paid_on, p.method having sum(a.amount) > 0
      order by p.paid_on, p.id`,
  );

export interface NewDraft {
  id: number;
  kind: 'invoice' | 'credit_note';
  familyId: number;
  currency: string;
  periodFrom: string | null;
  periodTo: string | null;
  /** Null means the default number of days after issue. */
  dueOn?: string | null;
  note: string | null;
  correctedInvoiceId: number | null;
  createdBy: string;
  now: Date;
}

export async function insertDrafts(
  tx: Tx,
  tutorId: string,
  drafts: readonly NewDraft[],
): Promise<void> {
  const column = <K extends keyof NewDraft>(key: K) => drafts.map((draft) => draft[key]);
  await sql`
    insert into invoices (tutor_id, id, public_id, kind, family_id, currency, period_from, period_to, due_on, note,
      corrected_invoice_id, created_by, created_at)
    select ${tutorId}::uuid, d.*
    from unnest(${column('id')}::int[], ${drafts.map(() => randomToken())}::text[], ${column('kind')}::text[],
      ${column('familyId')}::int[], ${column('currency')}::text[], ${column('periodFrom')}::date[],
      ${column('periodTo')}::date[], ${drafts.map(({ dueOn }) => dueOn ?? null)}::date[], ${column('note')}::text[], ${column('correctedInvoiceId')}::int[],
      ${column('createdBy')}::text[], ${column('now')}::timestamptz[]) as d`.execute(tx);
}

export interface IssuedDocument {
  id: number;
  sequence: number;
  number: string;
  dueOn: string | null;
  partiesSnapshot: string;
}

/** Once an invoice is issued, a trigger rejects every change except voiding and erasure. */
export async function markIssued(
  tx: Tx,
  tutorId: string,
  documents: readonly IssuedDocument[],
  issued: { on: string; at: Date },
): Promise<void> {
  const column = <K extends keyof IssuedDocument>(key: K) =>
    documents.map((document) => document[key]);
  await sql`
    update invoices i set sequence = d.sequence, number = d.number, due_on = d.due_on,
      parties_snapshot = d.parties::jsonb, issued_on = ${issued.on}::date, issued_at = ${issued.at}::timestamptz
    from unnest(${column('id')}::int[], ${column('sequence')}::int[], ${column('number')}::text[],
      ${column('dueOn')}::date[], ${column('partiesSnapshot')}::text[])
      as d(id, sequence, number, due_on, parties)
    where i.tutor_id = ${tutorId}::uuid and i.id = d.id`.execute(tx);
}

export type InvoiceUpdate = Partial<{
  due_on: string | null;
  note: string | null;
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

export async function deleteInvoices(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('invoices')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute();
}
