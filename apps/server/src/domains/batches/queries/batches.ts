import type { BatchItemState, BatchKind } from '@lessonbook/contract/invoice-and-reminder-batches';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface NewItem {
  familyId: number;
  invoiceId: number | null;
}

export async function insertBatch(
  tx: Tx,
  tutorId: string,
  batch: { id: number; kind: BatchKind; items: readonly NewItem[]; now: Date },
): Promise<void> {
  const { id, kind, items, now } = batch;
  await tx.insertInto('batches').values({ tutor_id: tutorId, id, kind, created_at: now }).execute();
  await sql`
    insert into batch_items (tutor_id, batch_id, position, family_id, invoice_id, state)
    select ${tutorId}::uuid, ${id}::int, item.position, item.family_id, item.invoice_id, 'waiting'
    from unnest(${items.map(({ familyId }) => familyId)}::int[], ${items.map(({ invoiceId }) => invoiceId)}::int[])
      with ordinality as item(family_id, invoice_id, position)`.execute(tx);
}

export const batchById = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('batches')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select([
      'id',
      sql<BatchKind>`kind`.as('kind'),
      'created_at as createdAt',
      'stopped_at as stoppedAt',
      'finished_at as finishedAt',
    ]);

export interface ItemRecord {
  position: number;
  familyId: number;
  familyName: string;
  students: string[];
  invoiceId: number | null;
  number: string | null;
  currency: string | null;
  total: number | null;
  issuedAt: Date | null;
  address: string | null;
  messageId: number | null;
  state: BatchItemState;
  sentAt: Date | null;
  problem: string | null;
}

/** The state of an item. Once the item has a message, it follows from the state of the message. */
const itemState = sql<BatchItemState>`case
  when b.state = 'waiting' then 'waiting'
  when b.state = 'skipped' then 'skipped'
  when b.state in ('failed', 'stopped') then 'not_done'
  when m.id is null then 'issued'
  when m.state = 'waiting' then 'sending'
  when m.state in ('sent', 'delivered', 'read') then 'sent'
  when m.state in ('draft', 'opened') then 'to_send'
  else 'not_done' end`;

export const itemsByBatch = (tx: Tx, tutorId: string, batchId: number) =>
  queryFromSql(
    tx,
    sql<ItemRecord>`
      select b.position, b.family_id as "familyId", co.name as "familyName", b.invoice_id as "invoiceId", i.number, i.currency,
        lines.total, coalesce(lines.students, '{}') as students, i.issued_at as "issuedAt", b.message_id as "messageId",
        coalesce(m.address, nullif(co.email, '')) as address, ${itemState} as state,
        m.sent_at as "sentAt", coalesce(b.failure_reason, m.failure_reason) as problem
      from batch_items b
      join families f on f.tutor_id = b.tutor_id and f.id = b.family_id
      join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
      left join invoices i on i.tutor_id = b.tutor_id and i.id = b.invoice_id
      left join messages m on m.tutor_id = b.tutor_id and m.id = b.message_id
      left join lateral (
        select sum(l.amount)::int8 as total,
          array_agg(distinct l.student_name) filter (where l.student_name is not null) as students
        from invoice_lines l where l.tutor_id = i.tutor_id and l.invoice_id = i.id) as lines on true
      where b.tutor_id = ${tutorId}::uuid and b.batch_id = ${batchId}::int
      order by b.position`,
  );

export interface SummaryRecord {
  id: number;
  kind: BatchKind;
  createdAt: Date;
  stoppedAt: Date | null;
  total: number;
  open: number;
  notDone: number;
}

/** The batches that are running or have something left to do, newest first. */
export const openBatches = (tx: Tx, tutorId: string, since: Date) =>
  queryFromSql(
    tx,
    sql<SummaryRecord>`
      select * from (
        select b.batch_id as id, batch.kind, batch.created_at as "createdAt", batch.stopped_at as "stoppedAt",
          count(*)::int as total,
          (count(*) filter (where ${itemState} in ('waiting', 'sending')))::int as open,
          (count(*) filter (where ${itemState} = 'not_done'))::int as "notDone"
        from batches batch
        join batch_items b on b.tutor_id = batch.tutor_id and b.batch_id = batch.id
        left join messages m on m.tutor_id = b.tutor_id and m.id = b.message_id
        where batch.tutor_id = ${tutorId}::uuid and batch.created_at > ${since}::timestamptz
        group by b.batch_id, batch.kind, batch.created_at, batch.stopped_at) as summary
      where open > 0 or "notDone" > 0
      order by id desc limit 20`,
  );

