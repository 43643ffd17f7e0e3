import { addDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { toCsvLine, UTF8_BOM } from '../../../platform/files/csv.ts';
import { ZipWriter } from '../../../platform/files/zip.ts';
import { readTimeZone } from '../../accounts/service/profile/profile.ts';
import { EXPORT_MAX_ATTEMPTS } from '../job-types.ts';
import {
  type ExportAttempt,
  insertChunk,
  rowsOfTable,
  startExportAttempt,
  updateExport,
} from '../queries/exports.ts';
import { readmeText, toCell } from '../rules/export-format.ts';
import type { ExportTable } from '../rules/export-table.ts';
import { EXPORT_TABLES } from '../rules/export-tables.ts';

const RETENTION_DAYS = 1;

/** Another worker has begun the same file anew, or it was thrown away: there is nothing more to do here. */
class SupersededAttempt extends Error {}

/** Makes the file: everything as it was at one moment, written away piece by piece. */
export async function makeExport(
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
    if (error instanceof SupersededAttempt) return;
    if (attempt >= EXPORT_MAX_ATTEMPTS)
      await db.tutorTransactionUnlocked(tutorId, (tx) =>
        updateExport(tx, tutorId, current, { state: 'failed' }),
      );
    throw error;
  }
}

async function writeArchive(
  context: Context,
  tutorId: string,
  current: ExportAttempt,
): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  const day = dateInZone(await readTimeZone(context, tutorId), now);
  let position = 0;
  let bytes = 0;
  const note = (change: Parameters<typeof updateExport>[3], piece?: Buffer) =>
    db.tutorTransactionUnlocked(tutorId, async (tx) => {
      if (!(await updateExport(tx, tutorId, current, change))) throw new SupersededAttempt();
      if (piece) await insertChunk(tx, tutorId, current.id, position, piece);
    });
  const zip = new ZipWriter(now, async (piece) => {
    bytes += piece.length;
    await note({ bytes }, piece);
    position += 1;
  });
  await zip.add('README.txt', [readmeText(day)]);
  await db.tutorSnapshot(tutorId, async (tx) => {
    for (const [done, exportTable] of EXPORT_TABLES.entries()) {
      await zip.add(`json/${exportTable.table}.json`, jsonChunks(tx, tutorId, exportTable));
      await zip.add(`csv/${exportTable.table}.csv`, csvChunks(tx, tutorId, exportTable));
      await note({ tables_done: done + 1 });
    }
  });
  await zip.finish();
  const madeAt = clock.now();
  await note({ state: 'ready', completed_at: madeAt, expires_at: addDays(madeAt, RETENTION_DAYS) });
}

async function* jsonChunks(
  tx: Tx,
  tutorId: string,
  exportTable: ExportTable,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of rowsOfTable(tx, tutorId, exportTable)) {
    yield before + rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* csvChunks(
  tx: Tx,
  tutorId: string,
  exportTable: ExportTable,
): AsyncGenerator<string> {
  yield UTF8_BOM + toCsvLine(exportTable.columns);
  for await (const rows of rowsOfTable(tx, tutorId, exportTable)) {
    yield rows
      .map((row) => toCsvLine(exportTable.columns.map((column) => toCell(row[column] as never))))
      .join('');
  }
}
