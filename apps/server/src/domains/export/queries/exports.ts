import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { streamRows } from '../../../platform/db/stream-rows.ts';
import type { ExportTable } from '../rules/export-table-type.ts';

const exportRows = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('exports')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'state',
      'requested_at as requestedAt',
      'completed_at as completedAt',
      'expires_at as expiresAt',
      'tables_done as tablesDone',
      'bytes',
    ]);

export const latestExport = (tx: Tx, tutorId: string) =>
  exportRows(tx, tutorId).orderBy('id', 'desc').limit(1);

export const exportById = (tx: Tx, tutorId: string, id: number) =>
  exportRows(tx, tutorId).where('id', '=', id);

export async function insertExport(
  tx: Tx,
  tutorId: string,
  row: { id: number; requestedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('exports')
    .values({
      tutor_id: tutorId,
      id: row.id,
      state: 'waiting',
      requested_at: row.requestedAt,
      expires_at: row.expiresAt,
    })
    .execute();
}

/** The chunks are deleted by cascade. */
export async function deleteExports(tx: Tx, tutorId: string): Promise<void> {
  await tx.deleteFrom('exports').where('tutor_id', '=', tutorId).execute();
}

/** Deletes expired exports and returns when the next one expires. */
export async function deleteExpired(tx: Tx, tutorId: string, now: Date): Promise<Date | null> {
  await tx
    .deleteFrom('exports')
    .where('tutor_id', '=', tutorId)
    .where('expires_at', '<=', now)
    .execute();
  const row = await tx
    .selectFrom('exports')
    .where('tutor_id', '=', tutorId)
    .select((eb) => eb.fn.min('expires_at').as('next'))
    .executeTakeFirst();
  return row?.next ?? null;
}

/** Starts the export, or restarts it if a worker died. The new attempt number makes writes by older attempts fail. */
export async function startExportAttempt(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<number | null> {
  const started = await tx
    .updateTable('exports')
    .set({ state: 'making', attempt: sql<number>`attempt + 1`, tables_done: 0, bytes: 0 })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'making'])
    .returning('attempt')
    .executeTakeFirst();
  if (!started) return null;
  await tx
    .deleteFrom('export_chunks')
    .where('tutor_id', '=', tutorId)
    .where('export_id', '=', id)
    .execute();
  return started.attempt;
}

export interface ExportAttempt {
  id: number;
  attempt: number;
}

/** Returns false if another attempt has started or the export has been deleted. */
export async function updateExport(
  tx: Tx,
  tutorId: string,
  { id, attempt }: ExportAttempt,
  change: Partial<{
    state: 'ready';
    tables_done: number;
    bytes: number;
    completed_at: Date;
    expires_at: Date;
  }>,
): Promise<boolean> {
  const changed = await tx
    .updateTable('exports')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', sql.lit('making'))
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Returns false if the export has been finished or deleted. */
export async function failExport(tx: Tx, tutorId: string, id: number): Promise<boolean> {
  const failed = await tx
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'making'])
    .returning('id')
    .executeTakeFirst();
  return failed !== undefined;
}

export async function unfinishedExportIds(tx: Tx, tutorId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('exports')
    .where('tutor_id', '=', tutorId)
    .where('state', 'in', ['waiting', 'making'])
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function insertChunk(
  tx: Tx,
  tutorId: string,
  exportId: number,
  position: number,
  bytes: Buffer,
): Promise<void> {
  await tx
    .insertInto('export_chunks')
    .values({ tutor_id: tutorId, export_id: exportId, position, bytes })
    .execute();
}

export const exportChunk = (tx: Tx, tutorId: string, exportId: number, position: number) =>
  tx
    .selectFrom('export_chunks')
    .where('tutor_id', '=', tutorId)
    .where('export_id', '=', exportId)
    .where('position', '=', position)
    .select('bytes');

/** Streams the tutor's rows from one table. Table and column names come from EXPORT_TABLES, never from user input. */
export const streamTableRows = (tx: Tx, tutorId: string, exportTable: ExportTable) =>
  streamRows(
    tx,
    `select ${exportTable.columns.join(', ')} from ${exportTable.table} where tutor_id = $1 order by ${exportTable.columns[0]}`,
    [tutorId],
  );
