import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { violatedConstraint } from '../../../platform/db/violated-constraint.ts';
import {
  getTimeZone,
  toTutorOrThrow,
  tutorQuery,
} from '../../accounts/service/profile/read-tutor.ts';
import { scheduleChanged } from '../events.ts';
import { deferConstraints } from '../queries/overlaps.ts';

/** A transaction on the tutor's schedule. A transaction that makes changes holds the tutor's lock. */
export interface ScheduleTx {
  readonly context: Context;
  readonly tx: Tx;
  readonly tutorId: string;
  readonly timeZone: string;
  readonly now: Date;
  readonly today: string;
}

/** Every change to the schedule goes through this function. Changes by the same tutor run one at a time. */
export async function runScheduleTransaction<T>(
  context: Context,
  tutorId: string,
  work: (schedule: ScheduleTx) => Promise<T>,
): Promise<T> {
  try {
    return await context.db.tutorTransaction(tutorId, async (tx) => {
      const [, tutors] = await executeBatch(tx, [deferConstraints(tx), tutorQuery(tx, tutorId)]);
      const result = await work(
        toScheduleTx(context, tx, tutorId, toTutorOrThrow(tutors).timeZone),
      );
      await context.events.publish(tx, scheduleChanged, { tutorId });
      return result;
    });
  } catch (error) {
    // The lock and the check in resolveNewOverlaps should make this unreachable. The constraint is a last resort.
    if (violatedConstraint(error) !== 'sessions_no_overlap') throw error;
    throw new AppError('overlap', 'That time has just been taken. Please check the schedule.');
  }
}

/** For event subscribers, which run inside the publisher's transaction, and for previews, which only read. */
export async function openScheduleTx(
  context: Context,
  tx: Tx,
  tutorId: string,
): Promise<ScheduleTx> {
  return toScheduleTx(context, tx, tutorId, await getTimeZone(tx, tutorId));
}

function toScheduleTx(context: Context, tx: Tx, tutorId: string, timeZone: string): ScheduleTx {
  const now = context.clock.now();
  return { context, tx, tutorId, timeZone, now, today: dateInZone(timeZone, now) };
}

class DryRunResult<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('dry run');
    this.result = result;
  }
}

/** Makes the change and rolls it back, so that the preview always matches the real change. */
export async function dryRun<T>(
  context: Context,
  tutorId: string,
  work: (schedule: ScheduleTx) => Promise<T>,
): Promise<T> {
  try {
    return await runScheduleTransaction(context, tutorId, async (schedule) => {
      throw new DryRunResult(await work(schedule));
    });
  } catch (error) {
    if (error instanceof DryRunResult) return error.result as T;
    throw error;
  }
}
