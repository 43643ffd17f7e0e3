import { Readable } from 'node:stream';
import type { Export } from '@lessonbook/contract/own-data';
import { addDays, dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, putOnAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { takeIds } from '../../../platform/counters.ts';
import type { LongFileReply } from '../../../platform/file-replies.ts';
import type { Limit } from '../../../platform/rate-limit.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import {
  chunkOf,
  deleteExpired,
  deleteExports,
  exportById,
  insertExport,
  latestExport,
} from '../queries/exports.ts';
import { EXPORT_KINDS } from '../rules/export-kinds.ts';
import { EXPORTS, MAKE_EXPORT } from './export-job.ts';

/** Each makes the database read the whole book. */
const exportByTutor: Limit = { name: 'export-tutor', burst: 6, perSeconds: 3600 };
const KEPT_DAYS = 1;
const AT_ONCE = 50;

type Row = Awaited<ReturnType<ReturnType<typeof latestExport>['executeTakeFirstOrThrow']>>;

const asExport = (row: Row): Export => ({
  id: row.id,
  state: row.state as Export['state'],
  askedAt: row.askedAt.toISOString(),
  done: row.kindsDone,
  total: EXPORT_KINDS.length,
  bytes: row.bytes,
  expiresAt: row.expiresAt.toISOString(),
});

/** The newest file, if there is one that has not run out. */
export async function readExport(
  context: Context,
  tutorId: string,
): Promise<{ export: Export | null }> {
  const [[row]] = await context.db.readTutor(tutorId, (tx) => [latestExport(tx, tutorId)]);
  const live = row && row.expiresAt > context.clock.now();
  return { export: live ? asExport(row) : null };
}

/** One at a time: who asks again while it is being made gets the same one. A new one takes the place of the old. */
export async function askForExport(context: Context, tutorId: string): Promise<Export> {
  const { clock, db, limiter, queue } = context;
  await limiter.take(exportByTutor, tutorId);
  const askedAt = clock.now();
  return db.withTutor(tutorId, async (tx) => {
    const before = await latestExport(tx, tutorId).executeTakeFirst();
    const inTheMaking = before && ['waiting', 'making'].includes(before.state);
    if (inTheMaking && before.expiresAt > askedAt) return asExport(before);
    await deleteExports(tx, tutorId);
    const [id] = (await takeIds(tx, tutorId, 'export')) as [number];
    const expiresAt = addDays(askedAt, KEPT_DAYS);
    await insertExport(tx, tutorId, { id, askedAt, expiresAt });
    await putOnAgenda(tx, tutorId, EXPORTS, expiresAt);
    await queue.enqueue(tx, MAKE_EXPORT, { tutorId, exportId: id });
    await audit(tx, tutorId, { act: 'export_asked', at: askedAt });
    return asExport(await exportById(tx, tutorId, id).executeTakeFirstOrThrow());
  });
}

/** Its pieces are read one by one while the browser takes them. */
export async function downloadExport(
  context: Context,
  tutorId: string,
  id: number,
): Promise<LongFileReply> {
  const now = context.clock.now();
  const made = await context.db.withTutor(tutorId, async (tx) => {
    const row = await exportById(tx, tutorId, id).executeTakeFirst();
    if (!row) throw new AppError('not_found', 'There is no such file. Please ask for a new one.');
    if (row.expiresAt <= now)
      throw new AppError('link_expired', 'This file has run out. Please ask for a new one.');
    if (row.state !== 'ready') throw new AppError('conflict', 'The file is not ready yet.');
    await audit(tx, tutorId, { act: 'export_downloaded', at: now });
    return row;
  });
  const day = dateIn(await readTimeZone(context, tutorId), made.madeAt ?? now);
  return {
    name: `lessonbook-${day}.zip`,
    body: Readable.from(pieces(context, tutorId, id, made.bytes), { objectMode: false }),
  };
}

async function* pieces(context: Context, tutorId: string, id: number, bytes: number) {
  let left = bytes;
  for (let position = 0; left > 0; position++) {
    const [[chunk]] = await context.db.readTutor(tutorId, (tx) => [
      chunkOf(tx, tutorId, id, position),
    ]);
    // The connection breaks off, and the browser knows that the file is not whole.
    if (!chunk) throw new Error('a piece of an export is gone');
    left -= chunk.bytes.length;
    yield chunk.bytes;
  }
}

/** Files that have run out are removed. */
export async function tidyExports(context: Context): Promise<void> {
  const { clock, db } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, EXPORTS, clock.now(), AT_ONCE));
    if (due.length === 0) return;
    for (const tutorId of due) {
      await db.besideTutor(tutorId, async (tx) => {
        await lockAgenda(tx, tutorId, EXPORTS);
        await settleAgenda(tx, tutorId, EXPORTS, await deleteExpired(tx, tutorId, clock.now()));
      });
    }
  }
}
