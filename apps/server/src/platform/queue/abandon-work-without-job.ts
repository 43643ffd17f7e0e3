import { add24HourDays } from '@lessonbook/contract/time';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { isTutorMoving } from '../db/tutor-move-write-guards.ts';
import type { Log } from '../observability/log.ts';
import { forEachDueTutor } from './for-each-due-tutor.ts';
import type { AnyJob, Job } from './job.ts';
import type { Queue } from './queue.ts';
import { completeWork, lockScheduledWork, scheduleWork } from './tenant-schedule.ts';

interface SweepContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: Queue;
}

/** The tenant_schedule kind for finding a tutor's rows that are waiting for a job that no longer exists. */
export const STALLED_WORK = 'stalled-work';
const SWEEP_INTERVAL_DAYS = 1;

/** An event subscriber, called for each new tutor. */
export async function scheduleStalledWorkSweep(
  { clock }: { clock: Clock },
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleWork(tx, tutorId, STALLED_WORK, nextSweep(clock));
}

const nextSweep = (clock: Clock): Date => add24HourDays(clock.now(), SWEEP_INTERVAL_DAYS);

/**
 * Abandons rows whose job was deleted by an operator or lost when a backup was restored. A row and its job are inserted in
 * one transaction, so a new row always has its job.
 */
export const stalledWorkJob = <Context extends SweepContext>(
  jobs: readonly AnyJob<Context>[],
): Job<Context> => ({
  name: 'abandon-stalled-work',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '53 * * * *',
  noAbandonedHandlerReason: 'It runs again in an hour.',
  run: (context) => abandonStalledWork(context, jobs),
});

export const abandonStalledWork = <Context extends SweepContext>(
  context: Context,
  jobs: readonly AnyJob<Context>[],
): Promise<void> =>
  forEachDueTutor(context, STALLED_WORK, async (tutorId) => {
    for (const { job, payload } of await findStalled(context, jobs, tutorId)) {
      context.log.warn({ job: job.name }, 'abandoned work that had no job');
      await job.onAbandoned?.(context, payload);
    }
    await context.db.globalTransaction(async (tx) => {
      await lockScheduledWork(tx, tutorId, STALLED_WORK);
      await completeWork(tx, tutorId, STALLED_WORK, nextSweep(context.clock));
    });
  });

/** Reads in one snapshot; otherwise a job that finishes between the two reads would leave its row looking stalled. */
const findStalled = <Context extends SweepContext>(
  { db, queue }: Context,
  jobs: readonly AnyJob<Context>[],
  tutorId: string,
): Promise<{ job: AnyJob<Context>; payload: unknown }[]> =>
  db.tutorSnapshot(tutorId, async (tx) => {
    if (await isTutorMoving(tx, tutorId)) return [];
    const stalled: { job: AnyJob<Context>; payload: unknown }[] = [];
    for (const job of jobs) {
      const pending = (await job.listPending?.(tx, tutorId)) ?? [];
      if (pending.length === 0) continue;
      const live = await queue.listLivePayloads(tx, job.name, tutorId);
      const liveKeys = new Set(live.map(toKey));
      const payloads = pending.filter((payload) => !liveKeys.has(toKey(payload)));
      stalled.push(...payloads.map((payload) => ({ job, payload })));
    }
    return stalled;
  });

const toKey = (payload: unknown): string =>
  JSON.stringify(Object.entries(payload as object).toSorted(([a], [b]) => a.localeCompare(b)));
