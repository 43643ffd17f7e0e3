import { Readable } from 'node:stream';
import type { Export } from '@lessonbook/contract/data-export';
import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import type { StreamedFileResponse } from '../../../platform/http/file-responses.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import {
  completeWork,
  lockScheduledWork,
  scheduleWork,
} from '../../../platform/queue/tenant-schedule.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { EXPORT_EXPIRY_WORK, EXPORT_RETENTION_DAYS, GENERATE_EXPORT_JOB } from '../job-types.ts';
import {
  deleteExpired,
  deleteExports,
  exportById,
  exportChunk,
  insertExport,
  latestExport,
} from '../queries/exports.ts';
import { EXPORT_TABLES } from '../rules/export-tables.ts';

/** Limited because each export reads all of a tutor's data. */
const exportByTutor: RateLimit = { name: 'export-tutor', burst: 6, perSeconds: 3600 };

type Row = Awaited<ReturnType<ReturnType<typeof latestExport>['executeTakeFirstOrThrow']>>;

const toExport = (row: Row): Export => ({
  id: row.id,
  state: row.state as Export['state'],
  requestedAt: row.requestedAt.toISOString(),
  done: row.tablesDone,
  total: EXPORT_TABLES.length,
  bytes: row.bytes,
  expiresAt: row.expiresAt.toISOString(),
});

/** The latest export, unless it has expired. */
export async function readExport(
  context: Context,
  tutorId: string,
): Promise<{ export: Export | null }> {
  const [[row]] = await context.db.tutorRead(tutorId, (tx) => [latestExport(tx, tutorId)]);
  const isValid = row && row.expiresAt > context.clock.now();
  return { export: isValid ? toExport(row) : null };
}

/** Returns the export in progress, if there is one. Otherwise starts a new export, which replaces the previous one. */
export async function requestExport(context: Context, tutorId: string): Promise<Export> {
  const { clock, db, limiter, queue } = context;
  await limiter.consume(exportByTutor, tutorId);
  const requestedAt = clock.now();
  return db.tutorTransaction(tutorId, async (tx) => {
    const previous = await latestExport(tx, tutorId).executeTakeFirst();
    const isInProgress = previous && ['waiting', 'making'].includes(previous.state);
    if (isInProgress && previous.expiresAt > requestedAt) return toExport(previous);
    await deleteExports(tx, tutorId);
    const [id] = (await nextIdsForKind(tx, tutorId, 'export')) as [number];
    const expiresAt = add24HourDays(requestedAt, EXPORT_RETENTION_DAYS);
    await insertExport(tx, tutorId, { id, requestedAt, expiresAt });
    await scheduleWork(tx, tutorId, EXPORT_EXPIRY_WORK, expiresAt);
    await queue.enqueue(tx, GENERATE_EXPORT_JOB, { tutorId, exportId: id });
    await recordAudit(tx, tutorId, { action: 'export_requested', at: requestedAt });
    await notifyOwner(context, tx, tutorId, 'export-requested');
    return toExport(await exportById(tx, tutorId, id).executeTakeFirstOrThrow());
  });
}

/** Streams the chunks, so that the whole file is never in memory at once. */
export async function downloadExport(
  context: Context,
  tutorId: string,
  id: number,
): Promise<StreamedFileResponse> {
  const now = context.clock.now();
  const file = await context.db.tutorTransaction(tutorId, async (tx) => {
    const row = await exportById(tx, tutorId, id).executeTakeFirst();
    if (!row) throw new AppError('not_found', "We couldn't find that file. Please export again.");
    if (row.expiresAt <= now)
      throw new AppError('link_expired', 'This file has expired. Please export again.');
    if (row.state !== 'ready') throw new AppError('conflict', 'The file is not ready yet.');
    await recordAudit(tx, tutorId, { action: 'export_downloaded', at: now });
    await notifyOwner(context, tx, tutorId, 'export-downloaded');
    return { ...row, timeZone: await getTimeZone(tx, tutorId) };
  });
  const day = dateInZone(file.timeZone, file.completedAt ?? now);
  return {
    name: `lessonbook-${day}.zip`,
    body: Readable.from(readChunks(context, tutorId, id, file.bytes), { objectMode: false }),
  };
}

async function* readChunks(context: Context, tutorId: string, id: number, bytes: number) {
  let bytesLeft = bytes;
  for (let position = 0; bytesLeft > 0; position++) {
    const [[chunk]] = await context.db.tutorRead(tutorId, (tx) => [
      exportChunk(tx, tutorId, id, position),
    ]);
    // Aborts the connection, so that the browser reports an incomplete download.
    if (!chunk) throw new Error('export chunk is missing');
    bytesLeft -= chunk.bytes.length;
    yield chunk.bytes;
  }
}

export const deleteExpiredExports = (context: Context): Promise<void> =>
  forEachDueTutor(context, EXPORT_EXPIRY_WORK, (tutorId) =>
    context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
      await lockScheduledWork(tx, tutorId, EXPORT_EXPIRY_WORK);
      const next = await deleteExpired(tx, tutorId, context.clock.now());
      await completeWork(tx, tutorId, EXPORT_EXPIRY_WORK, next);
    }),
  );

/** Used when a person is erased, because existing exports still contain their data. */
export const discardExports = (tx: Tx, tutorId: string): Promise<void> =>
  deleteExports(tx, tutorId);
