import type { JournalEntry } from './concurrent-writers.ts';

export interface DataLoss {
  acknowledged: number;
  missing: number;
  /** Time from the oldest missing acknowledged write until the server was destroyed. */
  seconds: number;
}

/** Acknowledged writes that are missing after a restore to the latest state. */
export function measureDataLoss(
  journal: readonly JournalEntry[],
  found: ReadonlySet<string>,
  destroyedAt: number,
): DataLoss {
  const acked = journal.filter((entry) => entry.ackedAt !== null);
  const missing = acked.filter(({ marker }) => !found.has(marker));
  const oldest = Math.min(...missing.map(({ ackedAt }) => ackedAt ?? Infinity), destroyedAt);
  return {
    acknowledged: acked.length,
    missing: missing.length,
    seconds: (destroyedAt - oldest) / 1000,
  };
}

/** A point-in-time restore must contain every write acknowledged before that time, and none started after it. */
export function findPointInTimeFaults(
  journal: readonly JournalEntry[],
  found: ReadonlySet<string>,
  time: number,
): string[] {
  return journal.flatMap(({ marker, sentAt, ackedAt }) => {
    if (ackedAt !== null && ackedAt < time && !found.has(marker))
      return [`${marker}, acknowledged ${time - ackedAt} ms before the target time, is missing`];
    if (sentAt > time && found.has(marker))
      return [`${marker}, started ${sentAt - time} ms after the target time, exists`];
    return [];
  });
}
