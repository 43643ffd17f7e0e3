import type { Overlap } from '@lessonbook/contract/errors';
import { AppError } from '../../../platform/app-error.ts';
import { acceptPairs, forgetOverlaps, type OverlapPair, overlapsOf } from '../queries/overlaps.ts';
import type { OpenBook } from './schedule.ts';

const SHOWN_AT_MOST = 100;

/**
 * Looks at what the new and moved sessions stand in the way of. Unless the tutor has seen it and said yes, nothing
 * happens; once accepted, the pairs are recorded and the constraint looks away from them.
 */
export async function settleOverlaps(
  book: OpenBook,
  sessionIds: readonly number[],
  accept: boolean,
): Promise<Overlap[]> {
  await forgetOverlaps(book.tx, book.tutorId, sessionIds);
  return settleNewOverlaps(book, sessionIds, accept);
}

/** As settleOverlaps, for sessions that were made just now: they have no accepted overlaps to take back. */
export async function settleNewOverlaps(
  book: OpenBook,
  sessionIds: readonly number[],
  accept: boolean,
): Promise<Overlap[]> {
  const { tx, tutorId } = book;
  const pairs = await overlapsOf(tx, tutorId, sessionIds);
  if (pairs.length === 0) return [];
  const overlaps = asOverlaps(pairs);
  if (!accept) {
    throw new AppError('overlap', inWords(overlaps), {
      overlaps: overlaps.slice(0, SHOWN_AT_MOST),
    });
  }
  await acceptPairs(tx, tutorId, pairs);
  return overlaps;
}

/** Two new sessions that overlap each other find each other twice; the tutor reads it once. */
function asOverlaps(pairs: readonly OverlapPair[]): Overlap[] {
  const seen = new Set<string>();
  return pairs.flatMap(({ sessionId, ...overlap }) => {
    const key = [sessionId, overlap.withSessionId].toSorted((a, b) => a - b).join(' ');
    if (seen.has(key)) return [];
    seen.add(key);
    return [overlap];
  });
}

function inWords(overlaps: readonly Overlap[]): string {
  const [first] = overlaps;
  const rest = overlaps.length - 1;
  const more = rest === 0 ? '' : ` and ${rest} more`;
  return `This overlaps with ${first?.withTitle ?? 'another lesson'}${more}.`;
}
