import type { Entry } from './writers.ts';

export interface Loss {
  acknowledged: number;
  missing: number;
  /** From the oldest acknowledged write that is missing to the catastrophe. */
  seconds: number;
}

/** What a restore to the latest moment has lost of what was promised. */
export function measureLoss(
  journal: readonly Entry[],
  found: ReadonlySet<string>,
  catastrophe: number,
): Loss {
  const acked = journal.filter((entry) => entry.ackedAt !== null);
  const missing = acked.filter(({ marker }) => !found.has(marker));
  const oldest = Math.min(...missing.map(({ ackedAt }) => ackedAt ?? Infinity), catastrophe);
  return {
    acknowledged: acked.length,
    missing: missing.length,
    seconds: (catastrophe - oldest) / 1000,
  };
}

/** What is wrong with a restore to a moment: everything promised before it must be there, nothing begun after it. */
export function pointInTimeFaults(
  journal: readonly Entry[],
  found: ReadonlySet<string>,
  time: number,
): string[] {
  return journal.flatMap(({ marker, sentAt, ackedAt }) => {
    if (ackedAt !== null && ackedAt < time && !found.has(marker))
      return [`${marker}, acknowledged ${time - ackedAt} ms before, is missing`];
    if (sentAt > time && found.has(marker))
      return [`${marker}, begun ${sentAt - time} ms after, is there`];
    return [];
  });
}
