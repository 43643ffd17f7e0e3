import type { Context } from '../../../../context.ts';
import { markSent } from '../../queries/messages.ts';

interface PendingBatch {
  ids: number[];
  saved: Promise<void>;
}

/** Pending batches by tutor, one map for each app. */
const pendingBatches = new WeakMap<Context, Map<string, PendingBatch>>();

/** Long enough to collect e-mails that were sent concurrently. */
const WAIT_MS = 10;

/**
 * Marks an e-mail as sent; resolves after the commit. E-mails of one tutor are batched, because each would otherwise wait for
 * the tutor's lock and for the disk.
 */
export function markSentInBatch(
  context: Context,
  tutorId: string,
  messageId: number,
): Promise<void> {
  const batches = pendingBatches.get(context) ?? new Map<string, PendingBatch>();
  pendingBatches.set(context, batches);
  const open = batches.get(tutorId);
  if (open) {
    open.ids.push(messageId);
    return open.saved;
  }
  const ids = [messageId];
  const saved = new Promise((resolve) => setTimeout(resolve, WAIT_MS)).then(() => {
    // Later calls start a new batch.
    batches.delete(tutorId);
    return context.db.tutorTransaction(tutorId, (tx) =>
      markSent(tx, tutorId, ids, context.clock.now()),
    );
  });
  batches.set(tutorId, { ids, saved });
  return saved;
}
