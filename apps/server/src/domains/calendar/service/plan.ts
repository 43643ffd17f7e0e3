import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import { claimDue, putOnAgenda, settleAgenda } from '../../../platform/agenda.ts';
import type { Tx } from '../../../platform/db.ts';
import { wishSync } from '../queries/links.ts';

/** Connected tutors are on the agenda under this name, with when their calendar is looked at next. */
export const CALENDAR = 'calendar';

/** Name and payload of the job; what it does stands in jobs.ts. */
export const CALENDAR_SYNC = {
  name: 'calendar-sync',
  payload: z.object({ tutorId: z.uuid() }),
};

/** What is due later than this is left to the round that is made every minute. */
const SOON_MS = 60_000;
const AT_ONCE = 200;

/** Something may differ: the calendar is looked at as soon as it may be. However often it is wished, it is planned once. */
export async function wish(context: Context, tx: Tx, tutorId: string): Promise<void> {
  const at = await wishSync(tx, tutorId, context.clock.now());
  if (!at) return;
  await putOnAgenda(tx, tutorId, CALENDAR, at);
  await enqueueFor(context, tx, tutorId, at);
}

/** The plan after a look. */
export async function planNext(context: Context, tx: Tx, tutorId: string, at: Date): Promise<void> {
  await settleAgenda(tx, tutorId, CALENDAR, at);
  await enqueueFor(context, tx, tutorId, at);
}

async function enqueueFor(context: Context, tx: Tx, tutorId: string, at: Date): Promise<void> {
  const waitMs = at.getTime() - context.clock.now().getTime();
  if (waitMs > SOON_MS) return;
  const afterSeconds = Math.max(0, Math.ceil(waitMs / 1_000));
  await context.queue.enqueue(tx, CALENDAR_SYNC, { tutorId }, { afterSeconds });
}

/** Whoever is due by now: polls, waits that are over, and what a dead worker left behind. */
export async function wakeDue(context: Context): Promise<void> {
  const { db, clock, queue } = context;
  for (;;) {
    const due = await db.inGlobal(async (tx) => {
      const tutorIds = await claimDue(tx, CALENDAR, clock.now(), AT_ONCE);
      if (tutorIds.length > 0) {
        const payloads = tutorIds.map((tutorId) => ({ tutorId }));
        await queue.enqueueAll(tx, CALENDAR_SYNC, payloads);
      }
      return tutorIds;
    });
    if (due.length < AT_ONCE) return;
  }
}
