import { addDays, dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { CSV_MARK, csvLine } from '../../../platform/csv.ts';
import type { Tx } from '../../../platform/db.ts';
import { ZipWriter } from '../../../platform/zip.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import {
  beginExport,
  insertChunk,
  rowsOfKind,
  type Try,
  updateExport,
} from '../queries/exports.ts';
import type { Kind } from '../rules/export-kind.ts';
import { EXPORT_KINDS } from '../rules/export-kinds.ts';
import { asCell, readMe } from '../rules/export-text.ts';
import { EXPORT_TRIES } from './export-job.ts';

const KEPT_DAYS = 1;

/** Another worker has begun the same file anew, or it was thrown away: there is nothing more to do here. */
class Overtaken extends Error {}

/** Makes the file: everything as it was at one moment, written away piece by piece. */
export async function makeExport(
  context: Context,
  { tutorId, exportId }: { tutorId: string; exportId: number },
): Promise<void> {
  const { db } = context;
  const attempt = await db.besideTutor(tutorId, (tx) => beginExport(tx, tutorId, exportId));
  if (attempt === null) return;
  const current: Try = { id: exportId, attempt };
  try {
    await write(context, tutorId, current);
  } catch (error) {
    if (error instanceof Overtaken) return;
    if (attempt >= EXPORT_TRIES)
      await db.besideTutor(tutorId, (tx) =>
        updateExport(tx, tutorId, current, { state: 'failed' }),
      );
    throw error;
  }
}

async function write(context: Context, tutorId: string, current: Try): Promise<void> {
  const { clock, db } = context;
  const now = clock.now();
  const day = dateIn(await readTimeZone(context, tutorId), now);
  let position = 0;
  let bytes = 0;
  const note = (change: Parameters<typeof updateExport>[3], piece?: Buffer) =>
    db.besideTutor(tutorId, async (tx) => {
      if (!(await updateExport(tx, tutorId, current, change))) throw new Overtaken();
      if (piece) await insertChunk(tx, tutorId, current.id, position, piece);
    });
  const zip = new ZipWriter(now, async (piece) => {
    bytes += piece.length;
    await note({ bytes }, piece);
    position += 1;
  });
  await zip.add('README.txt', [readMe(day)]);
  await db.lookAtTutor(tutorId, async (tx) => {
    for (const [done, kind] of EXPORT_KINDS.entries()) {
      await zip.add(`json/${kind.table}.json`, asJson(tx, tutorId, kind));
      await zip.add(`csv/${kind.table}.csv`, asCsv(tx, tutorId, kind));
      await note({ tables_done: done + 1 });
    }
  });
  await zip.finish();
  const madeAt = clock.now();
  await note({ state: 'ready', completed_at: madeAt, expires_at: addDays(madeAt, KEPT_DAYS) });
}

async function* asJson(tx: Tx, tutorId: string, kind: Kind): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of rowsOfKind(tx, tutorId, kind)) {
    yield before + rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* asCsv(tx: Tx, tutorId: string, kind: Kind): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(kind.columns);
  for await (const rows of rowsOfKind(tx, tutorId, kind)) {
    yield rows
      .map((row) => csvLine(kind.columns.map((column) => asCell(row[column] as never))))
      .join('');
  }
}
