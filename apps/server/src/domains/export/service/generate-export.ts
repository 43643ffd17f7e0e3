import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { toCsvLine, UTF8_BOM } from '../../../platform/files/csv-writer.ts';
import { ZipWriter } from '../../../platform/files/zip-writer.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { notify } from '../../messages/service/notifications/notifications.ts';
import { EXPORT_RETENTION_DAYS } from '../job-types.ts';
import {
  type ExportAttempt,
  failExport,
  insertChunk,
  startExportAttempt,
  streamTableRows,
  unfinishedExportIds,
  updateExport,
} from '../queries/exports.ts';
import type { ExportTable } from '../rules/export-table-type.ts';
import { EXPORT_TABLES } from '../rules/export-tables.ts';
import { readmeText, toCell } from '../rules/export-text.ts';

/** Thrown if the export has been restarted by another worker or deleted. */
class SupersededAttemptError extends Error {}

/** Writes all of the tutor's data from one snapshot to a zip file, in chunks. */
export async function generateExport(
  context: Context,
  { tutorId, exportId }: { tutorId: string; exportId: number },
): Promise<void> {
  const { db } = context;
  const attempt = await db.tutorTransactionUnlocked(tutorId, (tx) =>
    startExportAttempt(tx, tutorId, exportId),
  );
  if (attempt === null) return;
  const current: ExportAttempt = { id: exportId, attempt };
  try {
    await writeArchive(context, tutorId, current);
  } catch (error) {
    if (error instanceof SupersededAttemptError) return;
    throw error;
  }
}

export async function markExportFailed(
  context: Context,
  { tutorId, exportId }: { tutorId: string; exportId: number },
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await failExport(tx, tutorId, exportId))) return;
    await notify(context, tx, tutorId, {
      kind: 'export_failed',
      dedupeKey: `export ${exportId} failed`,
      text: 'Your export failed. Please export again.',
      path: '/settings/your-data',
      requiresAction: true,
    });
  });
}

export const listPendingExports = async (tx: Tx, tutorId: string) =>
  (await unfinishedExportIds(tx, tutorId)).map((exportId) => ({ tutorId, exportId }));

async function writeArchive(
  context: Context,
  tutorId: string,
  current: ExportAttempt,
): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  let position = 0;
  let bytes = 0;
  const save = (change: Parameters<typeof updateExport>[3], chunk?: Buffer) =>
    db.tutorTransactionUnlocked(tutorId, async (tx) => {
      if (!(await updateExport(tx, tutorId, current, change))) throw new SupersededAttemptError();
      if (chunk) await insertChunk(tx, tutorId, current.id, position, chunk);
    });
  const zip = new ZipWriter(now, async (chunk) => {
    bytes += chunk.length;
    await save({ bytes }, chunk);
    position += 1;
  });
  await db.tutorSnapshot(tutorId, async (tx) => {
    const day = dateInZone(await getTimeZone(tx, tutorId), now);
    await zip.add('README.txt', [readmeText(day)]);
    for (const [done, exportTable] of EXPORT_TABLES.entries()) {
      await zip.add(`json/${exportTable.table}.json`, jsonChunks(tx, tutorId, exportTable));
      await zip.add(`csv/${exportTable.table}.csv`, csvChunks(tx, tutorId, exportTable));
      await save({ tables_done: done + 1 });
    }
  });
  await zip.finish();
  const completedAt = clock.now();
  await save({
    state: 'ready',
    completed_at: completedAt,
    expires_at: add24HourDays(completedAt, EXPORT_RETENTION_DAYS),
  });
}

async function* jsonChunks(
  tx: Tx,
  tutorId: string,
  exportTable: ExportTable,
): AsyncGenerator<string> {
  let prefix = '[\n';
  for await (const rows of streamTableRows(tx, tutorId, exportTable)) {
    yield prefix + rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    prefix = ',\n';
  }
  yield prefix === '[\n' ? '[]\n' : '\n]\n';
}

async function* csvChunks(
  tx: Tx,
  tutorId: string,
  exportTable: ExportTable,
): AsyncGenerator<string> {
  yield UTF8_BOM + toCsvLine(exportTable.columns);
  for await (const rows of streamTableRows(tx, tutorId, exportTable)) {
    yield rows
      .map((row) => toCsvLine(exportTable.columns.map((column) => toCell(row[column] as never))))
      .join('');
  }
}
