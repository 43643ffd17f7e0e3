import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';

/** Whether a question about the charge is waiting for an answer. `charge` is the alias of the table charges. */
export const hasOpenQuestion = (
  charge: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from charge_queries q
  where q.tutor_id = ${charge}.tutor_id and q.charge_id = ${charge}.id and q.status = 'open')`;

export interface ChargeQueryRow {
  id: number;
  status: 'open' | 'answered' | 'withdrawn';
  familyId: number;
  chargeId: number;
  contactId: number;
  contactName: string;
  studentId: number | null;
  studentName: string | null;
  kind: string;
  subjectName: string | null;
  description: string | null;
  date: string;
  currency: string;
  outstanding: number;
  writtenOff: number;
  invoiceNumber: string | null;
  message: string;
  answer: string | null;
  isOwed: boolean | null;
  askedAt: Date;
}

const selectQueries = (condition: RawBuilder<unknown>) => sql<ChargeQueryRow>`
  select q.id, q.status, c.family_id as "familyId", q.charge_id as "chargeId", q.contact_id as "contactId",
    co.name as "contactName", c.student_id as "studentId", st.name as "studentName", c.kind, b.name as "subjectName",
    c.description, c.due_date as date, c.currency, c.outstanding, c.written_off as "writtenOff", i.number as "invoiceNumber", q.message, q.answer,
    q.is_owed as "isOwed", q.asked_at as "askedAt"
  from charge_queries q
  join charges c on c.tutor_id = q.tutor_id and c.id = q.charge_id
  join contacts co on co.tutor_id = q.tutor_id and co.id = q.contact_id
  left join students st on st.tutor_id = c.tutor_id and st.id = c.student_id
  left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
  left join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
  where ${condition}`;

const MAX_QUERIES = sql.lit(200);

export const openQueriesOfFamily = (tx: Tx, tutorId: string, familyId: number) =>
  queryFromSql(
    tx,
    sql<ChargeQueryRow>`
      ${selectQueries(sql`q.tutor_id = ${tutorId}::uuid and q.status = 'open' and c.family_id = ${familyId}::int`)}
      order by q.asked_at, q.id limit ${MAX_QUERIES}`,
  );

/** Unanswered questions, and those answered since a given time; latest first. */
export const recentQueriesOfFamilies = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  answeredSince: Date,
) =>
  queryFromSql(
    tx,
    sql<ChargeQueryRow>`
      ${selectQueries(sql`q.tutor_id = ${tutorId}::uuid and c.family_id = any(${familyIds}::int[])
        and (q.status = 'open' or q.status = 'answered' and q.answered_at > ${answeredSince}::timestamptz)`)}
      order by q.asked_at desc, q.id desc limit ${MAX_QUERIES}`,
  );

export async function findChargeQuery(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<ChargeQueryRow | undefined> {
  const [row] = await queryFromSql(
    tx,
    selectQueries(sql`q.tutor_id = ${tutorId}::uuid and q.id = ${id}::int`),
  ).execute();
  return row;
}

/** Returns the id. */
export async function insertChargeQuery(
  tx: Tx,
  tutorId: string,
  query: { chargeId: number; contactId: number; message: string; at: Date },
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'charge_query')) as [number];
  await tx
    .insertInto('charge_queries')
    .values({
      tutor_id: tutorId,
      id,
      charge_id: query.chargeId,
      contact_id: query.contactId,
      status: 'open',
      message: query.message,
      asked_at: query.at,
    })
    .execute();
  return id;
}

export async function closeChargeQuery(
  tx: Tx,
  tutorId: string,
  id: number,
  change:
    | { status: 'withdrawn'; at: Date }
    | { status: 'answered'; at: Date; isOwed: boolean; answer: string | null },
): Promise<void> {
  await tx
    .updateTable('charge_queries')
    .set({
      status: change.status,
      answered_at: change.at,
      ...(change.status === 'answered' ? { is_owed: change.isOwed, answer: change.answer } : {}),
    })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** The questions of an erased contact, or about charges of an erased student. */
export async function deleteChargeQueriesOf(
  tx: Tx,
  tutorId: string,
  person: { kind: 'student' | 'carer'; id: number },
): Promise<void> {
  const condition =
    person.kind === 'student'
      ? sql`charge_id in (select c.id from charges c where c.tutor_id = ${tutorId}::uuid and c.student_id = ${person.id}::int)`
      : sql`contact_id = ${person.id}::int`;
  await sql`delete from charge_queries where tutor_id = ${tutorId}::uuid and ${condition}`.execute(
    tx,
  );
}
