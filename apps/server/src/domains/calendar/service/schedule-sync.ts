import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import {
  claimDueTutors,
  completeWork,
  scheduleWork,
} from '../../../platform/queue/tenant-schedule.ts';
import { CALENDAR_SYNC_JOB, CALENDAR_SYNC_WORK } from '../job-types.ts';
import { markSyncDue } from '../queries/connections.ts';

/** Syncs due later than this are enqueued by the cron job that runs every minute. */
const SOON_MS = 60_000;
const BATCH_SIZE = 200;

/** Schedules a sync as soon as the backoff allows. Repeated requests schedule only one sync. */
export async function requestSync(context: Context, tx: Tx, tutorId: string): Promise<void> {
  const at = await markSyncDue(tx, tutorId, context.clock.now());
  if (!at) return;
  await scheduleWork(tx, tutorId, CALENDAR_SYNC_WORK, at);
  await enqueueIfSoon(context, tx, tutorId, at);
}

export async function scheduleNextSync(
  context: Context,
  tx: Tx,
  tutorId: string,
  at: Date,
): Promise<void> {
  await completeWork(tx, tutorId, CALENDAR_SYNC_WORK, at);
  await enqueueIfSoon(context, tx, tutorId, at);
}

async function enqueueIfSoon(context: Context, tx: Tx, tutorId: string, at: Date): Promise<void> {
  const waitMs = at.getTime() - context.clock.now().getTime();
  if (waitMs > SOON_MS) return;
  const afterSeconds = Math.max(0, Math.ceil(waitMs / 1_000));
  await context.queue.enqueue(tx, CALENDAR_SYNC_JOB, { tutorId }, { afterSeconds });
}

/** Enqueues due syncs: polls, retries after backoff, and runs whose worker died. */
export async function enqueueDueSyncs(context: Context): Promise<void> {
  const { db, clock, queue } = context;
  for (;;) {
    const due = await db.globalTransaction(async (tx) => {
      const tutorIds = await claimDueTutors(tx, CALENDAR_SYNC_WORK, clock.now(), BATCH_SIZE);
      if (tutorIds.length > 0) {
        const payloads = tutorIds.map((tutorId) => ({ tutorId }));
        await queue.enqueueAll(tx, CALENDAR_SYNC_JOB, payloads);
      }
      return tutorIds;
    });
    if (due.length < BATCH_SIZE) return;
  }
}
