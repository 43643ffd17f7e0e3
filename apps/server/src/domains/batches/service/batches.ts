import type {
  Batch,
  BatchItem,
  BatchKind,
  BatchSummary,
} from '@lessonbook/contract/invoice-and-reminder-batches';
import { NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import type { Currency } from '@lessonbook/contract/money';
import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { canBePaid } from '../../invoices/service/business-settings.ts';
import { getInvoicesByIds } from '../../invoices/service/read.ts';
import { assertEmailVerified } from '../../messages/service/outbound/create-message.ts';
import { getPayers } from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { RUN_BATCH_JOB } from '../job-types.ts';
import {
  batchById,
  closeWaitingItems,
  deleteOldBatches,
  eraseReasons,
  type ItemRecord,
  insertBatch,
  itemsByBatch,
  type NewItem,
  openBatches,
  reopenItems,
  type SummaryRecord,
  updateBatch,
} from '../queries/batches.ts';

const RETENTION_DAYS = 30;
/** How long the list shows a batch that has unfinished items. */
const RECENT_DAYS = 1;

const STOPPED_TEXT = 'You stopped the batch before this one.';

const batchNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find this page. Results are only available for a month.");

/** Stores the items and enqueues the job that works through them. */
export async function startBatch(
  context: Context,
  tutorId: string,
  input: { kind: BatchKind; ids: readonly number[] },
  idempotencyKey: IdempotencyKey | null,
): Promise<Batch> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const batchId = await withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const items = await getNewItems(context, tx, tutorId, input);
      await deleteOldBatches(tx, tutorId, add24HourDays(now, -RETENTION_DAYS));
      const [id] = (await nextIdsForKind(tx, tutorId, 'batch')) as [number];
      await insertBatch(tx, tutorId, { id, kind: input.kind, items, now });
      await context.queue.enqueue(tx, RUN_BATCH_JOB, { tutorId, batchId: id });
      return id;
    });
    return getBatch(tx, tutorId, batchId);
  });
}

/** The items that the request refers to. Throws if none of them could be processed. */
async function getNewItems(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: { kind: BatchKind; ids: readonly number[] },
): Promise<NewItem[]> {
  const ids = [...new Set(input.ids)];
  if (input.kind === 'send_reminders') {
    const families = await getPayers(tx, tutorId, ids);
    if (families.size < ids.length) throw new AppError('not_found', 'Family not found');
    await assertPayable(context, tx, tutorId);
    return ids.map((familyId) => ({ familyId, invoiceId: null }));
  }
  const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
  const invoices = await getInvoicesByIds(context, tx, tutorId, ids, today);
  if (invoices.length < ids.length) throw new AppError('not_found', 'Invoice not found');
  if (input.kind === 'send_invoices') {
    await assertEmailVerified(tx, tutorId);
    if (invoices.some(({ due }) => due > 0)) await assertPayable(context, tx, tutorId);
  }
  return invoices.map(({ id, familyId }) => ({ familyId, invoiceId: id }));
}

async function assertPayable(context: Context, tx: Tx, tutorId: string): Promise<void> {
  if (!(await canBePaid(context, tx, tutorId))) {
    throw new AppError('conflict', NO_PAYMENT_METHOD_MESSAGE);
  }
}

export const readBatch = (context: Context, tutorId: string, id: number): Promise<Batch> =>
  context.db.tutorSnapshot(tutorId, (tx) => getBatch(tx, tutorId, id));

async function getBatch(tx: Tx, tutorId: string, id: number): Promise<Batch> {
  const batch = await batchById(tx, tutorId, id).executeTakeFirst();
  if (!batch) throw batchNotFound();
  const items = (await itemsByBatch(tx, tutorId, id).execute()).map(toItem);
  const count = (...states: BatchItem['state'][]) =>
    items.filter(({ state }) => states.includes(state)).length;
  return {
    ...toSummary({
      ...batch,
      total: items.length,
      open: count('waiting', 'sending'),
      notDone: count('not_done'),
    }),
    items,
  };
}

const toSummary = (batch: SummaryRecord): BatchSummary => ({
  id: batch.id,
  kind: batch.kind,
  createdAt: batch.createdAt.toISOString(),
  isRunning: batch.open > 0,
  isStopped: batch.stoppedAt !== null,
  total: batch.total,
  done: batch.total - batch.open - batch.notDone,
  notDone: batch.notDone,
});

function toItem(record: ItemRecord): BatchItem {
  const { position, familyId, familyName, students, invoiceId, number, address, messageId } =
    record;
  const isDone = record.state === 'sent' || record.state === 'issued';
  const at = record.state === 'issued' ? record.issuedAt : record.sentAt;
  return {
    id: position,
    familyId,
    familyName,
    students,
    invoiceId,
    number,
    amount:
      record.currency === null
        ? null
        : { currency: record.currency as Currency, minor: record.total ?? 0 },
    address,
    messageId,
    state: record.state,
    at: isDone ? (at?.toISOString() ?? null) : null,
    problem: ['not_done', 'skipped'].includes(record.state) ? record.problem : null,
  };
}

export async function listBatches(context: Context, tutorId: string): Promise<BatchSummary[]> {
  const since = add24HourDays(context.clock.now(), -RECENT_DAYS);
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [openBatches(tx, tutorId, since)]);
  return rows.map(toSummary);
}

/** The item in progress is completed, and messages that are already queued are sent. */
export async function stopBatch(context: Context, tutorId: string, id: number): Promise<Batch> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const change = { state: 'stopped' as const, reason: STOPPED_TEXT, now };
    const stopped = await closeWaitingItems(tx, tutorId, id, change);
    if (stopped > 0) await updateBatch(tx, tutorId, id, { stopped_at: now, finished_at: now });
    return getBatch(tx, tutorId, id);
  });
}

/** A second request finds no items left to retry, so it starts nothing. */
export async function retryBatch(context: Context, tutorId: string, id: number): Promise<Batch> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    if ((await reopenItems(tx, tutorId, id)) > 0) {
      await updateBatch(tx, tutorId, id, { stopped_at: null, finished_at: null });
      await context.queue.enqueue(tx, RUN_BATCH_JOB, { tutorId, batchId: id });
    }
    return getBatch(tx, tutorId, id);
  });
}

export const eraseFromBatches = eraseReasons;
