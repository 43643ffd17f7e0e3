import type { Context } from '../../../../context.ts';
import { markSent } from '../../queries/messages.ts';

interface PendingBatch {
  ids: number[];
  saved: Promise<void>;
}

/** Of each process, what is about to be noted, by tutor. */
const pendingBatches = new WeakMap<Context, Map<string, PendingBatch>>();

/** Long enough for the mails that were sent side by side, far too short to be noticed. */
const WAIT_MS = 10;

/**
 * Notes that a mail went, and is done when that is durable. Mails of one tutor that went at the same time are noted
 * together: each for itself would wait for the tutor's lock and for the disk.
 */
export function markSentInBatch(
  context: Context,
  tutorId: string,
  messageId: number,
): Promise<void> {
  const mine = pendingBatches.get(context) ?? new Map<string, PendingBatch>();
  pendingBatches.set(context, mine);
  const open = mine.get(tutorId);
  if (open) {
    open.ids.push(messageId);
    return open.saved;
  }
  const ids = [messageId];
  const noted = new Promise((resolve) => setTimeout(resolve, WAIT_MS)).then(() => {
    // From here on a new gathering begins; these ids are on their way.
    mine.delete(tutorId);
    return context.db.tutorTransaction(tutorId, (tx) =>
      markSent(tx, tutorId, ids, context.clock.now()),
    );
  });
  mine.set(tutorId, { ids, saved: noted });
  return noted;
}
