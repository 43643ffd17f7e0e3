import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { CARD_REFUND_JOB } from './job-types.ts';

export async function onRefundRequested(
  context: Context,
  tx: Tx,
  request: { tutorId: string; requestId: number },
): Promise<void> {
  await context.queue.enqueue(tx, CARD_REFUND_JOB, request);
}
