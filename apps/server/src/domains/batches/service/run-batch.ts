import type { BatchKind } from '@lessonbook/contract/invoice-and-reminder-batches';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ensureIssued } from '../../invoices/service/issue.ts';
import { notify } from '../../messages/service/notifications/notifications.ts';
import { emailInvoiceOnce } from '../../messages/service/outbound/send-invoice-or-receipt.ts';
import { createOverdueReminders } from '../../messages/service/reminders/remind-overdue-families.ts';
import {
  batchById,
  closeWaitingItems,
  countUnexpectedFailures,
  type ItemOutcome,
  saveOutcomes,
  unfinishedBatchIds,
  updateBatch,
  type WaitingItem,
  waitingItems,
} from '../queries/batches.ts';

interface BatchRef {
  tutorId: string;
  batchId: number;
}

const ABANDONED_TEXT = "Something went wrong and this couldn't be done. Please try again.";

/**
 * Processes the waiting items. Each item's result is saved in the transaction that creates its message, so a job that
 * was killed or runs twice continues with the remaining items.
 */
export async function runBatch(context: Context, ref: BatchRef): Promise<void> {
  const { tutorId, batchId } = ref;
  const { batch, items } = await context.db.tutorSnapshot(tutorId, async (tx) => ({
    batch: await batchById(tx, tutorId, batchId).executeTakeFirst(),
    items: await waitingItems(tx, tutorId, batchId).execute(),
  }));
  if (!batch) return;
  const errors: unknown[] = [];
  if (batch.kind === 'send_reminders') await remindFamilies(context, ref);
  else {
    for (const item of items) {
      // An unexpected error in one item does not stop the others; the job then fails and is retried.
      await runInvoiceItem(context, ref, batch.kind, item).catch((error: unknown) =>
        errors.push(error),
      );
    }
  }
  if (errors.length > 0) throw errors[0];
  await context.db.tutorTransaction(tutorId, (tx) => finishBatch(context, tx, ref));
}

/** The item itself cannot be processed, as opposed to a failure that a retry may fix, such as a busy database. */
class ItemRefusedError extends Error {}

async function refuseOnAppError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new ItemRefusedError(error.message, { cause: error });
  }
}

/** Issues a draft first, so that a family without an address still gets a numbered invoice. */
async function runInvoiceItem(
  context: Context,
  ref: BatchRef,
  kind: BatchKind,
  { position, invoiceId }: WaitingItem,
): Promise<void> {
  if (invoiceId === null) return;
  const { tutorId } = ref;
  /** Returns whether the item was still waiting. */
  const inTransaction = (work: (tx: Tx) => Promise<Partial<ItemOutcome> | null>) =>
    context.db.tutorTransaction(tutorId, async (tx) => {
      if (!(await isWaiting(tx, ref, position))) return false;
      const outcome = await refuseOnAppError(() => work(tx));
      if (outcome) await saveOutcome(context, tx, ref, { position, ...outcome });
      return true;
    });
  try {
    const wasWaiting = await inTransaction(async (tx) => {
      await ensureIssued(context, tx, tutorId, invoiceId);
      return kind === 'issue_invoices' ? {} : null;
    });
    // If the item was stopped, a retry may have set it to waiting again; the job enqueued for the retry processes it.
    if (!wasWaiting || kind === 'issue_invoices') return;
    await inTransaction(async (tx) => ({
      messageId: await emailInvoiceOnce(context, tx, tutorId, invoiceId),
    }));
  } catch (error) {
    if (!(error instanceof ItemRefusedError)) throw error;
    await inTransaction(async () => ({ state: 'failed', reason: error.message }));
  }
}

const isWaiting = async (
  tx: Tx,
  { tutorId, batchId }: BatchRef,
  position: number,
): Promise<boolean> =>
  (await waitingItems(tx, tutorId, batchId).where('position', '=', position).execute()).length > 0;

