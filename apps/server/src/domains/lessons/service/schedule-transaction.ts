import type { Overlap } from '@lessonbook/contract/errors';
import type { ChangeSummary } from '@lessonbook/contract/lessons';
import type { PreviousTime } from '@lessonbook/contract/sessions';
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
import { clearAcceptedOverlaps, insertAcceptedOverlaps } from '../queries/accepted-overlaps.ts';
import { deferConstraints, findOverlaps, type OverlapPair } from '../queries/overlaps.ts';
import type { UnchangedReason } from '../rules/plan-series-change.ts';

const MAX_SHOWN_OVERLAPS = 100;

/** A transaction on the tutor's schedule. Changes hold the tutor's lock. */
export interface ScheduleTx {
  readonly context: Context;
  readonly tx: Tx;
  readonly tutorId: string;
  readonly timeZone: string;
  readonly now: Date;
  readonly today: string;
}

/** Every change to the schedule goes through this function. Changes by the same tutor run one at a time. */
export async function changeSchedule<T>(
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
    return await changeSchedule(context, tutorId, async (schedule) => {
      throw new DryRunResult(await work(schedule));
    });
  } catch (error) {
    if (error instanceof DryRunResult) return error.result as T;
    throw error;
  }
}

/**
 * Finds sessions that overlap the given ones. Throws unless the tutor has accepted the overlaps; accepted pairs are
 * stored and are exempt from the exclusion constraint.
 */
export async function resolveOverlaps(
  schedule: ScheduleTx,
  sessionIds: readonly number[],
  accept: boolean,
): Promise<Overlap[]> {
  await clearAcceptedOverlaps(schedule.tx, schedule.tutorId, sessionIds);
  return resolveNewOverlaps(schedule, sessionIds, accept);
}

/** Like resolveOverlaps, but for new sessions, which have no accepted overlaps to clear. */
export async function resolveNewOverlaps(
  schedule: ScheduleTx,
  sessionIds: readonly number[],
  accept: boolean,
): Promise<Overlap[]> {
  if (sessionIds.length === 0) return [];
  const pairs = await findOverlaps(schedule.tx, schedule.tutorId, sessionIds).execute();
  return resolveOverlapPairs(schedule, pairs, accept);
}

/** Like resolveNewOverlaps, for pairs that have been found in a batch. */
export async function resolveOverlapPairs(
  { tx, tutorId }: ScheduleTx,
  pairs: readonly OverlapPair[],
  accept: boolean,
): Promise<Overlap[]> {
  if (pairs.length === 0) return [];
  const overlaps = uniqueOverlaps(pairs);
  if (!accept) {
    throw new AppError('overlap', overlapMessage(overlaps), {
      overlaps: overlaps.slice(0, MAX_SHOWN_OVERLAPS),
    });
  }
  await insertAcceptedOverlaps(tx, tutorId, pairs);
  return overlaps;
}

/** Removes duplicates: two new sessions that overlap each other are found twice. */
function uniqueOverlaps(pairs: readonly OverlapPair[]): Overlap[] {
  const seen = new Set<string>();
  return pairs.flatMap(({ sessionId, ...overlap }) => {
    const key = [sessionId, overlap.withSessionId].toSorted((a, b) => a - b).join(' ');
    if (seen.has(key)) return [];
    seen.add(key);
    return [overlap];
  });
}

function overlapMessage(overlaps: readonly Overlap[]): string {
  const [first] = overlaps;
  const otherCount = overlaps.length - 1;
  const suffix = otherCount === 0 ? '' : ` and ${otherCount} more`;
  return `This overlaps with ${first?.withTitle ?? 'another lesson'}${suffix}.`;
}

export interface SavedLesson {
  lessonId: number;
  sessionId: number | null;
  consequences: ChangeSummary;
  moved: PreviousTime[];
}

/** Summarises the effects of a change, for the preview and the response. */
export function summarizeChange(input: {
  changed?: number;
  created?: number;
  removed?: number;
  unchanged?: readonly { reason: UnchangedReason }[];
  dates?: readonly string[];
  overlaps?: Overlap[];
  skipped?: ChangeSummary['skipped'];
  outsideTerms?: string[];
}): ChangeSummary {
  const counts = new Map<UnchangedReason, number>();
  for (const { reason } of input.unchanged ?? []) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const dates = (input.dates ?? []).toSorted();
  return {
    changed: input.changed ?? 0,
    created: input.created ?? 0,
    removed: input.removed ?? 0,
    unchanged: [...counts].map(([reason, count]) => ({ reason, count })),
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
    overlaps: input.overlaps ?? [],
    skipped: input.skipped ?? [],
    outsideTerms: input.outsideTerms ?? [],
  };
}