export interface WaitingItem extends NewItem {
  position: number;
}

/**
 * Read again under the tutor's lock before each item, so that a stopped batch does not continue and a repeated job does not
 * process an item twice.
 */
export const waitingItems = (tx: Tx, tutorId: string, batchId: number) =>
  tx
    .selectFrom('batch_items')
    .where('tutor_id', '=', tutorId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'waiting')
    .select(['position', 'family_id as familyId', 'invoice_id as invoiceId'])
    .orderBy('position');

export interface ItemOutcome {
  position: number;
  state: 'done' | 'failed' | 'skipped';
  reason: string | null;
  messageId: number | null;
}

/** Items that are no longer waiting keep their state. */
export async function saveOutcomes(
  tx: Tx,
  tutorId: string,
  batchId: number,
  outcomes: readonly ItemOutcome[],
  now: Date,
): Promise<void> {
  const column = <K extends keyof ItemOutcome>(key: K) => outcomes.map((outcome) => outcome[key]);
  await sql`
    update batch_items b set state = o.state, failure_reason = o.reason, message_id = o.message_id,
      processed_at = ${now}::timestamptz
    from unnest(${column('position')}::int[], ${column('state')}::text[], ${column('reason')}::text[],
      ${column('messageId')}::int[]) as o(position, state, reason, message_id)
    where b.tutor_id = ${tutorId}::uuid and b.batch_id = ${batchId}::int and b.position = o.position
      and b.state = 'waiting'`.execute(tx);
}

/** Gives all waiting items the same state and returns how many there were. */
export async function closeWaitingItems(
  tx: Tx,
  tutorId: string,
  batchId: number,
  change: { state: 'failed' | 'stopped'; reason: string; now: Date },
): Promise<number> {
  const rows = await tx
    .updateTable('batch_items')
    .set({ state: change.state, failure_reason: change.reason, processed_at: change.now })
    .where('tutor_id', '=', tutorId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'waiting')
    .returning('position')
    .execute();
  return rows.length;
}

/** Sets the items that were not done to waiting again, and returns how many there are. */
export async function reopenItems(tx: Tx, tutorId: string, batchId: number): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    update batch_items b set state = 'waiting', failure_reason = null, message_id = null, processed_at = null
    where b.tutor_id = ${tutorId}::uuid and b.batch_id = ${batchId}::int
      and (b.state in ('failed', 'stopped') or exists (
        select from messages m where m.tutor_id = b.tutor_id and m.id = b.message_id
          and m.state in ('failed', 'skipped', 'dismissed')))
    returning b.position`.execute(tx);
  return rows.length;
}

export async function updateBatch(
  tx: Tx,
  tutorId: string,
  id: number,
  change: { stopped_at?: Date | null; finished_at?: Date | null },
): Promise<void> {
  await tx
    .updateTable('batches')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Counts the failures that the tutor could not have foreseen: those for families that have an email address. */
export async function countUnexpectedFailures(
  tx: Tx,
  tutorId: string,
  batchId: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from batch_items b
    join families f on f.tutor_id = b.tutor_id and f.id = b.family_id
    join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
    where b.tutor_id = ${tutorId}::uuid and b.batch_id = ${batchId}::int and b.state = 'failed'
      and co.email is not null`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function unfinishedBatchIds(tx: Tx, tutorId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('batches')
    .where('tutor_id', '=', tutorId)
    .where('finished_at', 'is', null)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteOldBatches(tx: Tx, tutorId: string, before: Date): Promise<void> {
  await tx
    .deleteFrom('batches')
    .where('tutor_id', '=', tutorId)
    .where('created_at', '<', before)
    .execute();
}

/** Clears the reasons that name a person. */
export async function eraseReasons(tx: Tx, tutorId: string, pattern: string): Promise<void> {
  await sql`update batch_items set failure_reason = null
    where tutor_id = ${tutorId}::uuid and failure_reason ~* ${pattern}`.execute(tx);
}