const saveOutcome = (
  context: Context,
  tx: Tx,
  { tutorId, batchId }: BatchRef,
  outcome: Partial<ItemOutcome> & { position: number },
): Promise<void> =>
  saveOutcomes(
    tx,
    tutorId,
    batchId,
    [{ state: 'done', reason: null, messageId: null, ...outcome }],
    context.clock.now(),
  );

/** Creates all reminders in one transaction, with a fixed number of SQL statements, however many families there are. */
async function remindFamilies(context: Context, { tutorId, batchId }: BatchRef): Promise<void> {
  const now = context.clock.now();
  try {
    await context.db.tutorTransaction(tutorId, async (tx) => {
      const items = await waitingItems(tx, tutorId, batchId).execute();
      if (items.length === 0) return;
      const familyIds = items.map(({ familyId }) => familyId);
      const results = await refuseOnAppError(() =>
        createOverdueReminders(context, tx, tutorId, familyIds),
      );
      const byFamily = new Map(results.map((result) => [result.familyId, result]));
      const outcomes = items.map(({ position, familyId }): ItemOutcome => {
        const { outcome, problem: reason, messageId } = byFamily.get(familyId) ?? FAMILY_NOT_FOUND;
        return { position, state: ITEM_STATES[outcome], reason, messageId };
      });
      await saveOutcomes(tx, tutorId, batchId, outcomes, now);
    });
  } catch (error) {
    if (!(error instanceof ItemRefusedError)) throw error;
    const change = { state: 'failed' as const, reason: error.message, now };
    await context.db.tutorTransaction(tutorId, (tx) =>
      closeWaitingItems(tx, tutorId, batchId, change),
    );
  }
}

const FAMILY_NOT_FOUND = { outcome: 'not_sent', problem: null, messageId: null } as const;

const ITEM_STATES = {
  sent: 'done',
  to_send: 'done',
  already_sent: 'skipped',
  not_sent: 'failed',
} as const;

/** Notifies the tutor, who may have closed the page, of failures that could not be foreseen. */
async function finishBatch(
  context: Context,
  tx: Tx,
  { tutorId, batchId }: BatchRef,
): Promise<void> {
  const batch = await batchById(tx, tutorId, batchId).executeTakeFirst();
  const isDone = (await waitingItems(tx, tutorId, batchId).limit(1).execute()).length === 0;
  if (!batch || batch.finishedAt !== null || !isDone) return;
  const now = context.clock.now();
  await updateBatch(tx, tutorId, batchId, { finished_at: now });
  const failures = await countUnexpectedFailures(tx, tutorId, batchId);
  if (failures === 0) return;
  await notify(context, tx, tutorId, {
    kind: 'batch_failed',
    dedupeKey: `batch ${batchId} ${now.toISOString()}`,
    text: `${formatFailures(batch.kind, failures)} Open the list to see why and try again.`,
    path: `/batches/${batchId}`,
    requiresAction: true,
    targetId: batchId,
  });
}

function formatFailures(kind: BatchKind, count: number): string {
  const noun = kind === 'send_reminders' ? 'payment reminder' : 'invoice';
  const verb = kind === 'issue_invoices' ? 'issued' : 'sent';
  return count === 1 ? `1 ${noun} wasn't ${verb}.` : `${count} ${noun}s weren't ${verb}.`;
}

export async function abandonBatch(context: Context, ref: BatchRef): Promise<void> {
  const { tutorId, batchId } = ref;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const change = { state: 'failed' as const, reason: ABANDONED_TEXT, now: context.clock.now() };
    await closeWaitingItems(tx, tutorId, batchId, change);
    await finishBatch(context, tx, ref);
  });
}

export const listPendingBatches = async (tx: Tx, tutorId: string): Promise<BatchRef[]> =>
  (await unfinishedBatchIds(tx, tutorId)).map((batchId) => ({ tutorId, batchId }));
