import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { hasOutdatedSessions } from '../../queries/session-communications.ts';

/**
 * Called once messages have been delivered. If a lesson changed while a message was being sent, no correction could be sent
 * at the time, because it was unknown whether the message would arrive.
 */
export async function queueCorrectionAfterSending(
  context: Context,
  tx: Tx,
  tutorId: string,
  messageIds: readonly number[],
): Promise<void> {
  if (messageIds.length === 0) return;
  const [result] = await hasOutdatedSessions(tx, tutorId, messageIds).execute();
  if (result?.isOutdated) await scheduleWork(tx, tutorId, REMINDERS_WORK, context.clock.now());
}
