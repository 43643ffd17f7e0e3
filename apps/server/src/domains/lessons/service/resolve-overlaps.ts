import type { Overlap } from '@lessonbook/contract/errors';
import { AppError } from '../../../platform/app-error.ts';
import { clearAcceptedOverlaps, insertAcceptedOverlaps } from '../queries/accepted-overlaps.ts';
import { findOverlaps, type OverlapPair } from '../queries/overlaps.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

const MAX_SHOWN_OVERLAPS = 100;

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

/** Like resolveNewOverlaps, but for overlaps that were already found in a batch. */
export async function resolveOverlapPairs(
  { tx, tutorId }: ScheduleTx,
  pairs: readonly OverlapPair[],
  accept: boolean,
): Promise<Overlap[]> {
  if (pairs.length === 0) return [];
  const overlaps = removeDuplicates(pairs);
  if (!accept) {
    throw new AppError('overlap', formatOverlapMessage(overlaps), {
      overlaps: overlaps.slice(0, MAX_SHOWN_OVERLAPS),
    });
  }
  await insertAcceptedOverlaps(tx, tutorId, pairs);
  return overlaps;
}

/** Removes duplicates: two new sessions that overlap each other are found twice. */
function removeDuplicates(pairs: readonly OverlapPair[]): Overlap[] {
  const seen = new Set<string>();
  return pairs.flatMap(({ sessionId, ...overlap }) => {
    const key = [sessionId, overlap.withSessionId].toSorted((a, b) => a - b).join(' ');
    if (seen.has(key)) return [];
    seen.add(key);
    return [overlap];
  });
}

function formatOverlapMessage(overlaps: readonly Overlap[]): string {
  const [first] = overlaps;
  const otherCount = overlaps.length - 1;
  const suffix = otherCount === 0 ? '' : ` and ${otherCount} more`;
  return `This overlaps with ${first?.withTitle ?? 'another lesson'}${suffix}.`;
}
