import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { claimDue, completeWork, scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import { markSyncDue } from '../queries/connections.ts';

/** Connected tutors are on the agenda under this name, with when their calendar is looked at next. */
export const CALENDAR_SYNC_WORK = 'calendar';

/** Name and payload of the job; what it does stands in jobs.ts. */
export const CALENDAR_SYNC_JOB = {
  name: 'calendar-sync',
  payload: z.object({ tutorId: z.uuid() }),
};

/** What is due later than this is left to the round that is made every minute. */
const SOON_MS = 60_000;
const BATCH_SIZE = 200;

/** Something may differ: the calendar is looked at as soon as it may be. However often it is wished, it is planned once. */
export async function requestSync(context: Context, tx: Tx, tutorId: string): Promise<void> {
  const at = await markSyncDue(tx, tutorId, context.clock.now());
  if (!at) return;
  await scheduleWork(tx, tutorId, CALENDAR_SYNC_WORK, at);
  await enqueueIfSoon(context, tx, tutorId, at);
}

/** The plan after a look. */
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

/** Whoever is due by now: polls, waits that are over, and what a dead worker left behind. */
export async function enqueueDueSyncs(context: Context): Promise<void> {
  const { db, clock, queue } = context;
  for (;;) {
    const due = await db.globalTransaction(async (tx) => {
      const tutorIds = await claimDue(tx, CALENDAR_SYNC_WORK, clock.now(), BATCH_SIZE);
      if (tutorIds.length > 0) {
        const payloads = tutorIds.map((tutorId) => ({ tutorId }));
        await queue.enqueueAll(tx, CALENDAR_SYNC_JOB, payloads);
      }
      return tutorIds;
    });
    if (due.length < BATCH_SIZE) return;
  }
}
