import type { Entry } from './writers.ts';

export interface Loss {
  acknowledged: number;
  missing: number;
  /** From the oldest acknowledged write that is missing to the catastrophe. */
  seconds: number;
}

/** What a restore to the latest moment has lost of what was promised. */
export function lossOf(
  journal: readonly Entry[],
  found: ReadonlySet<string>,
  catastrophe: number,
): Loss {
  const acked = journal.filter((entry) => entry.ackedAt !== null);
  const missing = acked.filter(({ words }) => !found.has(words));
  const oldest = Math.min(...missing.map(({ ackedAt }) => ackedAt ?? Infinity), catastrophe);
  return {
    acknowledged: acked.length,
    missing: missing.length,
    seconds: (catastrophe - oldest) / 1000,
  };
}

/** What is wrong with a restore to a moment: everything promised before it must be there, nothing begun after it. */
export function faultsAt(
  journal: readonly Entry[],
  found: ReadonlySet<string>,
  moment: number,
): string[] {
  return journal.flatMap(({ words, sentAt, ackedAt }) => {
    if (ackedAt !== null && ackedAt < moment && !found.has(words))
      return [`${words}, acknowledged ${moment - ackedAt} ms before, is missing`];
    if (sentAt > moment && found.has(words))
      return [`${words}, begun ${sentAt - moment} ms after, is there`];
    return [];
  });
}
