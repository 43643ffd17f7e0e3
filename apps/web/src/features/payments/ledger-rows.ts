import type { LedgerEntry } from '@lessonbook/contract/families';

/** One line of the account: an entry, or one that was taken back together with what took it back. */
export interface LedgerRow {
  entry: LedgerEntry;
  /** What took the entry back. */
  takenBackBy: LedgerEntry | null;
}

/**
 * A mistake and its correction become one line, at the place of the correction: that is when something happened. Where
 * only one of the two is on the pages that are here, it stands alone.
 */
export function foldPairs(entries: readonly LedgerEntry[]): LedgerRow[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const folded = new Set(
    entries.flatMap(({ reverses }) => (reverses && byKey.has(reverses) ? [reverses] : [])),
  );
  return entries
    .filter(({ key }) => !folded.has(key))
    .map((entry) => {
      const original = entry.reverses ? byKey.get(entry.reverses) : undefined;
      return original ? { entry: original, takenBackBy: entry } : { entry, takenBackBy: null };
    });
}
