import type { Context } from '../../../../context.ts';
import { markSent } from '../../queries/messages.ts';
import { queueCorrectionAfterSending } from './queue-correction-after-sending.ts';

interface PendingBatch {
  ids: number[];
  saved: Promise<void>;
}

/** Pending batches by tutor, with a separate map for each context. */
const pendingBatches = new WeakMap<Context, Map<string, PendingBatch>>();

/** Long enough to batch emails that are sent concurrently. */
const WAIT_MS = 10;

/**
 * Marks an email as sent and resolves after the commit. A tutor's emails are marked in batches, because each would otherwise
 * wait for the tutor's lock and a disk write.
 */
export function markSentInBatch(
  context: Context,
  tutorId: string,
  messageId: number,
): Promise<void> {
  const batches = pendingBatches.get(context) ?? new Map<string, PendingBatch>();
  pendingBatches.set(context, batches);
  const pendingBatch = batches.get(tutorId);
  if (pendingBatch) {
    pendingBatch.ids.push(messageId);
    return pendingBatch.saved;
  }
  const ids = [messageId];
  const saved = new Promise((resolve) => setTimeout(resolve, WAIT_MS)).then(() => {
    // Later calls start a new batch.
    batches.delete(tutorId);
    return context.db.tutorTransaction(tutorId, async (tx) => {
      await markSent(tx, tutorId, ids, context.clock.now());
      await queueCorrectionAfterSending(context, tx, tutorId, ids);
    });
  });
  batches.set(tutorId, { ids, saved });
  return saved;
}
